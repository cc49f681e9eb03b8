"""Why a function or a variable is missing from a submission: the cell that should define it failed, and how."""

from __future__ import annotations

import re

from grader.classroom.sandbox import Sandbox, Session, Submission
from grader.classroom.sandbox.outcome import FINISHED

_SYNTAX = ("SyntaxError", "IndentationError", "TabError")
_PLACE = re.compile(r" \(<[^<>]*>, line \d+\)$")  # what Python adds to the message; the note says it already
_SKIPPED = (
    "Cells that play a scenario are skipped while the grader grades, and so is what rests on them. "
    "Write the value itself."
)
_UNKNOWN = re.compile(r"name '(\w+)' is not defined")


class Notes:
    """The failures of one submission, which is loaded. ``sandbox``: where a single cell can be run once more."""

    def __init__(self, sandbox: Sandbox, session: Session):
        self._sandbox, self._session = sandbox, session
        self._may_look = True

    def about(self, name: str) -> str:
        """One sentence on why ``name`` is not defined; empty where no failed cell speaks of it."""
        sources = dict(self._session.submission.cells)
        for note in self._session.result.notes:
            if name in sources.get(note["cell"], ""):
                return _told(note)
        return self._about_a_late_cell(name)

    def _about_a_late_cell(self, name: str) -> str:
        """The sandbox notes the first failures only. In a notebook these are its demonstrations, which can't run
        while the grader grades. So look at the cell that should define the name alone.
        """
        defines = re.compile(rf"^(?:(?:async\s+)?def|class)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]", re.M)
        cell = next((one for one in reversed(self._session.submission.cells) if defines.search(one[1])), None)
        note = self._alone(cell) if cell and self._may_look else None
        return _told(note) if note else ""

    def _alone(self, cell: tuple[str, str]) -> dict | None:
        """How a cell fails by itself, as far as that says how it failed behind the others."""
        submission = self._session.submission
        with self._sandbox.open(Submission(submission.name, (cell,))) as session:
            session.load_only()
            note = next(iter(session.result.notes), None)
            self._may_look = session.result.loading.outcome == FINISHED  # a cell that hangs alone costs one deadline
        if note is None or note["type"] in _SYNTAX:
            return note
        unknown = _UNKNOWN.match(note["message"]) if note["type"] == "NameError" else None
        if unknown and any(_sets(unknown[1], source) for label, source in submission.cells if label != cell[0]):
            return note | {"message": f"{note['message']}. {_SKIPPED}"}
        return note if unknown else None


def _sets(name: str, source: str) -> bool:
    word = re.escape(name)
    return re.search(rf"\b{word}\b\s*(?:,[^=\n]*)?=(?!=)|\b(?:def|class|import|as|for)\s+{word}\b", source) is not None


def _told(note: dict) -> str:
    cell = note["cell"]
    place = f"{cell[0].upper()}{cell[1:]} (text cells count, too)" if cell.startswith("cell ") else cell
    line = f", line {note['line']}" if note["line"] else ""
    message = _PLACE.sub("", note["message"])[:300]
    return f"{place}{line}, failed: {note['type']}: {message}"
