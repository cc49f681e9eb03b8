"""Grades one submission: its code runs in the sandbox, the judge works here. In: plain data. Out: plain data."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from grader.classroom.assignment import Exercise, Sheet
from grader.classroom.notes import about
from grader.classroom.remote import Names, Remote, SandboxFault, play
from grader.classroom.sandbox import MEANINGS, Sandbox, Session, Submission, UnreadableSubmission, parse_submission
from grader.classroom.sandbox.outcome import CRASHED, FINISHED
from grader.judging.exercises import grade_exercise
from grader.judging.exercises.loop import play_all, scenarios_of
from grader.judging.report import ExerciseReport, Report, error_report, whole_report

_TRIES = 2
_MOST_TEXT, _MOST_FINDINGS = 4000, 200  # in a report: a stranger's names may be megabytes, and his list all wrong
_FINDINGS = ("violations", "follows", "notes")
GRADED, UNREADABLE, EMPTY, FAULT = "graded", "unreadable", "empty", "fault"


@dataclass(frozen=True)
class Task:
    """One file to grade. ``file``: its name, which says whether it is a notebook."""

    file: str
    data: bytes
    sheet: Sheet
    seed: int


def grade(sandbox: Sandbox, task: Task) -> dict:
    """Grade one file.

    Out: ``state`` ("graded", "unreadable", "empty", or "fault" when the grader itself failed), ``outcome`` (how the
    code ended, see
    ``sandbox.MEANINGS``), ``report``, ``output`` (what it printed) and ``cpu_s``. Raises nothing for what the file
    holds.
    """
    if not task.data.strip():
        return _ungraded(EMPTY, "The file is empty.", task.sheet)
    try:
        submission = parse_submission(task.file, task.data, sandbox.limits)
    except UnreadableSubmission as error:
        return _ungraded(UNREADABLE, str(error), task.sheet)
    if submission.is_empty:
        return _ungraded(EMPTY, "There is no code in the file.", task.sheet)
    said = ""
    for _ in range(_TRIES):
        try:
            return _graded(sandbox, submission, task)
        except Exception as error:  # ours: it must not look like the learner's, and not stop the class
            said = f"{type(error).__name__}: {error}"
    return fault(f"{MEANINGS['grader_fault']} ({said})"[:500], task.sheet)


def fault(message: str, sheet: Sheet) -> dict:
    """The result for a file that the grader itself failed on: no points, and no zero either; it is graded again."""
    return _ungraded(FAULT, message, sheet, "grader_fault")


def _ungraded(state: str, message: str, sheet: Sheet, outcome: str = "") -> dict:
    report = error_report(message, sheet.max_points)
    return {"state": state, "outcome": outcome, "report": _plain(report), "output": "", "cpu_s": 0.0}


def _graded(sandbox: Sandbox, submission: Submission, task: Task) -> dict:
    with sandbox.open(submission) as session:
        session.load_only()
        result = session.result
        if result.loading.outcome == FINISHED:
            report = _report(session, task)
        elif result.loading.outcome == "grader_fault":
            raise SandboxFault(result.loading.detail)
        else:
            report = _not_loaded(task, result.loading)
    report = report.model_copy(update={"isolation": sandbox.isolation.name})
    outcome = _outcome(result)
    return {
        "state": GRADED,
        "outcome": outcome,
        "report": _plain(report),
        "output": result.output[:4000],
        "cpu_s": round(result.cpu_s, 3),
    }


def _plain(report: Report) -> dict:
    return _short(report.model_dump(mode="json"))


def _short(data: Any) -> Any:
    """The same data without what is more than a page can show."""
    if isinstance(data, str):
        return data if len(data) <= _MOST_TEXT else f"{data[:_MOST_TEXT]} […]"
    if isinstance(data, list):
        return [_short(item) for item in data]
    if isinstance(data, dict):
        return {key: _short(item[:_MOST_FINDINGS] if key in _FINDINGS else item) for key, item in data.items()}
    return data


def _report(session: Session, task: Task) -> Report:
    sheet, names = task.sheet, Names(session)
    values = {name: names.get(name, ...) for name in sheet.names}
    if all(value is ... for value in values.values()):
        return _nothing_there(session, task)
    reports = []
    for one in sheet.exercises:
        graded = _exercise(one, values[sheet.name_of(one)], sheet.levels, task.seed)
        reports.append(_with_note(graded, one, session, sheet))
    if sheet.fuzz and sheet.levels:
        reports.append(_fuzz(values[sheet.function], sheet.levels[-1], sheet.fuzz, task.seed))
    return whole_report(reports, task.seed)


def _exercise(exercise: Exercise, value: object, levels: list[str], seed: int) -> ExerciseReport:
    if exercise.kind != "loop":
        return grade_exercise(exercise, value, seed=seed)
    player = play if isinstance(value, Remote) else None
    if exercise.is_the_loop and len(levels) > 1 and exercise.id == exercise.level:
        # As `check` does: each level plays its own scenarios, by the rules up to the highest.
        return play_all(exercise, value, _scenarios(exercise.level), levels[-1], seed=seed, player=player)
    return play_all(exercise, value, _scenarios(*_up_to(exercise.level)), exercise.level, seed=seed, player=player)


@functools.cache
def _scenarios(*levels: str) -> list:
    """Read once for all submissions: a class is graded by the files as they were when it began."""
    return scenarios_of(levels)


def _up_to(level: str) -> list[str]:
    from grader.judging.contract import LEVELS

    return list(LEVELS)[: list(LEVELS).index(level) + 1]


def _fuzz(value: object, level: str, examples: int, seed: int) -> ExerciseReport:
    from grader.judging.fuzz import FuzzExercise, grade_fuzz

    return grade_fuzz(
        FuzzExercise(level, examples), value, seed=seed, player=play if isinstance(value, Remote) else None
    )


def _nothing_there(session: Session, task: Task) -> Report:
    """None of the names is defined: because of a cell that failed, or at all."""
    report = whole_report([_missing(one, session, task.sheet) for one in task.sheet.exercises], task.seed)
    names = ", ".join(task.sheet.names[:4]) + (", …" if len(task.sheet.names) > 4 else "")
    return report.model_copy(update={"message": f"None of these is defined in the file: {names}."})


def _missing(exercise: Exercise, session: Session, sheet: Sheet) -> ExerciseReport:
    return _with_note(grade_exercise(exercise, ..., seed=0), exercise, session, sheet)


def _with_note(report: ExerciseReport, exercise: Exercise, session: Session, sheet: Sheet) -> ExerciseReport:
    """Say which cell failed, where an exercise is missing because of it. Then it was attempted."""
    if report.verdict != "not_attempted" or report.message:
        return report
    said = about(session, sheet.name_of(exercise))
    return report.model_copy(update={"verdict": "failed", "message": said}) if said else report


def _not_loaded(task: Task, loading) -> Report:
    """The code ended while its cells ran, so there is nothing to judge."""
    said = f"{MEANINGS[loading.outcome]} This happened while the cells ran, before any function was called."
    reports = [
        ExerciseReport(id=one.id, title=one.title, verdict="error", points=0, max_points=one.points)
        for one in task.sheet.exercises
    ]
    return whole_report(reports, task.seed, f"{said} {loading.detail}".strip())


def _outcome(result) -> str:
    """One word for all its runs: how the cells ended, or the first run that did not end by itself."""
    if result.loading.outcome != FINISHED:
        return result.loading.outcome
    return next((job.outcome for job in result.jobs if job.outcome not in (FINISHED, CRASHED)), FINISHED)
