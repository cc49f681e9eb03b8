"""The ``check`` command: from a file to a report."""

from pathlib import Path

from grader.course.chapters import load_course
from grader.judging.exercises import grade_exercise
from grader.judging.exercises.fixtures import FixtureError
from grader.judging.exercises.loop import play_all, scenarios_of
from grader.judging.grade import LevelExercise, grade_loop, new_seed
from grader.judging.report import ExerciseReport, Report, error_report, whole_report
from grader.judging.submission import Submission, UnreadableSubmission, load_submission


def check_file(path: Path, *, chapter=None, exercise_id=None, level=None, function="run_agent", seed=None) -> Report:
    """Grade a file, either by the exercises of a chapter or by the contract up to a level.

    In: ``chapter`` (with ``exercise_id`` for one of its exercises) or ``level``; the loop's name in the file; a seed (default: a new one).
    Out: the report; what cannot be graded is a report with the verdict "error" and one line that says why.
    """
    seed = new_seed() if seed is None else seed
    try:
        exercises = [LevelExercise(level)] if level else _exercises(chapter, exercise_id)
        submission = load_submission(path)
        if level:
            return _contract(submission, level, function, seed)
        return _chapter(submission, exercises, function, seed)
    except (UnreadableSubmission, NoSuchExercise, FixtureError) as error:
        return error_report(str(error))


class NoSuchExercise(Exception):
    """The course has no such chapter or exercise. The text is one line."""


def _contract(submission: Submission, level: str, function: str, seed: int) -> Report:
    if not submission.defines(function):
        return error_report(submission.why_missing(function))
    return grade_loop(submission.names[function], level=level, seed=seed)


def _exercises(chapter: int, exercise_id: str | None) -> list:
    """The exercises to grade: those of the chapter, and the loop exercises of the chapters before it."""
    course = load_course()
    if not any(one.n == chapter for one in course.chapter):
        raise NoSuchExercise(f"There is no chapter {chapter}. The course has {len(course.chapter)}.")
    own = next(one for one in course.chapter if one.n == chapter).exercise
    before = [one for other in course.chapter if other.n < chapter for one in other.exercise if _is_the_loop(one)]
    found = [*before, *own]
    if exercise_id is not None:
        found = [one for one in found if one.id == exercise_id]
        if not found:
            known = ", ".join(one.id for one in [*before, *own])
            raise NoSuchExercise(f"There is no exercise {exercise_id!r} up to chapter {chapter}. There are: {known}.")
    return found


def _chapter(submission: Submission, exercises: list, function: str, seed: int) -> Report:
    present = [one for one in exercises if submission.defines(_name(one, function))]
    if not present and not submission.is_notebook:
        return error_report(submission.why_missing(_name(exercises[-1], function)))
    if not present and submission.failures:
        return error_report(submission.why_missing(_name(exercises[-1], function)))
    wanted = exercises if submission.is_notebook else present
    levels = [one.level for one in wanted if _is_the_loop(one)]
    return whole_report([_grade(submission, one, levels, function, seed) for one in wanted], seed)


def _grade(submission: Submission, exercise, levels: list[str], function: str, seed: int) -> ExerciseReport:
    value = submission.names.get(_name(exercise, function), ...)
    if len(levels) < 2 or not _is_the_loop(exercise):
        return grade_exercise(exercise, value, seed=seed)
    # One function is graded by all its levels at once: each level plays its own scenarios, by the rules up to the highest.
    return play_all(exercise, value, scenarios_of([exercise.level]), levels[-1], seed=seed)


def _is_the_loop(exercise) -> bool:
    """Whether an exercise is about ``run_agent`` itself, which grows from chapter to chapter; an async twin is not."""
    return exercise.kind == "loop" and exercise.name == "run_agent"


def _name(exercise, function: str) -> str:
    return function if _is_the_loop(exercise) else exercise.name
