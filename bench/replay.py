"""What a replay costs: ten turns through each door, for each client and way to ask. Prints figures, asserts nothing.

Run it by hand: ``python bench/replay.py [RUNS]``. Time is that of a whole ``play``: the player, the thread, the client
and, on loopback, the server are made anew for each run. It prints the median of the runs, and the CPU time of the
process beside it, which other work on the machine disturbs less.
"""

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grader.replay.play import play  # noqa: E402
from tests.replay.loops import STYLES  # noqa: E402
from tests.replay.samples import call, message, scenario, text  # noqa: E402

TURNS = 10


def ten_turns():
    calls = [message(call(f"c{number}", city="Oslo"), id=f"m{number}") for number in range(TURNS - 1)]
    return scenario(*calls, message(text("It is {nonce}."), id="last"))


def measure(style, door, runs):
    """Median wall and CPU milliseconds of one play."""
    one, walls, cpus = ten_turns(), [], []
    for seed in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        transcript = play(one, style, seed=seed, door=door)
        walls.append(1000 * (time.perf_counter() - wall))
        cpus.append(1000 * (time.process_time() - cpu))
        if len(transcript.exchanges) != TURNS or transcript.crash:
            raise SystemExit(f"{style.__name__} through {door} did not play {TURNS} turns: {transcript.crash}")
    return statistics.median(walls), statistics.median(cpus)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    play(ten_turns(), STYLES[0], seed=0)  # imports the SDK and warms it up
    print(f"{TURNS} turns, median of {runs} runs")
    print(f"{'style':18}{'door':12}{'wall ms':>9}{'CPU ms':>9}")
    for style in STYLES:
        for door in ("in_process", "loopback"):
            wall, cpu = measure(style, door, runs)
            print(f"{style.__name__:18}{door:12}{wall:9.1f}{cpu:9.1f}")


if __name__ == "__main__":
    main()
