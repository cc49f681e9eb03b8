"""Gradescope: the autograder zip, and what runs in it.

The formats are those of Gradescope's autograder specification: ``setup.sh`` and ``run_autograder`` at the root of the
zip, the zip's
content in /autograder/source, the submission in /autograder/submission, the results in
/autograder/results/results.json.
"""

from __future__ import annotations

import json
import zipfile
from importlib.metadata import version
from pathlib import Path

from grader import places
from grader.classroom.archives import BadArchive
from grader.classroom.assignment import Assignment
from grader.classroom.attempts import roll_of
from grader.classroom.collect import collect
from grader.classroom.grade import FAULT, grade
from grader.classroom.rows import chosen
from grader.classroom.sandbox import Sandbox, SandboxUnavailable
from grader.judging.render_text import render_text
from grader.judging.report import Report, whole_report

_PACKAGE = Path(places.__file__).resolve().parent
_NEEDS = ("anthropic", "click", "hypothesis", "httpx2", "jinja2", "pydantic", "rich")
_DATE = (2026, 1, 1, 0, 0, 0)  # the same course gives the same zip
_SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
apt-get update -qq
apt-get install -y -qq python3 python3-venv bubblewrap
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y -qq python3.11 python3.11-venv  # Ubuntu 22.04 has both
    python=python3.11
fi
"$python" -m venv /autograder/venv
/autograder/venv/bin/pip install --quiet -r /autograder/source/requirements.txt
"""
_RUN = """\
#!/usr/bin/env bash
cd /autograder
export PYTHONPATH=/autograder/source
exec /autograder/venv/bin/python -m grader.commands.gradescope \\
    /autograder/submission /autograder/results/results.json /autograder/source/assignment.json
"""


def build(out: Path, *, chapter: int | None, level: str | None, fuzz: int = 0) -> None:
    """Write the autograder zip for a chapter or a level of the contract."""
    options = {"chapter": chapter, "level": level, "fuzz": fuzz}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", _SETUP, 0o755)
        _add(archive, "run_autograder", _RUN, 0o755)
        _add(archive, "requirements.txt", "".join(f"{name}=={version(name)}\n" for name in _NEEDS))
        _add(archive, "assignment.json", json.dumps(options) + "\n")
        for path in sorted(_PACKAGE.rglob("*.py")):
            _add(archive, f"grader/{path.relative_to(_PACKAGE).as_posix()}", path.read_text(encoding="utf-8"))
        for folder in (places.FIXTURES, places.CHAPTERS):
            for path in sorted([*folder.rglob("*.json"), *folder.glob("*.toml")]):
                name = f"grader/_data/{folder.name}/{path.relative_to(folder).as_posix()}"
                _add(archive, name, path.read_text(encoding="utf-8"))


def _add(archive: zipfile.ZipFile, name: str, text: str, mode: int = 0o644) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100000 | mode) << 16
    archive.writestr(info, text)


def run(submission: Path, results: Path, assignment: Assignment) -> None:
    """Grade the one submission in a folder and write results.json. Never raises for what is in the folder."""
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps(_results(submission, results, assignment), indent=1) + "\n", encoding="utf-8")


def _results(submission: Path, results: Path, assignment: Assignment) -> dict:
    try:
        roll = roll_of(collect(submission, "submission"), assignment, "")
        attempts = list(roll.all_attempts)
        if not attempts:
            left_out = "".join(f"\n{why}" for why in roll.left_out.get("submission", []))
            return _nothing(f"There is no .ipynb or .py file in what was handed in.{left_out}", assignment)
        with Sandbox(hidden=(submission, results.parent)) as sandbox:
            graded = [grade(sandbox, attempt.task()) for attempt in attempts]
    except (OSError, BadArchive, SandboxUnavailable) as error:
        return {"output": f"The grader failed: {error} Please tell your teacher.", "extra_data": {}}  # no zero for that
    return results_of(chosen(graded, assignment.keep), assignment)


def _nothing(message: str, assignment: Assignment) -> dict:
    return {"score": 0, "output": message, "tests": [], "extra_data": {"max_points": assignment.max_points}}


def results_of(one: dict, assignment: Assignment) -> dict:
    """results.json for a graded file. A fault of the grader's has no score, so that Gradescope calls it an autograder
    error.
    """
    report = Report.model_validate(one["report"])
    about = {"isolation": report.isolation, "seed": report.seed, "outcome": one["outcome"]}
    if one["state"] == FAULT:
        return {"output": report.message, "extra_data": about}
    tests = []
    for exercise in report.exercises:
        tests.append(
            {
                "name": exercise.title,
                "score": exercise.points,
                "max_score": exercise.max_points,
                "status": "passed" if exercise.verdict == "passed" else "failed",
                "output": render_text(whole_report([exercise], report.seed)),
                "output_format": "text",
            }
        )
    score = {"score": report.points}
    return score | {"output": report.message, "output_format": "text", "tests": tests, "extra_data": about}
