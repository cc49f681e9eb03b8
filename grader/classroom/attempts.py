"""From collected files to attempts: which file is graded by which sheet, with which seed, and whether that is done
already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.classroom.archives import BadArchive
from grader.classroom.assignment import Assignment, Sheet, digest, seed_for
from grader.classroom.collect import Collection, Handed
from grader.classroom.grade import Task
from grader.classroom.learners import Owner
from grader.classroom.sandbox import Limits, UnreadableSubmission, parse_submission
from grader.places import NOTEBOOKS

_CAP = Limits().source


@dataclass(frozen=True)
class Attempt:
    """One file of one learner, to be graded by one sheet.

    ``key``: a digest of all that its result depends on. ``content``: a digest of its code alone, without blank cells
    and white space at
    line ends; empty where there is no code.
    """

    handed: Handed
    sheet: Sheet
    seed: int
    key: str
    content: str

    @property
    def learner(self) -> str:
        return self.handed.owner.learner

    def task(self) -> Task:
        """Read the file. Raises OSError and BadArchive."""
        return Task(self.handed.file, self.handed.read(_CAP), self.sheet, self.seed)


@dataclass
class Roll:
    """The class: all learners in order, their attempts (the oldest first), and what was left out of each one's files.

    ``twins``: for the digest of a code, who handed in the same. ``nobody``: files that belong to no learner, and why
    they were left out.
    """

    owners: list[Owner] = field(default_factory=list)
    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    nobody: list[str] = field(default_factory=list)
    twins: dict[str, list[str]] = field(default_factory=dict)
    handed_out: dict[str, str] = field(default_factory=dict)

    @property
    def all_attempts(self) -> Iterator[Attempt]:
        for owner in self.owners:
            yield from self.attempts.get(owner.learner, [])

    def same_as(self, attempt_content: str, learner: str) -> list[str]:
        """Who else handed in the same code. What was handed out to all is no copy."""
        if not attempt_content or attempt_content in self.handed_out:
            return []
        return [other for other in self.twins.get(attempt_content, []) if other != learner]


def roll_of(collection: Collection, assignment: Assignment, fixed: str) -> Roll:
    """``fixed``: a digest of what decides all results: the grader, its fixtures, the options."""
    roll = Roll(owners=sorted(collection.owners.values(), key=lambda owner: (owner.learner.casefold(), owner.learner)))
    for learner, place, why in collection.left_out:
        if learner:
            roll.left_out.setdefault(learner, []).append(f"{place}: {why}")
        else:
            roll.nobody.append(f"{place}: {why}")
    files: dict[str, list[Handed]] = {}
    for handed in collection.files:
        files.setdefault(handed.owner.learner, []).append(handed)
    for learner, own in files.items():
        for sheet, chosen in _by_sheet(own, assignment, roll).items():
            _enrol(learner, sheet, chosen, assignment, fixed, roll)
    roll.handed_out = {_handed_out(sheet): sheet.label for sheet in assignment.sheets}
    return roll


def _by_sheet(own: list[Handed], assignment: Assignment, roll: Roll) -> dict[Sheet, list[Handed]]:
    found: dict[Sheet, list[Handed]] = {}
    for handed in own:
        sheet = assignment.sheet_for(handed.file)
        if sheet is None:
            roll.left_out.setdefault(handed.owner.learner, []).append(f"{handed.shown}: its name tells no chapter")
        else:
            found.setdefault(sheet, []).append(handed)
    return {sheet: _of_this_chapter(sheet, chosen) for sheet, chosen in found.items()}


def _of_this_chapter(sheet: Sheet, chosen: list[Handed]) -> list[Handed]:
    """Those that bear the chapter's name, where any does: a folder may hold the notebooks of all chapters."""
    named = [handed for handed in chosen if sheet.stem and sheet.matches(handed.file)]
    return named or chosen


def _enrol(learner: str, sheet: Sheet, files: list[Handed], assignment: Assignment, fixed: str, roll: Roll) -> None:
    seed = seed_for(assignment.seed, learner, sheet.label)
    read: list[tuple[Attempt, bool]] = []
    for handed in files:
        try:
            data = handed.read(_CAP)
        except (OSError, BadArchive) as error:
            roll.left_out.setdefault(learner, []).append(f"{handed.shown}: {getattr(error, 'strerror', None) or error}")
            continue
        key = digest(fixed, sheet.to_dict(), seed, handed.file, data)
        attempt = Attempt(handed, sheet, seed, key, content_of(handed.file, data))
        read.append((attempt, any(name.encode() in data for name in sheet.names)))
    # Helpers and scratch files lie beside the submission: they define none of the names.
    chosen = [attempt for attempt, speaks in read if speaks] or [attempt for attempt, _ in read]
    if assignment.keep == "last":
        chosen = chosen[-1:]
    roll.attempts.setdefault(learner, []).extend(chosen)
    for content in {attempt.content for attempt in chosen if attempt.content}:
        roll.twins.setdefault(content, []).append(learner)


def content_of(file: str, data: bytes) -> str:
    """A digest of a file's code; of its bytes where it cannot be read; empty where it holds no code."""
    try:
        submission = parse_submission(file, data)
    except UnreadableSubmission:
        return digest(data) if data.strip() else ""
    cells = ["\n".join(line.rstrip() for line in source.splitlines()).strip("\n") for _, source in submission.cells]
    code = [cell for cell in cells if cell]
    return digest(code) if code else ""


def _handed_out(sheet: Sheet) -> str:
    path = NOTEBOOKS / f"{sheet.stem}.ipynb"
    return content_of(path.name, path.read_bytes()) if sheet.stem and path.is_file() else "-"
