"""Play a scenario to a loop: run the learner's function against the player, and hand back what was seen."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, Literal

from grader.replay.bounded import call_bounded, settled
from grader.replay.in_process import EndlessLoop, async_client, client
from grader.replay.outcome import claim_of
from grader.replay.player import Player
from grader.replay.scenario import Scenario, load_scenario
from grader.replay.transcript import Claim, Transcript

Door = Literal["in_process", "loopback"]


def play(
    scenario: Scenario | str | Path,
    function: Callable,
    *,
    seed: int,
    limits: dict | None = None,
    door: Door = "in_process",
    deadline_s: float = 20.0,
) -> Transcript:
    """Run a loop on a scenario and return the transcript.

    ``function`` is called as ``function(client, task, tools, functions, **limits)``, in a thread of its own, with an
    ``anthropic.Anthropic``, or an ``AsyncAnthropic`` if it is ``async def``. ``limits`` are the scenario's unless
    given. ``deadline_s`` is in real seconds, for each run. Where the scenario has more than one run, the further ones
    are in ``later``, with the seeds that follow. Whatever the function does ends in the transcript. Raises
    ScenarioError for a scenario that cannot be used.
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    coroutines = is_async(function)
    players = [Player(scenario, seed + number, limits, coroutines=coroutines) for number in range(scenario.runs)]
    first, *later = [_play_once(player, function, door, deadline_s) for player in players]
    first.later = later
    return first


def _play_once(player: Player, function: Callable, door: Door, deadline_s: float) -> Transcript:
    player.clock.namespaces += _namespaces(function)
    with _DOORS[door](player, is_async(function)) as own_client:
        run = functools.partial(_run, player, function, own_client)
        outcome = call_bounded(run, deadline_s, before_stop=player.finish)
    player.clock.leave()  # for a thread that could not be stopped: time at least is real again
    transcript = player.transcript
    transcript.claim, transcript.crash = outcome.value, outcome.error
    transcript.timed_out = outcome.value is None and outcome.error is None
    return transcript


def _run(player: Player, function: Callable, own_client: Any) -> Claim | None:
    """What the function claims; None if it had to be stopped. Raises what the function raises."""
    try:
        with player.clock:
            result = function(own_client, player.task, player.tools, player.functions(), **player.transcript.limits)
            if inspect.isawaitable(result):
                result = settled(_awaited(result, player, own_client))
            return claim_of(result)
    except EndlessLoop:
        return None
    finally:
        player.finish()


async def _awaited(result: Awaitable, player: Player, own_client: Any) -> Any:
    try:
        return await result
    finally:
        player.finish()  # or a tool that hangs in a thread of the event loop would keep the loop from closing
        if inspect.iscoroutinefunction(own_client.close):
            await own_client.close()


def is_async(function: Any) -> bool:
    """Whether the function is ``async def``, also behind ``partial``, a decorator or a ``__call__``. Never raises."""
    return any(inspect.iscoroutinefunction(one) for one in _layers(function))


def _namespaces(function: Any) -> list[dict]:
    return [one.__globals__ for one in _layers(function)]


def _layers(function: Any) -> list[FunctionType]:
    """The Python functions that a call of ``function`` goes through. Other objects are judged by their type alone."""
    layers: list[FunctionType] = []
    while function is not None and len(layers) < 20:
        if type(function) is functools.partial:
            function = function.func
        elif type(function) is MethodType:
            function = function.__func__
        elif type(function) is FunctionType:
            layers.append(function)
            function = vars(function).get("__wrapped__")
        else:
            method = getattr(type(function), "__call__", None)  # noqa: B004  (it is looked at, not asked for)
            function = method if type(method) is FunctionType else None
    return layers


@contextmanager
def _in_process(player: Player, wants_async: bool):
    yield async_client(player) if wants_async else client(player)


@contextmanager
def _loopback(player: Player, wants_async: bool):
    from grader.replay.loopback import Loopback

    with Loopback(player) as door:
        if wants_async:
            yield door.async_client()  # closed in its own event loop, at the run's end
        else:
            with door.client() as own_client:
                yield own_client


_DOORS = {"in_process": _in_process, "loopback": _loopback}
