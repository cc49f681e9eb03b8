"""How far a learner is: ``check`` writes it down, ``progress`` shows it.

It is kept in ``.progress.json`` in the folder of the notebook (notebooks/), and nowhere else. Delete the file to start
anew. Nothing is kept of solved notebooks, under nbgrader, or outside of IPython. The environment variable
``COURSE_PROGRESS`` names another file, or is "off". Where the file can't be written, the kernel keeps it until it
stops.
"""

import json
import os
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

from grader.course.chapters import Course, load_course

NAME = ".progress.json"
SWITCH = "COURSE_PROGRESS"
OFFER_AFTER = 3  # failed checks of one exercise, until the report says where a solution is


def _folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # the folder was deleted
        return None


_FOLDER = _folder()  # at the first import, before a cell goes elsewhere
_kept: dict = {}  # what could not be written


@dataclass(frozen=True)
class Record:
    """Of one exercise: whether it was ever passed, its best points, how many checks it had, and how many of them
    failed since the last pass."""

    passed: bool = False
    points: float = 0
    checks: int = 0
    failed: int = 0

    def after(self, verdict: str, points: float) -> "Record":
        """The record after one more check."""
        now = verdict == "passed"
        return Record(self.passed or now, max(self.points, points), self.checks + 1, 0 if now else self.failed + 1)


def place() -> Path | None:
    """The file; None where nothing is kept."""
    told = os.environ.get(SWITCH)
    if told:
        return None if told == "off" else Path(told)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or _FOLDER is None or _FOLDER.name == "solutions" or os.environ.get("NBGRADER_EXECUTION"):
        return None
    return _FOLDER / NAME


def note(exercise_id: str, verdict: str, points: float) -> int:
    """Write a check down. Out: how many checks of the exercise failed since the last pass. Never raises.

    Only a verdict of "passed" or "failed" counts.
    """
    path = place()
    if path is None or verdict not in ("passed", "failed"):
        return 0
    records = _read(path)
    records[exercise_id] = records.get(exercise_id, Record()).after(verdict, points)
    _write(path, records)
    return records[exercise_id].failed


def _read(path: Path) -> dict[str, Record]:
    """What is known; a file that is missing, damaged or another's counts as empty."""
    if path in _kept:
        return dict(_kept[path])
    try:
        data = json.loads(path.read_text(encoding="utf-8"))["exercises"]
        return {
            str(name): Record(**{key: _fit(key, value) for key, value in one.items()}) for name, one in data.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _fit(key: str, value):
    kinds = {"passed": bool, "points": (int, float), "checks": int, "failed": int}
    if not isinstance(value, kinds[key]):
        raise TypeError(key)
    return value


def _write(path: Path, records: dict[str, Record]) -> None:
    data = {"version": 1, "exercises": {name: vars(record) for name, record in records.items()}}
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        os.replace(draft, path)
        _kept.pop(path, None)
    except OSError:  # a folder that can't be written to must not be in the way
        _kept[path] = records


class Progress:
    """The course's chapters with what was passed. A notebook shows a table, everything else text."""

    def __init__(self, course: Course, records: dict[str, Record], where: str):
        self.records, self.where = records, where
        self.rows = [(chapter, *_sum(chapter.exercise, records)) for chapter in course.chapter]

    @property
    def passed(self) -> int:
        """How many exercises were passed."""
        return sum(done for _, done, _ in self.rows)

    def __repr__(self) -> str:
        width = max(len(chapter.title) for chapter, _, _ in self.rows)
        lines = [
            f"{chapter.n:>2}  {chapter.title:<{width}}  {done} of {len(chapter.exercise)}, {points:g} points"
            for chapter, done, points in self.rows
        ]
        return "\n".join([self._headline(), *lines, self.where])

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        rows = "".join(
            f'<tr><td>{chapter.n}</td><th scope="row" {left}>{escape(chapter.title)}</th>'
            f"<td>{_bar(done, len(chapter.exercise))}</td><td {left}>{done} of {len(chapter.exercise)}</td>"
            f"<td>{points:g}</td></tr>"
            for chapter, done, points in self.rows
        )
        heads = "".join(f'<th scope="col" {left}>{head}</th>' for head in ("#", "Chapter", "Share", "Passed", "Points"))
        return (
            f"<table><caption {left}>{escape(self._headline())}</caption><thead><tr>{heads}</tr></thead>"
            f"<tbody>{rows}</tbody></table><p>{escape(self.where)}</p>"
        )

    def _headline(self) -> str:
        points = sum(points for _, _, points in self.rows)
        return f"{self.passed} of {sum(len(c.exercise) for c, _, _ in self.rows)} exercises passed, {points:g} points"


def progress() -> Progress:
    """How far you are. Out: the table; it says where it is kept."""
    path = place()
    if path is None:
        return Progress(load_course(), {}, "Nothing is kept here. In your own notebooks, check keeps count.")
    records = _read(path)
    if path in _kept:
        where = "This folder can't be written to, so it is kept until the kernel stops."
    else:
        where = f"Kept in {path.name}, in the folder of this notebook. Delete the file to start anew."
    return Progress(load_course(), records, where)


def _sum(exercises, records: dict[str, Record]) -> tuple[int, float]:
    known = [records[exercise.id] for exercise in exercises if exercise.id in records]
    return sum(record.passed for record in known), sum(record.points for record in known)


def _bar(done: int, of: int) -> str:
    return f'<progress value="{done}" max="{max(of, 1)}" style="width:6em" title="{done} of {of} passed">{done} of {of}</progress>'
