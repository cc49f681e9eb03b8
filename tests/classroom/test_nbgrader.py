"""nbgrader itself, on a generated notebook: it hands out, grades and gives feedback, and its points are ours.

nbgrader lives in a virtual environment of its own, which is made once (.cache/nbgrader). Without an index to install
it from, the test is
skipped and says why.
"""

import copy
import csv
import json
import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from grader.classroom.run import run_class
from grader.commands.class_ import assignment_for
from tests.classroom.conftest import needs_linux

ROOT = Path(__file__).parents[2]
PLACE = ROOT / ".cache" / "nbgrader"
VERSION = "nbgrader==0.9.6"
NAME = "03_the_while_loop.ipynb"
TWO_TURNS = """
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    for turn in range(2):
        reply = client.messages.create(model=MODEL, max_tokens=1000, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            break
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)} for call in calls
        ]
        messages.append({"role": "user", "content": results})
    return "done", messages
"""


@pytest.fixture(scope="module")
def nbgrader():
    """``nbgrader(folder, *words)`` runs its command line."""
    needs_linux()
    folder = PLACE / ("Scripts" if os.name == "nt" else "bin")
    if not (PLACE / "complete").exists():
        _install(folder)

    def run(course: Path, *words: str) -> None:
        paths = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        own = {
            name: str(course / ".jupyter")
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        }
        command = [str(folder / "nbgrader"), *words]
        done = subprocess.run(
            command, cwd=course, env=os.environ | paths | own, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stderr[-3000:]}"

    return run


def _install(folder: Path) -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    try:
        venv.create(PLACE, with_pip=True, clear=True)
        command = [str(folder / "python"), "-m", "pip", "install", "--quiet", "--retries", "1", VERSION, *needs]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(
            f"nbgrader cannot be installed here: {(getattr(error, 'stderr', None) or str(error)).strip()[-300:]}"
        )
    (PLACE / "complete").touch()


@pytest.mark.skipif(sys.platform == "emscripten", reason="needs processes")
def test_hand_out_grade_and_give_feedback(nbgrader, tmp_path):
    course = tmp_path / "course"
    (course / "source" / "loop").mkdir(parents=True)
    solved = json.loads((ROOT / "solutions" / NAME).read_text(encoding="utf-8"))
    (course / "source" / "loop" / NAME).write_text(json.dumps(solved), encoding="utf-8")
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.CourseDirectory.course_id = "loops"\n', encoding="utf-8"
    )
    nbgrader(course, "generate_assignment", "loop", "--create")
    release = json.loads((course / "release" / "loop" / NAME).read_text(encoding="utf-8"))
    assert "BEGIN SOLUTION" not in json.dumps(release)
    for student, notebook in _submissions(release, solved).items():
        place = course / "submitted" / student / "loop" / NAME
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(notebook), encoding="utf-8")
    nbgrader(course, "autograde", "loop", "--create")
    nbgrader(course, "generate_feedback", "loop")
    theirs, most = _scores(nbgrader, course)
    ours = _ours(course, tmp_path)
    assert theirs == ours
    assert (ours["right"], ours["empty"]) == (most, 0) and 0 < ours["half"] < most
    for student in ours:
        assert (course / "feedback" / student / "loop" / NAME).with_suffix(".html").stat().st_size > 1000


def _submissions(release: dict, solved: dict) -> dict[str, dict]:
    """The notebook that was handed out: as it is, all solved, and with a loop that stops after two turns and nothing
    else.
    """
    solutions = {_grade_id(cell): cell["source"] for cell in solved["cells"]}
    right, half = copy.deepcopy(release), copy.deepcopy(release)
    for cell in right["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = solutions[_grade_id(cell)]
    for cell in half["cells"]:
        if "def run_agent(" in "".join(cell["source"]) and cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = TWO_TURNS
    return {"right": right, "half": half, "empty": copy.deepcopy(release)}


def _grade_id(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def _scores(nbgrader, course: Path) -> tuple[dict[str, float], float]:
    nbgrader(course, "export", "--to", "grades.csv")
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["student_id"]: float(row["score"]) for row in rows}, float(rows[0]["max_score"])


def _ours(course: Path, tmp_path: Path) -> dict[str, float]:
    run_class(
        course, tmp_path / "out", assignment_for(chapter=3, level=None, function="run_agent", fuzz=0, keep="best")
    )
    with open(tmp_path / "out" / "gradebook.csv", encoding="utf-8", newline="") as file:
        return {row["learner"]: float(row["points"]) for row in csv.DictReader(file)}
