"""How a property is declared, and how it is tried: inputs are drawn, a failing one is shrunk to the smallest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.judging.exercises.wording import shown_value
from grader.judging.pieces import raised
from grader.judging.report import CheckReport
from grader.judging.rules.values import finding
from grader.replay.bounded import call_bounded

EXAMPLES = 60
DEADLINE_S = 5.0


@dataclass(frozen=True)
class Property:
    """``strategy()`` gives a hypothesis strategy of argument tuples; ``fault(arguments, result)`` says what is wrong, or None.

    ``call(function, arguments)`` calls the learner's function and gives what ``fault`` is to judge. What it returns may be awaited.
    """

    name: str
    title: str
    strategy: Callable[[], Any]
    fault: Callable[[tuple, Any], str | None]
    help: str
    call: Callable[[Callable, tuple], Any]


def _as_drawn(function: Callable, arguments: tuple) -> Any:
    return function(*arguments)


PROPERTIES: dict[str, Property] = {}


def holds(
    name: str, *, title: str, strategy: Callable[[], Any], help: str, call: Callable[[Callable, tuple], Any] = _as_drawn
):
    """Declare the decorated function as the ``fault`` of a property. ``help`` tells the learner what to do when it does not hold.

    ``call``: for a function that takes or does more than plain data can say; by default it is called with what was drawn.
    """

    def register(fault):
        if name in PROPERTIES:
            raise ValueError(f"the property {name} is declared twice")
        PROPERTIES[name] = Property(name, title, strategy, fault, help, call)
        return fault

    return register


def try_property(declared: Property, function_name: str, function: Callable, *, seed: int) -> CheckReport:
    """Try a property on a learner's function, with arguments drawn from ``seed``."""
    about = {"name": declared.name, "title": declared.title}
    found = counterexample(declared, function, seed=seed)
    if found is None:
        return CheckReport(**about, verdict="passed")
    arguments, saw = found
    where = f"{function_name}({', '.join(shown_value(argument) for argument in arguments)})"
    return CheckReport(**about, verdict="failed", violations=[finding("X02", where, saw, declared.help)])


def counterexample(declared: Property, function: Callable, *, seed: int) -> tuple[tuple, str] | None:
    """The smallest drawn arguments for which the property does not hold, and what was seen; None when it held each time."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis import seed as seeded

    failures: list[tuple[tuple, str]] = []

    @seeded(seed)
    @settings(
        max_examples=EXAMPLES, database=None, deadline=None, verbosity=Verbosity.quiet, print_blob=False,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(declared.strategy())
    def attempt(arguments):
        saw = _fault(declared, function, arguments)
        if saw is not None:
            failures.append((arguments, saw))
            raise AssertionError

    try:
        attempt()
    except Exception:  # hypothesis wraps what it found; the last failure is the smallest
        if not failures:
            raise
    return failures[-1] if failures else None


def _fault(declared: Property, function: Callable, arguments: tuple) -> str | None:
    import copy

    handed = copy.deepcopy(arguments)
    outcome = call_bounded(lambda: declared.call(function, handed), DEADLINE_S)
    if outcome.timed_out:
        return f"The function had not returned after {DEADLINE_S:g} seconds."
    if outcome.error is not None:
        return raised(outcome.error)
    if handed != arguments:
        return "The function changed the list that it was given. The caller goes on using it: work on a copy."
    return declared.fault(arguments, outcome.value)
