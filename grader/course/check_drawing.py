"""The timeline of a check: what the loop sent in the scenario that failed, with what is wrong at its place."""

from typing import Any

from grader.course.chapters import load_course
from grader.course.timeline import Timeline


def drawing_of(result: Any) -> Timeline | None:
    """The drawing of a ``CheckResult``; None where nothing failed, or where the exercise has no conversation to draw.

    A loop is played once more, in the first scenario that failed and with the seed of the report, so it sees the same
    ids and the same words again.
    """
    exercise = load_course().find(result.exercise)
    failed = _first_failed(result.report)
    if exercise is None or failed is None:
        return None
    if exercise.kind == "history":
        return Timeline(result.value, [*failed.violations, *failed.follows, *failed.notes])
    if exercise.kind == "loop" and callable(result.value):
        return _replayed(failed.name, result.value, exercise.level, result.report.seed)
    return None


def _first_failed(report: Any):
    checks = [check for exercise in report.exercises for check in exercise.checks] if report is not None else []
    return next((check for check in checks if check.verdict == "failed"), None)


def _replayed(name: str, function: Any, level: str, seed: int) -> Timeline | None:
    from grader.judging.exercises.loop import play_and_judge
    from grader.replay import ScenarioError, load_scenario, play

    plays = []

    def kept(*args, **kwargs):
        transcript = play(*args, **kwargs)
        plays.extend([transcript, *transcript.later])
        return transcript

    try:
        judgements = play_and_judge(load_scenario(name), function, level, seed=seed, player=kept)
    except ScenarioError:  # the failed check is none of a scenario: the function does not fit the contract
        return None
    for transcript, judged in zip(plays, judgements, strict=True):
        if judged.root is not None:
            return Timeline(transcript, [judged.root, *judged.follows, *judged.notes])
    return None
