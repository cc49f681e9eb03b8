"""What a class costs: CPU seconds and wall time a submission, and peak memory, for classes of growing size, sandbox on.

    python bench/classroom.py                  # classes of 20 and 200
    python bench/classroom.py --sizes 20 200 2000

Each size runs in a process of its own. The submissions are the right loops of tests/styles, in turn, a comment makes
each one different.
They are graded by the contract's first level: all its scenarios, judged. CPU seconds are those of the grader, the
zygote and all
submissions, the start of the zygote included.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader.classroom.crew import Crew
from grader.classroom.run import run_class
from grader.classroom.sandbox.guest.family import descendants
from grader.commands.class_ import assignment_for
from grader.judging.exercises.loop import scenarios_of

STYLES = Path(__file__).resolve().parents[1] / "tests" / "styles"
LEVEL = "loop"
_TICK = os.sysconf("SC_CLK_TCK")


def styles() -> list[str]:
    """The sources of right loops, sync ones that need no helpers."""
    found = [path.read_text(encoding="utf-8") for path in sorted(STYLES.glob("*.py")) if path.name != "__init__.py"]
    return [source for source in found if "def run_agent" in source]


def hand_in(folder: Path, size: int) -> None:
    """A class of ``size``."""
    sources = styles()
    for i in range(size):
        (folder / f"learner{i:05d}.py").write_text(f"{sources[i % len(sources)]}\n# learner {i}\n", encoding="utf-8")


def cpu_of_tree(pid: int) -> float:
    """CPU seconds of a process, of what lives below it, and of what has ended there."""
    total = 0
    for one in (pid, *descendants(pid)):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / _TICK


def peak_of_tree(pid: int) -> int:
    """The highest resident memory of any process that lives below, in MiB."""
    peaks = [0]
    for one in (pid, *descendants(pid)):
        try:
            lines = Path(f"/proc/{one}/status").read_text().splitlines()
        except OSError:
            continue
        peaks += [int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")]
    return max(peaks)


def measure(size: int) -> dict:
    """One class, in this process."""
    seen = {}

    class Watched(Crew):
        def __exit__(self, *exception):
            pid = self._sandbox.host._process.pid
            seen.update(cpu=cpu_of_tree(pid), peak=peak_of_tree(pid))
            super().__exit__(*exception)

    import grader.classroom.run as run

    run.Crew = Watched
    work = Path(tempfile.mkdtemp())
    try:
        (work / "class").mkdir()
        hand_in(work / "class", size)
        assignment = assignment_for(chapter=None, level=LEVEL, function="run_agent", fuzz=0, keep="best")
        began, cpu = time.monotonic(), time.process_time()
        done = run_class(work / "class", work / "out", assignment, jobs=1, seed=1)
        wall, own = time.monotonic() - began, time.process_time() - cpu
        passed = sum(f",{'passed'}," in line for line in (work / "out" / "gradebook.csv").read_text().splitlines())
    finally:
        shutil.rmtree(work)
    own_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    figures = {"size": size, "graded": done.graded, "passed": passed, "isolation": done.isolation}
    return figures | {
        "grader_cpu_s": own,
        "sandbox_cpu_s": seen["cpu"],
        "wall_s": wall,
        "grader_mib": own_peak,
        "zygote_mib": seen["peak"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 200])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    print(f"{len(scenarios_of([LEVEL]))} scenarios a submission, level {LEVEL}")
    print("size  passed  CPU s each (grader + sandbox)   wall s each  peak MiB: grader, zygote")
    for size in options.sizes:
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size)], check=True, capture_output=True, text=True
        )
        one = json.loads(done.stdout.splitlines()[-1])
        own, inside = one["grader_cpu_s"] / size, one["sandbox_cpu_s"] / size
        wall = one["wall_s"] / size
        print(
            f"{size:4d}  {one['passed']:6d}  {own + inside:.3f} ({own:.3f} + {inside:.3f})       "
            f"{wall:.3f}        {one['grader_mib']}, {one['zygote_mib']}   ({one['isolation']})",
            flush=True,
        )


if __name__ == "__main__":
    main()
