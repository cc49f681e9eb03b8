"""What nbgrader and otter-grader cost on an equivalent assignment, beside this grader: CPU seconds and wall time a
submission.

    python bench/classroom_peers.py [--count 10]

Needs .cache/nbgrader (tests/classroom/test_nbgrader.py makes it) and .cache/otter: a virtual environment with
otter-grader 7.0.0 and requirements.txt, the environment that a learner's notebook ran in. A peer that is not there is
left out. Two forms of the assignment "write run_agent":

- fake: the notebook brings a client of its own (no SDK), one conversation of three turns, three assertions. The least
  a peer can do. This grader plays one scenario of three turns then, with the real SDK, and judges it.
- same: the notebook calls this course's ``check("loop", run_agent)``: the same scenarios, the real SDK, the same judge
  as here.

First one submission each, then many. This grader gets a class (--class), since it starts its zygote once; the peers
start anew for each submission, so fewer tell as much. All run one after the other in one go on one machine. CPU seconds
are those of the children that were waited for (kernels included).
"""

import argparse
import ctypes
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache"
LOOP = """
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model="m", max_tokens=1000, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        messages.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)} for call in calls
        ]})
"""
FAKE = """
from types import SimpleNamespace as Made

class Fake:
    def __init__(self):
        self.messages, self.requests = self, []
    def create(self, **request):
        self.requests.append([dict(message) for message in request["messages"]])
        n = len(self.requests)
        if n < 3:
            return Made(content=[Made(type="tool_use", id=f"toolu_{n}", name="look", input={"at": n})], stop_reason="tool_use")
        return Made(content=[Made(type="text", text="It is done.")], stop_reason="end_turn")
"""
FAKE_TEST = """
client = Fake()
status, messages = run_agent(client, "Look twice.", [], {"look": lambda at: f"seen {at}"})
assert status == "done" and len(client.requests) == 3
assert [len(request) for request in client.requests] == [1, 3, 5]
assert client.requests[-1][-1]["content"][0]["tool_use_id"] == "toolu_2"
"""
SAME = "from grader import check\n"
SAME_TEST = 'assert check("loop", run_agent).passed\n'
THREE_TURNS = "rooms-any-input"
FORMS = {"fake": (FAKE, FAKE_TEST), "same": (SAME, SAME_TEST)}


def cell(source: str, kind: str = "code", **metadata) -> dict:
    made = {"cell_type": kind, "id": f"c{abs(hash(source)) % 10**8}", "metadata": metadata, "source": source}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def notebook(*cells: dict) -> str:
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": list(cells), "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


def measured(run) -> tuple[float, float]:
    """CPU seconds of the children and wall seconds of ``run()``."""
    _reap()  # what an earlier run left is not this one's
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run()
    _reap()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - began


def _reap() -> None:
    """Wait for what outlived its parent (a kernel, say): its CPU seconds are the tool's too."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.1)
        except ChildProcessError:
            return


def call(folder: Path, tool: str, *words: str) -> None:
    place = CACHE / tool / "bin"
    own = {
        name: str(folder / ".jupyter")
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    environment = os.environ | own | {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [str(place / words[0]), *words[1:]], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr[-2000:]}")


def nbgrader(folder: Path, form: str, count: int) -> dict[str, tuple[float, float]]:
    """A batch: ``autograde`` alone, and with a page for each learner (``generate_feedback``) and the points as CSV."""
    setup, test = FORMS[form]

    def marks(grade_id: str, **kind) -> dict:
        base = {
            "schema_version": 3,
            "grade_id": grade_id,
            "grade": False,
            "solution": False,
            "locked": False,
            "task": False,
        }
        return {"nbgrader": base | kind}

    cells = [
        cell(setup, **marks("setup", locked=True)),
        cell(LOOP, **marks("loop", solution=True)),
        cell(test, **marks("test", grade=True, locked=True, points=10)),
    ]
    (folder / "source" / "ps").mkdir(parents=True)
    (folder / "source" / "ps" / "loop.ipynb").write_text(notebook(*cells))
    (folder / "nbgrader_config.py").write_text('c = get_config()\nc.CourseDirectory.course_id = "b"\n')
    call(folder, "nbgrader", "nbgrader", "generate_assignment", "ps", "--create")
    for i in range(count):
        place = folder / "submitted" / f"s{i}" / "ps"
        place.mkdir(parents=True)
        shutil.copy(folder / "source" / "ps" / "loop.ipynb", place)
    graded = measured(lambda: call(folder, "nbgrader", "nbgrader", "autograde", "ps", "--create"))
    paged = measured(lambda: call(folder, "nbgrader", "nbgrader", "generate_feedback", "ps"))
    booked = measured(lambda: call(folder, "nbgrader", "nbgrader", "export", "--to", "g.csv"))
    if (folder / "g.csv").read_text().count(",10.0,") < count:
        raise SystemExit("nbgrader did not give all points")
    whole = tuple(map(sum, zip(graded, paged, booked, strict=True)))
    return {"nbgrader autograde": graded, "nbgrader": whole}


def otter(folder: Path, form: str, count: int) -> dict[str, tuple[float, float]]:
    """``otter run`` for each submission, as its autograder container does."""
    setup, test = FORMS[form]
    (folder / "tests").mkdir(parents=True)
    lines = textwrap.dedent(test).strip().splitlines()
    code = "\n".join(f">>> {line}" for line in lines)
    suite = {
        "type": "doctest",
        "cases": [{"code": code, "hidden": False, "locked": False}],
        "scored": True,
        "setup": "",
        "teardown": "",
    }
    test_file = {"name": "q1", "points": 10, "suites": [suite]}
    (folder / "tests" / "q1.py").write_text(f"OK_FORMAT = True\ntest = {test_file!r}\n")
    (folder / "loop.ipynb").write_text(notebook(cell(setup), cell(LOOP)))
    call(folder, "otter", "otter", "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")
    figures = measured(
        lambda: [call(folder, "otter", "otter", "run", "-a", "autograder.zip", "loop.ipynb") for _ in range(count)]
    )
    results = json.loads((folder / "results.json").read_text())
    if sum(one["score"] for one in results["tests"] if one.get("max_score")) != 10:
        raise SystemExit(f"otter did not give all points: {results}")
    return {"otter": figures}


def ours(folder: Path, form: str, count: int) -> dict[str, tuple[float, float]]:
    """``grader class`` of a batch, with pages and gradebook, start of the zygote included; see bench/classroom.py for larger classes."""
    (folder / "class").mkdir(parents=True)
    for i in range(count):
        (folder / "class" / f"s{i}.ipynb").write_text(notebook(cell("from grader import check"), cell(LOOP + f"# {i}")))
    patch = (
        "import grader.classroom.grade as g; every = g.scenarios_of\n"
        f"g.scenarios_of = lambda levels: [one for one in every(levels) if one.name == {THREE_TURNS!r}]\n"
    )
    program = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from classroom import *; import grader.classroom.run as run\n"
        "seen = {}\n"
        "class Watched(Crew):\n"
        "    def __exit__(self, *e):\n"
        "        seen['cpu'] = cpu_of_tree(self._sandbox.host._process.pid); super().__exit__(*e)\n"
        "run.Crew = Watched\n"
        + (patch if form == "fake" else "")
        + "wanted = assignment_for(chapter=None, level='loop', function='run_agent', fuzz=0, keep='best')\n"
        "done = run.run_class(Path(sys.argv[2]), Path(sys.argv[3]), wanted, jobs=1, seed=1, require_sandbox=True)\n"
        "print(json.dumps(seen | {'own': time.process_time()}))\n"
    )
    words = [sys.executable, "-c", program, str(Path(__file__).parent), str(folder / "class"), str(folder / "out")]
    began = time.monotonic()
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    wall = time.monotonic() - began
    if (folder / "out" / "gradebook.csv").read_text().count(",passed,") != count:
        raise SystemExit("this grader did not give all points")
    found = json.loads(done.stdout.splitlines()[-1])
    return {"this grader": (found["cpu"] + found["own"], wall)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--class", dest="size", type=int, default=200, help="submissions for this grader")
    parser.add_argument("--only", nargs="*", default=["ours", "nbgrader", "otter"])
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans come to this process
    sizes = [("one", 1, 1), ("many", options.size, options.count)]
    print(f"many: {options.size} submissions for this grader, {options.count} for the peers; seconds a submission")
    for form, (title, own, peers) in itertools.product(FORMS, sizes):
        first = None
        for name, run in (("ours", ours), ("nbgrader", nbgrader), ("otter", otter)):
            if name not in options.only or (name != "ours" and not (CACHE / name / "bin" / name).exists()):
                continue
            count = own if name == "ours" else peers
            with tempfile.TemporaryDirectory() as folder:
                figures = run(Path(folder) / "b", form, count)
            for told, (cpu, wall) in figures.items():
                first = first or cpu / count
                print(
                    f"{form:5s} {title:5s} {told:19s} CPU {cpu / count:7.3f}   wall {wall / count:7.3f}   "
                    f"times {cpu / count / first:6.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
