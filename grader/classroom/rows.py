"""One row of the gradebook a learner: which attempt counts, what it earned, what the teacher should know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.classroom.assignment import Assignment, Sheet
from grader.classroom.attempts import Roll
from grader.classroom.grade import EMPTY, FAULT, UNREADABLE
from grader.classroom.learners import Owner
from grader.classroom.store import Store, file_name


@dataclass
class Row:
    """``kept``: for each sheet, the attempt that counts (as stored), where there is one. ``waits``: an attempt is not
    graded yet.
    """

    owner: Owner
    points: float = 0.0
    max_points: float = 0.0
    verdict: str = "nothing handed in"
    kept: dict[str, dict] = field(default_factory=dict)
    attempts: int = 0
    late: bool = False
    notes: list[str] = field(default_factory=list)
    faulty: bool = False

    @property
    def page(self) -> str:
        """The learner's page, as seen from the folder of the results; empty where there is none."""
        return f"learners/{file_name(self.owner.learner)}.html" if self.kept else ""

    @property
    def outcome(self) -> str:
        """How the code ended: the first word that is not "finished"."""
        words = [one["outcome"] for one in self.kept.values() if one["outcome"]]
        return next((word for word in words if word != "finished"), words[0] if words else "")


def rows(store: Store, roll: Roll, assignment: Assignment) -> Iterator[Row]:
    """The rows, in the order of the roll; one learner's file is read at a time."""
    for owner in roll.owners:
        yield _row(store, roll, assignment, owner)


def _row(store: Store, roll: Roll, assignment: Assignment, owner: Owner) -> Row:
    stored = {one["key"]: one for one in store.read(owner.learner).get("attempts", [])}
    row = Row(owner, max_points=assignment.max_points)
    for sheet in assignment.sheets:
        mine = [attempt for attempt in roll.attempts.get(owner.learner, []) if attempt.sheet == sheet]
        row.attempts += len(mine)
        graded = [stored[attempt.key] for attempt in mine if attempt.key in stored]
        if len(graded) < len(mine):
            row.notes.append("not graded yet")
            row.faulty = True
        if graded:
            row.kept[sheet.label] = chosen(graded, assignment.keep)
    _sum_up(row, roll, assignment)
    return row


def chosen(graded: list[dict], keep: str) -> dict:
    """The attempt that counts: the last, or the best (of equals the earliest). One that the grader failed on counts
    last of all.
    """
    sound = [one for one in graded if one["state"] != FAULT] or graded
    if keep == "last":
        return sound[-1]
    return max(sound, key=lambda one: one["report"]["points"])


def _sum_up(row: Row, roll: Roll, assignment: Assignment) -> None:
    reports = [one["report"] for one in row.kept.values()]
    row.points = round(sum(report["points"] for report in reports), 2)
    row.late = any(one["late"] for one in row.kept.values())
    if reports:
        row.verdict = _verdict([report["verdict"] for report in reports], len(assignment.sheets))
    elif row.owner.learner in roll.left_out:
        row.verdict = "nothing to grade"
    for label, one in row.kept.items():
        place = f"{label}: " if len(assignment.sheets) > 1 else ""
        row.notes += [place + note for note in _notes(row, roll, one)]
        row.faulty = row.faulty or one["state"] == FAULT
    row.notes += [f"left out {why}" for why in roll.left_out.get(row.owner.learner, [])]


def _verdict(verdicts: list[str], wanted: int) -> str:
    if all(verdict == verdicts[0] for verdict in verdicts) and (len(verdicts) == wanted or verdicts[0] != "passed"):
        return verdicts[0]
    return "failed"


def _notes(row: Row, roll: Roll, one: dict) -> Iterator[str]:
    if one["state"] == EMPTY:
        yield "empty"
    elif one["state"] in (UNREADABLE, FAULT):
        yield one["report"]["message"]
    elif one["content"] in roll.handed_out:
        yield "as it was handed out"
    elif one["report"]["verdict"] == "error":
        yield one["report"]["message"]
    for exercise in one["report"]["exercises"]:
        if exercise["verdict"] == "failed" and not exercise["violations"]:  # its cell failed: nothing was played
            yield f"{exercise['id']}: {exercise['message']}"
    if twins := roll.same_as(one["content"], row.owner.learner):
        more = f" and {len(twins) - 5} more" if len(twins) > 5 else ""
        yield f"same code as {', '.join(twins[:5])}{more}"


def columns(assignment: Assignment) -> list[tuple[str, Sheet, str]]:
    """The gradebook's columns of exercises: (heading, sheet, exercise id)."""
    several = len(assignment.sheets) > 1
    found = []
    for sheet in assignment.sheets:
        ids = [exercise.id for exercise in sheet.exercises] + (["fuzz"] if sheet.fuzz and sheet.levels else [])
        found += [(f"{sheet.label}/{one}" if several else one, sheet, one) for one in ids]
    return found
