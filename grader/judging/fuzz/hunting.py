"""Draw conversations, play each to a loop, judge it, and shrink the first that the loop fails on."""

from contextlib import suppress
from dataclasses import dataclass

from grader.judging.exercises.loop import play_and_judge
from grader.judging.fuzz.build import scenario_of
from grader.judging.fuzz.plan import Plan
from grader.judging.fuzz.shrink import shrink
from grader.judging.report import CheckReport
from grader.replay import Scenario

DEADLINE_S = 10.0
_MOST_SHRINKS = 500  # plays after the first failure; most conversations are as small as they get after 100
_MOST_SLOW = 3  # failures that cost seconds each: a loop that never returns, or that waits for a tool that hangs
_SLOW = ("L18", "G05")


@dataclass
class Found:
    """What came of a hunt. ``scenario``: the smallest conversation that the loop fails on; None when all hold.

    ``played``: conversations up to the first failure, or all. ``stub``: the function is still to be written.
    ``judgement``: of the smallest. ``unsteady``: the loop failed on it and held when it was played once more by itself.
    """

    played: int = 0
    scenario: Scenario | None = None
    judgement: object = None
    stub: bool = False
    unsteady: bool = False

    def check(self) -> CheckReport:
        """The smallest conversation as a failed check of a report."""
        about, judgement = {"name": self.scenario.name, "title": self.scenario.title}, self.judgement
        kept = {"violations": [judgement.root], "follows": judgement.follows, "notes": judgement.notes}
        return CheckReport(**about, verdict="failed", **kept)


class _Stop(BaseException):
    """Ends the drawing. Hypothesis takes every Exception for a failure that it should play again and shrink."""


class _Stub(BaseException):
    """The function is still to be written."""


def hunt(function, *, level: str, examples: int, seed: int, player=None) -> Found:
    """Play ``examples`` drawn conversations of ``level`` to ``function``.

    What is drawn follows from the seed alone (and from the version of Hypothesis). ``player``: plays one scenario, see
    ``play_all``. Raises nothing for what the function does.
    """
    court = _Court(function, level, seed, player)
    found = Found()
    try:
        failed = _first_failure(court, level, examples, seed, found)
    except _Stub:
        found.stub = True
        return found
    if failed is not None:
        smallest = shrink(failed, court.fails)
        found.scenario = scenario_of(smallest, seed)
        found.judgement = court.judgements[repr(smallest)]
        _confirm(found, court)
    return found


def _first_failure(court, level: str, examples: int, seed: int, found: Found) -> Plan | None:
    import hypothesis
    from hypothesis import HealthCheck, Phase, Verbosity

    from grader.judging.fuzz.draws import plans

    failed = []

    def try_one(plan):
        found.played += 1
        if court.fails(plan):
            failed.append(plan)
            raise _Stop

    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    with suppress(_Stop):
        hypothesis.seed(seed)(settings(hypothesis.given(plans(level))(try_one)))()
    return failed[0] if failed else None


def _confirm(found: Found, court) -> None:
    """See what a fresh process would make of the smallest: a loop that keeps state from earlier plays may need two
    runs to fail.
    """
    if _is_slow(found.judgement):
        return
    again = court.first_wrong(found.scenario)
    if again is not None and again.root.rule != "L23":
        return
    found.unsteady = again is None
    twice = found.scenario.model_copy(update={"runs": 2})
    if judgement := court.first_wrong(twice):
        found.scenario, found.judgement = twice, judgement


class _Court:
    """Plays plans to one loop and judges them; remembers what was wrong. Gives up where each further play would cost
    too much.
    """

    def __init__(self, function, level: str, seed: int, player):
        self._function, self._level, self._seed, self._player = function, level, seed, player
        self._left = self._patience = None
        self.judgements: dict[str, object] = {}

    def fails(self, plan: Plan) -> bool:
        """Whether the loop fails on the plan's conversation. Raises _Stub."""
        if self._left == 0 or self._patience == 0:
            return False
        judgement = self.first_wrong(scenario_of(plan, self._seed))
        if self._left is not None:
            self._left -= 1
        if judgement is None:
            return False
        if self._left is None:
            self._left, self._patience = _MOST_SHRINKS, _MOST_SLOW
        self._patience -= _is_slow(judgement)
        self.judgements[repr(plan)] = judgement
        return True

    def first_wrong(self, scenario: Scenario):
        """The first judgement with a root cause, or None. Raises _Stub."""
        own = {"seed": self._seed, "player": self._player, "deadline_s": DEADLINE_S}
        judgements = play_and_judge(scenario, self._function, self._level, **own)
        if all(judgement.not_attempted for judgement in judgements):
            raise _Stub
        return next((judgement for judgement in judgements if judgement.root), None)


def _is_slow(judgement) -> bool:
    return any(violation.rule in _SLOW for violation in [judgement.root, *judgement.follows])
