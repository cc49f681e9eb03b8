"""GitHub: a workflow for a class repository, and a class run's findings as annotations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from grader.classroom.gradebook import on_one_line

_WORKFLOW = """\
# Grades each push. The grades that count are those of the teacher's own run: whoever can push here can change this
# file.
name: grade
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v6
        with:
          path: work
      - uses: actions/checkout@v6
        with:
          repository: OWNER/COURSE   # the repository of the course; a private one needs a token as well
          path: course
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
          cache: pip
          cache-dependency-path: course/requirements.txt
      - name: Install the grader and the sandbox
        run: |
          sudo apt-get update -qq
          sudo apt-get install -y -qq bubblewrap
          sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 || true
          pip install --quiet ./course
      - name: Grade
        run: python -m grader class work --one "${GITHUB_REPOSITORY#*/}" --out results@OPTIONS@
      - name: Show
        if: ${{ always() && hashFiles('results/summary.md') != '' }}
        run: |
          cat results/summary.md >> "$GITHUB_STEP_SUMMARY"
          python -m grader export annotations results
      - uses: actions/upload-artifact@v6
        if: ${{ always() && hashFiles('results/summary.md') != '' }}
        with:
          name: results
          path: results
"""
_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def write_workflow(repository: Path, *, chapter: int | None) -> Path:
    """Write .github/workflows/grade.yml into a repository. Out: its path."""
    path = repository / ".github" / "workflows" / "grade.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    options = "" if chapter is None else f" --chapter {chapter}"
    path.write_text(_WORKFLOW.replace("@OPTIONS@", options), encoding="utf-8", newline="\n")
    return path


def annotation_lines(results: Path) -> Iterator[str]:
    """One workflow command a finding, made from results.sarif."""
    run = json.loads((results / "results.sarif").read_text(encoding="utf-8"))["runs"][0]
    names = {rule["id"]: rule["name"] for rule in run["tool"]["driver"]["rules"]}
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        place = unquote(place)
        title = f"{result['ruleId']} {names.get(result['ruleId'], '')}".strip()
        level = _LEVELS[result["level"]]
        yield f"::{level} file={_property(place)},line=1,title={_property(title)}::{_data(result['message']['text'])}"


def _data(text: str) -> str:
    lines = text.replace("%", "%25").replace("\r", "\n").split("\n")
    return "%0A".join(on_one_line(line) for line in lines)  # logs are read in terminals too


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
