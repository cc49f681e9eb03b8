"""Does a verdict depend on the seed? Plays loops with many seeds and compares verdicts and first findings.

Run it by hand: ``python bench/seeds.py [SEEDS] [MUTANTS]`` (default 50 seeds, 40 mutants). Prints what differs; exits with 1 if
anything does.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from mutants.catalogue import MUTANTS  # noqa: E402
from mutants.mutant import load  # noqa: E402

from grader.judging import grade_loop  # noqa: E402


def outcome(function, level: str, seed: int) -> tuple:
    """What a report says, without the ids that differ from seed to seed."""
    report = grade_loop(function, level=level, seed=seed)
    checks = [check for exercise in report.exercises for check in exercise.checks]
    return report.verdict, report.points, tuple((check.name, check.verdict, rules(check)) for check in checks)


def rules(check) -> tuple:
    return tuple(violation.rule for violation in check.violations)


def loops(count: int):
    """(name, a maker of the function, level): the reference loops, and mutants from all over the list."""
    for base in ("reference.py", "reference_async.py", "reference_stream.py"):
        text = (ROOT / "tests" / "mutants" / base).read_text(encoding="utf-8")
        yield base, lambda text=text, base=base: load(text, base), "resume"
    step = max(1, len(MUTANTS) // count)
    for mutant in MUTANTS[::step][:count]:
        yield mutant.name, mutant.function, mutant.level


def main() -> None:
    seeds, count = (int(word) for word in [*sys.argv[1:], 50, 40][:2]) if len(sys.argv) < 3 else map(int, sys.argv[1:3])
    differing, played, start = 0, 0, time.process_time()
    for name, make, level in loops(count):
        seen = {}
        for seed in range(1, seeds + 1):
            seen.setdefault(outcome(make(), level, seed), seed)
            played += 1
        if len(seen) > 1:
            differing += 1
            first, second, *_ = seen.items()
            print(f"{name}: seed {first[1]} and seed {second[1]} differ: {set(first[0][2]) ^ set(second[0][2])}")
    print(f"{played} gradings with {seeds} seeds: {differing} loops whose report depends on the seed")
    print(f"{time.process_time() - start:.0f} CPU seconds")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
