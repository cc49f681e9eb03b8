"""How long the timeline takes, and how big it gets: ``python bench/timeline.py``.

CPU seconds (best of five) and bytes of ``to_html(ladder(history, violations))``, the table and the picture together,
for histories of 10, 100 and 500 turns, and for odd ones. The bounds that the tests hold: 500 turns in a second and
two megabytes.
"""

import time

from grader.course.timeline import ladder, to_html, to_text


def history(turns: int, output: str, calls: int = 1) -> list:
    """A task, and ``turns`` replies with ``calls`` calls each, every one answered with ``output``."""
    messages = [{"role": "user", "content": "Go through all files."}]
    for turn in range(turns):
        ids = [f"toolu_{turn}_{i}" for i in range(calls)]
        uses = [
            {"type": "tool_use", "id": ident, "name": "read_file", "input": {"path": f"src/{ident}.py"}}
            for ident in ids
        ]
        text = {"type": "text", "text": f"Step {turn}: I read the next file and look for what the task asks for."}
        results = [{"type": "tool_result", "tool_use_id": ident, "content": output} for ident in ids]
        messages += [{"role": "assistant", "content": [text, *uses]}, {"role": "user", "content": results}]
    return messages


def measure(name: str, messages, draw) -> None:
    spent = []
    for _ in range(5):
        before = time.process_time()
        drawn = draw(ladder(messages, []))
        spent.append(time.process_time() - before)
    print(f"{name:42} {min(spent):8.3f} s {len(drawn.encode('utf-8')):12,} bytes")


def main() -> None:
    code = "def read(path):\n    return path.read_text()  # <the file>\n" * 8
    for turns in (10, 100, 500):
        measure(f"{turns} turns", history(turns, code), to_html)
    measure("500 turns as text for a terminal", history(500, code), to_text)
    measure("500 turns, results of 40,000 characters", history(500, "x" * 40_000), to_html)
    measure("500 turns, results that need escapes", history(500, "<script>&\x00\ud800" * 500), to_html)
    measure("500 turns of 8 parallel calls", history(500, code, calls=8), to_html)
    nested = "x"
    for _ in range(60):
        nested = [nested, nested]
    measure("2 to the power of 60 nested values", [{"role": "user", "content": nested}], to_html)


if __name__ == "__main__":
    main()
