"""A loop: played against the scenarios of the contract, up to a level."""

import inspect

from grader.judging.contract import LEVELS
from grader.judging.judge import Judgement, judge
from grader.judging.report import CheckReport, ExerciseReport, exercise_report, share_of
from grader.judging.rules.values import finding

DEADLINE_S = 10.0


def grade_level(exercise, value, *, seed: int) -> ExerciseReport:
    """Play a loop against all scenarios up to the exercise's level."""
    names = list(LEVELS)[: list(LEVELS).index(exercise.level) + 1]
    return play_all(exercise, value, scenarios_of(names), exercise.level, seed=seed)


def scenarios_of(levels) -> list:
    """The scenarios that grade these levels, in the order of the levels."""
    from grader.replay import all_scenarios

    return [scenario for scenario in all_scenarios() if scenario.level in levels and not scenario.demo]


def play_all(
    exercise, function, scenarios, level: str, *, seed: int, player=None, stuck: bool = False
) -> ExerciseReport:
    """Play ``function`` against each scenario and judge it at ``level``.

    ``player``: plays one scenario and returns its transcript (default: ``grader.replay.play``, in this process). A loop that had to be
    stopped at the deadline is not played further: each more would cost as long. ``stuck``: that has been seen already.
    """
    if fault := unplayable(exercise, function, player):
        return exercise_report(exercise, [fault])
    if stuck:
        checks = [_not_played(scenario, "failed") for scenario in scenarios]
        return exercise_report(exercise, checks, message=_message_about(checks))
    checks: list[CheckReport] = []
    for i, scenario in enumerate(scenarios):
        judgements = play_and_judge(scenario, function, level, seed=seed, player=player)
        checks.append(_check(scenario, judgements))
        if checks[-1].verdict == "not_attempted" or any(never_returned(judgement) for judgement in judgements):
            checks += [_not_played(other, checks[-1].verdict) for other in scenarios[i + 1 :]]
            break
    own = [check for check, scenario in zip(checks, scenarios, strict=True) if scenario.level == level]
    before = [check for check, scenario in zip(checks, scenarios, strict=True) if scenario.level != level]
    return exercise_report(exercise, checks, message=_message_about(checks), share=_share(own, before))


def unplayable(exercise, function, player=None) -> CheckReport | None:
    """A check that says why ``function`` cannot be played at all, or None when it can. ``player``: see ``play_all``."""
    return _not_a_loop(exercise, function) or (_not_async(exercise, function) if player is None else None)


def _share(own: list[CheckReport], before: list[CheckReport]) -> float:
    """How much of the points a loop earned: the share of its own level, and no more than the share of the levels before it.

    Without this, the loop of the chapter before would earn most of the points of this one.
    """
    return min(share_of(part) for part in (own, before) if part)


def play_and_judge(
    scenario, function, level: str, *, seed: int, player=None, deadline_s: float | None = None
) -> list[Judgement]:
    """One judgement a play of the scenario (most have one). ``deadline_s``: real seconds for each play (default: ``DEADLINE_S``)."""
    from grader.replay import play

    limits = dict(scenario.limits) if LEVELS[level] >= LEVELS["gates"] else {}
    transcript = (player or play)(scenario, function, seed=seed, limits=limits, deadline_s=deadline_s or DEADLINE_S)
    plays = [transcript, *transcript.later]
    return [judge(one, scenario, level, play=number) for number, one in enumerate(plays, start=1)]


def is_stuck(report: ExerciseReport) -> bool:
    """Whether scenarios were left unplayed because the loop did not come back."""
    return any(check.verdict == "not_played" for check in report.checks)


def never_returned(judgement: Judgement) -> bool:
    """Whether the loop had to be stopped at the deadline."""
    return any(violation.rule == "L18" for violation in [judgement.root, *judgement.follows] if violation)


def _check(scenario, judgements: list[Judgement]) -> CheckReport:
    about = {"name": scenario.name, "title": scenario.title}
    if all(judgement.not_attempted for judgement in judgements):
        return CheckReport(**about, verdict="not_attempted")
    bad = next((judgement for judgement in judgements if judgement.root is not None), None)
    notes = [note for judgement in judgements for note in judgement.notes]
    if bad is None:
        return CheckReport(**about, verdict="passed", notes=notes)
    return CheckReport(**about, verdict="failed", violations=[bad.root], follows=bad.follows, notes=notes)


def _not_played(scenario, verdict: str) -> CheckReport:
    kept = "not_attempted" if verdict == "not_attempted" else "not_played"
    return CheckReport(name=scenario.name, title=scenario.title, verdict=kept)


def _message_about(checks: list[CheckReport]) -> str:
    unplayed = sum(check.verdict == "not_played" for check in checks)
    return f"{unplayed} more scenarios were not played, since the function did not come back." if unplayed else ""


def _not_a_loop(exercise, function) -> CheckReport | None:
    """A check that says why ``function`` cannot be played at all, or None when it can."""
    about = {"name": "signature", "title": exercise.title}
    if function is None or function is ...:
        return CheckReport(**about, verdict="not_attempted")
    if not callable(function):
        saw = f"{exercise.name} is a {type(function).__name__}, not a function."
        return CheckReport(
            **about, verdict="failed", violations=[finding("X02", exercise.name, saw, "Hand in the function itself.")]
        )
    try:
        inspect.signature(function).bind(None, "", [], {})
    except TypeError as error:
        help_ = f"Define it as {exercise.name}(client, task, tools, functions), with limits that have defaults behind these four."
        saw = f"{exercise.name} cannot be called with (client, task, tools, functions): {error}."
        return CheckReport(**about, verdict="failed", violations=[finding("X02", exercise.name, saw, help_)])
    except Exception:
        return (
            None  # a callable without a signature of its own, or one that fails when it is asked: playing it will tell
        )
    return None


def _not_async(exercise, function) -> CheckReport | None:
    """The same for an exercise whose loop has to be ``async def``. A stand-in for a function elsewhere can't be asked."""
    from grader.replay.play import is_async

    if not getattr(exercise, "coroutine", False) or is_async(function):
        return None
    saw = f"{exercise.name} is an ordinary function."
    help_ = (
        f"Define it with async def {exercise.name}(…). Then it is given an AsyncAnthropic, whose requests are awaited."
    )
    return CheckReport(
        name="signature", title=exercise.title, verdict="failed", violations=[finding("X02", exercise.name, saw, help_)]
    )
