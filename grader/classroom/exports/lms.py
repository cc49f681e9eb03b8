"""The points of a class run as the CSV that Canvas or Moodle imports.

Facts: Canvas wants the columns Student, ID, SIS User ID, SIS Login ID, Section and one for the assignment, and a row
"Points Possible"
(canvas-lms, lib/gradebook_importer.rb). Moodle's grading worksheet wants "Identifier" ("Participant 12"), "Grade" and
"Last modified
(grade)" (moodle, mod/assign/feedback/offline/importgradeslib.php).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

from grader.classroom.gradebook import line, number, on_one_line
from grader.classroom.store import write

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_CANVAS_KEYS = ("ID", "SIS Login ID", "SIS User ID", "Student")
_MOODLE = ["Identifier", "Full name", "Grade", "Last modified (grade)"]
_MOODLE_KEYS = ("Identifier", "Username", "Email address", "ID number", "Full name")


class ExportError(Exception):
    """The CSV cannot be made. The text says what is missing."""


def write_csv(results: Path, out: Path, *, lms: str, assignment: str, roster: Path | None = None) -> list[str]:
    """Write the CSV. ``roster``: the system's own export, whose rows are kept and filled in.

    Out: lines about learners without a row or without points. Raises ExportError.
    """
    people = list(_people(results))
    told = [f"{one['name']}: no points; grade again first." for one in people if one["points"] is None]
    if roster is not None:
        lines, missed = _filled(roster, people, lms, assignment)
        told += missed
    else:
        lines = list(_canvas(people, assignment) if lms == "canvas" else _moodle(people))
    write(out, b"".join(lines))
    return [on_one_line(text) for text in told]


def _people(results: Path) -> Iterator[dict]:
    try:
        with open(results / "points.jsonl", encoding="utf-8") as file:
            yield from map(json.loads, file)
    except OSError:
        raise ExportError(f"{results} holds no results of a finished class run.") from None


def _points(one: dict) -> str:
    return "" if one["points"] is None else number(one["points"])


def _known(people: list[dict], lms: str) -> list[dict]:
    """Those whom the system knows by a number; without such a number a row would reach nobody."""
    found = [one for one in people if one["lms"] == lms]
    if not found:
        raise ExportError(
            f"The submissions were not a download of {lms.capitalize()}, so its numbers are not known. "
            "Give its own CSV as --roster."
        )
    return found


def _canvas(people: list[dict], assignment: str) -> Iterator[bytes]:
    known = _known(people, "canvas")
    yield line([*_CANVAS, assignment])
    yield line(["    Points Possible", "", "", "", "", number(known[0]["max_points"])])
    for one in known:
        yield line([one["name"], one["lms_id"], "", "", "", _points(one)])


def _moodle(people: list[dict]) -> Iterator[bytes]:
    yield line(_MOODLE)
    for one in _known(people, "moodle"):
        yield line([f"Participant {one['lms_id']}", one["name"], _points(one), ""])


def _filled(roster: Path, people: list[dict], lms: str, assignment: str) -> tuple[list[bytes], list[str]]:
    rows = _rows(roster)
    header = rows[0]
    column = _column(header, assignment if lms == "canvas" else "Grade")
    wanted = _CANVAS_KEYS if lms == "canvas" else _MOODLE_KEYS
    keys = [header.index(key) for key in wanted if key in header]
    if not keys:
        raise ExportError(
            f"{roster} has none of the columns {', '.join(wanted)}. It has to be {lms.capitalize()}'s own CSV, "
            "with commas between the columns; a spreadsheet may have saved it with others."
        )
    by_name = _by_name(people)
    reached = set()
    for row in rows[1:]:
        row += [""] * (len(header) - len(row))
        found = next((by_name[name] for key in keys if (name := _name(row[key])) in by_name), None)
        if found is not None:
            reached.add(found["learner"])
            if found["points"] is not None:
                row[column] = number(found["points"])
    missed = [f"{one['name']}: no row in {roster.name}." for one in people if one["learner"] not in reached]
    return [_as_it_is(row) for row in rows], missed


def _rows(roster: Path) -> list[list[str]]:
    try:
        rows = list(csv.reader(io.StringIO(roster.read_text(encoding="utf-8-sig"))))
    except UnicodeDecodeError:
        raise ExportError(f"{roster} is not UTF-8 text. Export it again, or save it as CSV UTF-8.") from None
    except (OSError, csv.Error) as error:
        raise ExportError(f"{roster} cannot be read: {error}.") from None
    if not rows:
        raise ExportError(f"{roster} is empty.")
    return rows


def _column(header: list[str], wanted: str) -> int:
    """Where the points go: a column of that name, also with Canvas's number behind it; a new one at the end where
    there is none.
    """
    for i, heading in enumerate(header):
        if heading == wanted or heading.startswith(f"{wanted} ("):
            return i
    header.append(wanted)
    return len(header) - 1


def _by_name(people: list[dict]) -> dict[str, dict]:
    """All by which a learner may be known. A name that two share reaches neither."""
    found: dict[str, dict | None] = {}
    for one in people:
        for name in {_name(one["lms_id"]), _name(one["learner"]), _name(one["name"])} - {""}:
            found[name] = None if name in found else one
    return {name: one for name, one in found.items() if one is not None}


def _name(text: str) -> str:
    return " ".join(text.casefold().replace("participant ", "").split())


def _as_it_is(row: list[str]) -> bytes:
    """A row of the system's own, unchanged but for the points."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(row)
    return out.getvalue().encode("utf-8")
