"""How long does `python -m grader lint small.json` take, measured against `python -c pass`?

Run it by hand: ``python bench/lint_start.py [ROUNDS]``. It prints the median and the best time of each command, and
ratios to `pass`. The aim is a ratio below 4. It is no test: a busy machine would make it fail. Each command runs once
before it is measured, with compiled modules in a folder of its own, so that it does not matter whether Python may keep
them elsewhere.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HISTORY = [
    {"role": "user", "content": "What is the weather in Oslo?"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_01", "name": "get_weather", "input": {"city": "Oslo"}}],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_01", "content": "12 C, cloudy"}]},
]


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Wall time of one run of the command."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.json"
        small.write_text(json.dumps(HISTORY), encoding="utf-8")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import grader.history": [sys.executable, "-c", "import grader.history"],
            "grader lint small.json": [sys.executable, "-m", "grader", "lint", str(small)],
        }
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder
        times = {name: [] for name in commands}
        for command in commands.values():
            seconds(command, environment)
        for _ in range(rounds):  # in turn, so that a busy spell hits all of them
            for name, command in commands.items():
                times[name].append(seconds(command, environment))
    base = times["python -c pass"]
    print(f"{'':24}{'median':>17}{'best':>17}")
    for name, taken in times.items():
        columns = [(measure(taken), measure(taken) / measure(base)) for measure in (statistics.median, min)]
        print(f"{name:24}" + "".join(f"{value * 1000:8.1f} ms {ratio:4.1f} x" for value, ratio in columns))


if __name__ == "__main__":
    main()
