"""Why a function or a variable is missing from a submission: the cell that should define it failed, and how."""

from __future__ import annotations

import re

from grader.classroom.sandbox import Session

_PLACE = re.compile(r" \(<[^<>]*>, line \d+\)$")  # what Python adds to the message; the note says it already
_SKIPPED = (
    "Cells that play a scenario are skipped while the grader grades, and so is what rests on them. "
    "Write the value itself."
)
_UNKNOWN = re.compile(r"name '(\w+)' is not defined")


def about(session: Session, name: str) -> str:
    """One sentence on why ``name`` is not defined in a submission that was loaded; empty where no cell that failed sets
    it.
    """
    cells = session.submission.cells
    sources = dict(cells)
    note = next((one for one in session.result.notes if _sets(name, sources.get(one["cell"], ""))), None)
    if note is None:
        return ""
    unknown = _UNKNOWN.match(note["message"]) if note["type"] == "NameError" else None
    if unknown and any(_sets(unknown[1], source) for label, source in cells if label != note["cell"]):
        note = note | {"message": f"{note['message']}. {_SKIPPED}"}
    return _told(note)


def _sets(name: str, source: str) -> bool:
    word = re.escape(name)
    return re.search(rf"\b{word}\b\s*(?:,[^=\n]*)?=(?!=)|\b(?:def|class|import|as|for)\s+{word}\b", source) is not None


def _told(note: dict) -> str:
    cell = note["cell"]
    place = f"{cell[0].upper()}{cell[1:]} (text cells count, too)" if cell.startswith("cell ") else cell
    line = f", line {note['line']}" if note["line"] else ""
    message = _PLACE.sub("", note["message"])[:300]
    return f"{place}{line}, failed: {note['type']}: {message}"
