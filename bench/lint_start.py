"""How long does `python -m grader lint small.json` take, measured against `python -c pass`?

Run it by hand: ``python bench/lint_start.py [ROUNDS]``. It prints medians of CPU seconds (user and system, of the child alone) and their
ratio. The aim is a ratio below 4. It is no test: a busy machine would make it fail.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HISTORY = [
    {"role": "user", "content": "What is the weather in Oslo?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_01", "name": "get_weather", "input": {"city": "Oslo"}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_01", "content": "12 C, cloudy"}]},
]


def cpu_seconds(command: list[str]) -> float:
    """CPU seconds of one run of the command."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


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
        times = {name: [] for name in commands}
        for _ in range(rounds):  # in turn, so that a busy spell hits all of them
            for name, command in commands.items():
                times[name].append(cpu_seconds(command))
    base = statistics.median(times["python -c pass"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"{name:24} {median * 1000:6.0f} ms CPU   {median / base:4.1f} x")


if __name__ == "__main__":
    main()
