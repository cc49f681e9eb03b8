"""The ``class`` command: from options to a class run, with a progress bar."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from grader.classroom.archives import BadArchive
from grader.classroom.assignment import Assignment, Exercise, Sheet
from grader.classroom.cluster import ClusterUnavailable
from grader.classroom.run import NothingToGrade, Outcome, run_class
from grader.classroom.sandbox import SandboxUnavailable
from grader.classroom.store import OtherResults, ResultsInUse
from grader.course.chapters import Chapter, load_course
from grader.judging.contract import LEVELS
from grader.judging.grade import LevelExercise

_QUIET_S = 5.0
_REASONS = (NothingToGrade, ResultsInUse, OtherResults, SandboxUnavailable, ClusterUnavailable, BadArchive)


class CannotGrade(Exception):
    """The run can't begin or go on. The text is one line: what, where, what to do."""


class NoSuchChapter(CannotGrade):
    """The course has no such chapter. The text is one line."""


def assignment_for(*, chapter: int | None, level: str | None, function: str, fuzz: int, keep: str) -> Assignment:
    """What is graded: a chapter, the contract up to a level, or (with neither) each file by the chapter that its name
    tells.

    Raises NoSuchChapter.
    """
    if level is not None:
        names = list(LEVELS)[: list(LEVELS).index(level) + 1]
        exercises = tuple(_of_level(LevelExercise(name)) for name in names)
        sheet = Sheet(level, exercises, function=function, fuzz=fuzz)
        return Assignment(f"The contract, level {level}", (sheet,), keep)
    course, found = load_course(), wanted_chapter(chapter)
    if found is None:
        return Assignment("All chapters", tuple(_sheet(one, (), function, fuzz) for one in course.chapter), keep)
    before = tuple(one for one in course.chapter if one.n < found.n)
    return Assignment(f"Chapter {chapter}: {found.title}", (_sheet(found, before, function, fuzz),), keep)


def wanted_chapter(number: int | None) -> Chapter | None:
    """The chapter of this number; None for None. Raises NoSuchChapter."""
    chapters = load_course().chapter
    found = next((one for one in chapters if one.n == number), None)
    if number is not None and found is None:
        raise NoSuchChapter(f"There is no chapter {number}. The course has {len(chapters)}.")
    return found


def _sheet(chapter: Chapter, before: tuple[Chapter, ...], function: str, fuzz: int) -> Sheet:
    """A chapter's exercises; with ``before`` also the loop of the chapters before it, as `check --chapter` has it."""
    own = [_of_course(one, chapter.n) for one in chapter.exercise]
    earlier = [_of_course(one, other.n) for other in before for one in other.exercise]
    loops = [one for one in earlier if one.is_the_loop]
    return Sheet(str(chapter.n), (*loops, *own), chapter.stem, function, fuzz)


def _of_course(exercise, chapter: int) -> Exercise:
    return Exercise(**exercise.model_dump(), chapter=chapter)


def _of_level(exercise: LevelExercise) -> Exercise:
    return Exercise(exercise.id, exercise.kind, exercise.name, exercise.title, exercise.points, exercise.level)


def grade_class(folder: Path, results: Path, assignment: Assignment, **options) -> Outcome:
    """Run the class and show how far it is. Raises CannotGrade."""
    watch = _Bar() if sys.stderr.isatty() else _Lines()
    try:
        with watch:
            return run_class(folder, results, assignment, watch=watch, **options)
    except (*_REASONS, OSError) as error:
        raise CannotGrade(told(error)) from None


def told(error: Exception) -> str:
    """An error in words; for one of the system's, without its number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."


class _Bar:
    """A progress bar with rate and time left, on a terminal."""

    def __enter__(self):
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task = self._progress.add_task("reading", total=None, rate="")
        self._progress.start()
        self._rate = _Rate()
        return self

    def __exit__(self, *exception) -> None:
        self._progress.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        rate = self._rate(what, done)
        self._progress.update(
            self._task, description=what, completed=done, total=total or None, rate=f"{rate:.1f}/s" if rate else ""
        )


class _Lines:
    """The same where nobody watches a terminal: a line now and then."""

    def __enter__(self):
        self._said, self._rate = 0.0, _Rate()
        return self

    def __exit__(self, *exception) -> None:
        pass

    def __call__(self, what: str, done: int, total: int) -> None:
        rate, now = self._rate(what, done), time.monotonic()
        if what == "waiting for workers":
            print("The scheduler has no workers yet. Grading begins when one comes.", file=sys.stderr, flush=True)
        if what == "grading" and (now - self._said > _QUIET_S or done == total):
            self._said = now
            left = f", {(total - done) / rate:.0f} s left" if rate and done < total else ""
            speed = f" ({rate:.1f}/s{left})" if rate else ""
            print(f"graded {done} of {total}{speed}", file=sys.stderr, flush=True)


class _Rate:
    """Attempts a second, since the first one was graded."""

    def __init__(self):
        self._first: tuple[float, int] | None = None

    def __call__(self, what: str, done: int) -> float:
        if what != "grading":  # the start takes seconds, and says nothing about the rest
            return 0.0
        now = time.monotonic()
        if self._first is None:
            self._first = now, done
        began, at_first = self._first
        return (done - at_first) / (now - began) if now > began and done > at_first else 0.0
