"""A whole class, graded in the sandbox."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from grader.classroom.crew import SandboxOptions
from grader.classroom.run import jobs_for, run_class
from grader.classroom.store import OtherResults
from grader.commands.check import check_file
from grader.commands.class_ import assignment_for
from tests.classroom.conftest import LOOP, RIGHT, WRONG, needs_linux

pytestmark = pytest.mark.usefixtures("linux")


@pytest.fixture(scope="module")
def linux():
    needs_linux()


@pytest.fixture(autouse=True)
def nobody_changes_the_grader_meanwhile(monkeypatch):
    monkeypatch.setattr("grader.classroom.run.grader_digest", lambda: "this one")


def book(results) -> dict[str, dict]:
    with open(results / "gradebook.csv", encoding="utf-8", newline="") as file:
        return {line["learner"]: line for line in csv.DictReader(file)}


def test_a_class_from_end_to_end(folder, tmp_path):
    done = run_class(folder, tmp_path / "out", LOOP, seed=1)
    assert (done.learners, done.graded, done.skipped, done.faults) == (9, 10, 0, 0)
    found = book(tmp_path / "out")
    points = {learner: (line["points"], line["verdict"]) for learner, line in found.items()}
    assert points == {
        "'=hal": ("0", "not_attempted"),
        "ada": ("10", "passed"),
        "bo": ("0", "failed"),
        "cy": ("10", "passed"),
        "di": ("0", "error"),
        "ed": ("0", "error"),
        "flo": ("10", "passed"),
        "gus": ("0", "error"),
        "ivy": ("0", "nothing to grade"),
    }
    assert (found["ada"]["notes"], found["cy"]["notes"]) == ("same code as cy", "same code as ada")
    assert (found["di"]["notes"], found["ed"]["outcome"]) == ("empty", "exited")
    assert (found["flo"]["attempts"], found["flo"]["file"]) == ("3", "flo/second.py")
    assert "JSON" in found["gus"]["notes"]
    _only_the_changed(folder, tmp_path)
    _the_last_counts(folder, tmp_path)


def _only_the_changed(folder, tmp_path):
    before = (tmp_path / "out" / "gradebook.csv").read_bytes()
    assert run_class(folder, tmp_path / "out", LOOP).graded == 0
    assert (tmp_path / "out" / "gradebook.csv").read_bytes() == before
    (folder / "bo.py").write_text(RIGHT + "# mended", encoding="utf-8")
    done = run_class(folder, tmp_path / "out", LOOP)
    assert (done.graded, done.skipped, book(tmp_path / "out")["bo"]["points"]) == (1, 9, "10")
    assert run_class(folder, tmp_path / "out", LOOP, seed=2).graded == 10


def _the_last_counts(folder, tmp_path):
    for i, name in enumerate(("first", "second", "third")):
        os.utime(folder / "flo" / f"{name}.py", (i + 1, i + 1))
    run_class(folder, tmp_path / "out", replace(LOOP, keep="last"))
    assert book(tmp_path / "out")["flo"]["file"] == "flo/third.py"


def test_two_processes_write_the_same_book(folder, tmp_path):
    run_class(folder, tmp_path / "one", LOOP, seed=1, jobs=1)
    run_class(folder, tmp_path / "two", LOOP, seed=1, jobs=2)
    for name in ("gradebook.csv", "junit.xml", "results.sarif", "summary.md", "points.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    page = (tmp_path / "one" / "class.html").read_text(encoding="utf-8")
    assert "<svg" in page and "L03" in page and "<script" not in page


@pytest.mark.parametrize("n", [1, 2, 4])
def test_a_chapter_earns_in_a_class_what_check_gives(solved, tmp_path, n):
    path, _ = solved(n)
    alone = check_file(path, chapter=n, seed=3)
    run_class(
        path.parent, tmp_path / "out", assignment_for(chapter=n, level=None, function="run_agent", fuzz=0, keep="best")
    )
    (one,) = json.loads((tmp_path / "out" / "learners" / "ada.json").read_text(encoding="utf-8"))["attempts"]
    mine = [(found["id"], found["verdict"], found["points"]) for found in one["report"]["exercises"]]
    assert mine == [(found.id, found.verdict, found.points) for found in alone.exercises]
    assert one["report"]["points"] == one["report"]["max_points"] > 0


def test_notebooks_that_were_pulled_about(solved, tmp_path):
    path, notebook = solved(3)
    whole = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    loop = next(cell for cell in whole if "def run_agent" in "".join(cell["source"]))

    def hand_in(name: str, cells: list) -> None:
        (path.parent / f"{name}.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}), encoding="utf-8")

    bare = [{"cell_type": "code", "source": "".join(cell["source"])} for cell in whole]  # no ids, no nbgrader metadata
    hand_in("bare", bare)
    hand_in("copied", [*bare, bare[-1], loop])
    stub = {
        "cell_type": "code",
        "source": "def run_agent(client, task, tools, functions):\n    raise NotImplementedError",
    }
    hand_in("second-wins", [stub, *bare])
    hand_in("stub-wins", [*bare, stub])
    hand_in("deleted", [cell for cell in bare if "def run_agent" not in cell["source"]])
    solved.handed_out(3, "untouched.ipynb")
    path.unlink()
    run_class(
        path.parent, tmp_path / "out", assignment_for(chapter=3, level=None, function="run_agent", fuzz=0, keep="best")
    )
    found = book(tmp_path / "out")
    assert {name: line["loop"] for name, line in found.items()} == {
        "bare": "10",
        "copied": "10",
        "deleted": "0",
        "second-wins": "10",
        "stub-wins": "0",
        "untouched": "0",
    }
    assert found["untouched"]["notes"] == "as it was handed out"


def test_what_a_function_did_to_its_arguments_is_seen(solved, tmp_path):
    """A function that changes what it was given, one that returns a tuple for a list, one that never returns: judged
    as at home.
    """
    path, notebook = solved(4)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and "def unanswered" in "".join(cell["source"]):
            cell["source"] = "def unanswered(messages):\n    messages.clear()\n    return []\n"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    alone = check_file(path, chapter=4, exercise_id="unanswered", seed=3).exercises[0]
    run_class(
        path.parent, tmp_path / "out", assignment_for(chapter=4, level=None, function="run_agent", fuzz=0, keep="best")
    )
    (one,) = json.loads((tmp_path / "out" / "learners" / "ada.json").read_text(encoding="utf-8"))["attempts"]
    mine = next(found for found in one["report"]["exercises"] if found["id"] == "unanswered")
    assert (mine["verdict"], mine["points"]) == (alone.verdict, alone.points) and alone.points < 6


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_graded(tmp_path, jobs):
    root, out = tmp_path / "class", tmp_path / "out"
    root.mkdir()
    for i in range(60):
        (root / f"learner{i:02d}.py").write_text(RIGHT + f"# {i}\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "grader",
        "class",
        str(root),
        "--contract",
        "--level",
        "loop",
        "--jobs",
        jobs,
        "--out",
        str(out),
    ]
    handled = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **handled)
    while run.poll() is None and len(list(out.glob("learners/*.json"))) < 3:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=30)
    assert (run.returncode, "goes on from there" in said) == (130, True)
    for path in out.glob("learners/*.json"):
        assert json.loads(path.read_text(encoding="utf-8"))["attempts"]
    assert 3 <= len(list(out.glob("learners/*.json"))) < 60


def test_drawn_conversations_count(tmp_path):
    root = tmp_path / "class"
    root.mkdir()
    (root / "ada.py").write_text(RIGHT, encoding="utf-8")
    (root / "bo.py").write_text(WRONG, encoding="utf-8")
    run_class(
        root, tmp_path / "out", assignment_for(chapter=None, level="loop", function="run_agent", fuzz=5, keep="best")
    )
    found = book(tmp_path / "out")
    assert [(found[name]["points"], found[name]["max_points"], found[name]["fuzz"]) for name in ("ada", "bo")] == [
        ("20", "20", "10"),
        ("0", "20", "0"),
    ]


def test_killed_at_ten_moments_and_gone_on(tmp_path):
    root, rng = tmp_path / "class", random.Random(5)
    root.mkdir()
    for i in range(24):
        (root / f"learner{i:02d}.py").write_text((RIGHT, WRONG)[i % 2] + f"# {i}\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "grader",
        "class",
        str(root),
        "--contract",
        "--level",
        "loop",
        "--seed",
        "11",
        "--jobs",
        "1",
        "--out",
    ]
    began = time.monotonic()
    subprocess.run([*command, str(tmp_path / "calm")], check=True, capture_output=True)
    lasts = time.monotonic() - began
    kept = []
    for _ in range(10):
        run = subprocess.Popen([*command, str(tmp_path / "hard")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 1.0) * lasts)
        run.send_signal(signal.SIGKILL)
        run.wait()
        kept.append(len(list((tmp_path / "hard").glob("learners/*.json"))))
    subprocess.run([*command, str(tmp_path / "hard")], check=True, capture_output=True)
    assert kept == sorted(kept) and kept[0] + kept[-1] > 0, "what was written stays"
    for name in ("gradebook.csv", "junit.xml", "results.sarif", "points.jsonl"):
        assert (tmp_path / "hard" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes(), name
    assert not list((tmp_path / "hard").rglob("*.tmp"))
    assert len(list((tmp_path / "hard" / "learners").glob("*.html"))) == 24
    shutil.rmtree(tmp_path / "hard")


def test_a_cell_that_fails_is_named_behind_many_demonstrations(solved, tmp_path):
    """A notebook's own demonstrations fail while the grader grades, and fill the sandbox's notes."""
    faults = {
        "syntax.ipynb": (
            "exercise-loop",
            "def run_agent(client, task, tools, functions):\n    while True\n        pass",
        ),
        "name.ipynb": ("exercise-recall-3", "recall = [b, c]"),
        "demo.ipynb": ("exercise-messages-sent", "travelled = len(messages)"),
    }
    for name, (cell_id, source) in faults.items():
        path, notebook = solved(3, name)
        next(cell for cell in notebook["cells"] if cell["id"] == cell_id)["source"] = source
        path.write_text(json.dumps(notebook), encoding="utf-8")
    whole = assignment_for(chapter=3, level=None, function="run_agent", fuzz=0, keep="best")
    run_class(tmp_path / "chapter", tmp_path / "out", whole)
    said = {}
    for name in ("syntax", "name", "demo"):
        (one,) = json.loads((tmp_path / "out" / "learners" / f"{name}.json").read_text(encoding="utf-8"))["attempts"]
        said[name] = [found for found in one["report"]["exercises"] if found["verdict"] != "passed"]
    (syntax,), (name,), (demo,) = said["syntax"], said["name"], said["demo"]
    assert syntax["verdict"] == "failed" and "line 2, failed: SyntaxError: expected ':'" in syntax["message"]
    assert "NameError: name 'b' is not defined" in name["message"] and "scenario" not in name["message"]
    assert "Write the value itself" in demo["message"]
    assert "SyntaxError" in book(tmp_path / "out")["syntax"]["notes"]


def test_results_belong_to_one_assignment(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.py").write_text("", encoding="utf-8")
    run_class(tmp_path / "class", tmp_path / "out", LOOP)
    other = assignment_for(chapter=3, level=None, function="run_agent", fuzz=0, keep="best")
    before = (tmp_path / "out" / "gradebook.csv").read_bytes()
    with pytest.raises(OtherResults, match="Give another folder"):
        run_class(tmp_path / "class", tmp_path / "out", other)
    assert (tmp_path / "out" / "gradebook.csv").read_bytes() == before
    assert book(tmp_path / "out")["ada"]["notes"] == "empty"


def test_no_more_processes_than_files():
    assert jobs_for(3, 500) == 3 and jobs_for(3, None) == 1


def test_a_worker_whose_run_is_gone_says_nothing(tmp_path):
    needs_linux()
    worker = subprocess.Popen(
        [sys.executable, "-m", "grader.classroom.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    worker.stdout.close()
    _, said = worker.communicate(json.dumps(SandboxOptions().to_dict()).encode() + b"\n", timeout=60)
    assert said == b""
