"""gradebook.csv: one line a learner. The same submissions and options give the same bytes; there are no times in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from grader.classroom.assignment import Assignment
from grader.classroom.rows import Row, columns

_FIXED = ("learner", "name", "points", "max_points", "verdict")
_BEHIND = ("outcome", "file", "attempts", "late", "page", "notes")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def lines(rows: Iterable[Row], assignment: Assignment) -> Iterator[bytes]:
    """The file, line by line, the heading first."""
    exercises = columns(assignment)
    yield line([*_FIXED, *(heading for heading, _, _ in exercises), *_BEHIND])
    for row in rows:
        points = [_points(row, sheet.label, exercise) for _, sheet, exercise in exercises]
        total = "" if row.faulty else number(row.points)  # a fault of the grader's is no zero
        files = "; ".join(one["place"] for one in row.kept.values())
        about = [row.outcome, files, str(row.attempts), "late" if row.late else "", row.page, "; ".join(row.notes)]
        yield line([row.owner.learner, row.owner.name, total, number(row.max_points), row.verdict, *points, *about])


def _points(row: Row, label: str, exercise: str) -> str:
    one = row.kept.get(label)
    if one is None or one["state"] == "fault":
        return ""
    return next((number(found["points"]) for found in one["report"]["exercises"] if found["id"] == exercise), "0")


def line(cells: Iterable[str]) -> bytes:
    """One line of CSV. What a spreadsheet would run as a formula gets an apostrophe; line breaks become spaces."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([safe(cell) for cell in cells])
    return out.getvalue().encode("utf-8", "backslashreplace")


def safe(cell: str) -> str:
    """A cell's text without what a spreadsheet would take for a command."""
    return on_one_line(f"'{cell}" if cell.startswith(_FORMULA) else cell)


def on_one_line(text: str) -> str:
    """A text of strangers with a space for each sign that breaks the line or that a terminal obeys."""
    return "".join(" " if ord(sign) < 32 or 127 <= ord(sign) < 160 or sign in "\u2028\u2029" else sign for sign in text)


def number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.2f}".rstrip("0")
