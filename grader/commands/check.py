"""The ``check`` command: from a file to a report."""

from pathlib import Path

from grader.course.chapters import load_course
from grader.judging.contract import LEVELS
from grader.judging.exercises import grade_exercise
from grader.judging.exercises.fixtures import FixtureError
from grader.judging.exercises.loop import play_all
from grader.judging.fuzz import FuzzExercise, grade_fuzz
from grader.judging.grade import LevelExercise, grade_levels, grade_loop, new_seed
from grader.judging.report import ExerciseReport, Report, error_report, whole_report
from grader.judging.submission import Submission, UnreadableSubmission, load_submission
from grader.replay import ScenarioError, load_scenario


def check_file(
    path: Path, *, chapter=None, exercise_id=None, level=None, examples=None, function="run_agent", seed=None
) -> Report:
    """Grade a file, either by the exercises of a chapter or by the contract up to a level.

    In: ``chapter`` (with ``exercise_id`` for one of its exercises) or ``level``; how many drawn conversations are played after the public
    scenarios (default: none); the loop's name in the file; a seed (default: a new one).
    Out: the report; what cannot be graded is a report with the verdict "error" and one line that says why.
    """
    seed = new_seed() if seed is None else seed
    try:
        exercises = [LevelExercise(level)] if level else _exercises(chapter, exercise_id)
        submission = load_submission(path)
        report = (
            _contract(submission, level, function, seed) if level else _chapter(submission, exercises, function, seed)
        )
        if examples and report.verdict != "error":
            return _with_drawn(report, submission, level or _highest(exercises), examples, function, seed)
        return report
    except (UnreadableSubmission, NoSuchExercise, FixtureError) as error:
        return error_report(str(error))


def check_scenarios(path: Path, scenarios, *, level=None, function="run_agent", seed=None) -> Report:
    """Grade a file by these scenario files (or names of the course's) alone, at ``level`` (default: the highest of their own)."""
    seed = new_seed() if seed is None else seed
    try:
        loaded = [load_scenario(one) for one in scenarios]
        submission = load_submission(path)
    except (UnreadableSubmission, ScenarioError) as error:
        return error_report(str(error))
    if not submission.defines(function):
        return error_report(submission.why_missing(function))
    level = level or max((one.level for one in loaded), key=list(LEVELS).index)
    exercise = LevelExercise(level, name=function)
    report = play_all(exercise, submission.names[function], loaded, level, seed=seed)
    return whole_report(
        [report.model_copy(update={"id": "scenarios", "title": f"Scenarios by hand, level {level}"})], seed
    )


def _with_drawn(report: Report, submission: Submission, level: str, examples: int, function: str, seed: int) -> Report:
    drawn = grade_fuzz(FuzzExercise(level, examples, name=function), submission.names.get(function, ...), seed=seed)
    return whole_report([*report.exercises, drawn], seed)


def _highest(exercises: list) -> str:
    levels = [one.level for one in exercises if _is_the_loop(one)]
    if not levels:
        raise NoSuchExercise("There is no loop among these exercises to draw conversations for.")
    return max(levels, key=list(LEVELS).index)


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
    return whole_report(_reports(submission, wanted, function, seed), seed)


def _reports(submission: Submission, exercises: list, function: str, seed: int) -> list[ExerciseReport]:
    """One report an exercise, in their order. One function is graded by all levels of the ladder at once."""
    ladder = [one for one in exercises if _is_the_loop(one) and one.id == one.level]
    loop = submission.names.get(function, ...)
    done = {}
    if len(ladder) > 1:
        done = {report.id: report for report in grade_levels(ladder, loop, ladder[-1].level, seed=seed)}
    for exercise in exercises:
        if exercise.id not in done:  # all levels up to its own, also for a later chapter's loop
            value = submission.names.get(_name(exercise, function), ...)
            done[exercise.id] = grade_exercise(exercise, value, seed=seed)
    return [done[exercise.id] for exercise in exercises]


def _is_the_loop(exercise) -> bool:
    """Whether an exercise is about ``run_agent`` itself, which grows from chapter to chapter; an async twin is not."""
    return exercise.kind == "loop" and exercise.name == "run_agent"


def _name(exercise, function: str) -> str:
    return function if _is_the_loop(exercise) else exercise.name
