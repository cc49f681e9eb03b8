"""Play a scenario to a loop: run the learner's function against the player, whatever it does, and hand back what was seen."""

from __future__ import annotations

import asyncio
import ctypes
import functools
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal

from grader.replay import in_process
from grader.replay.outcome import claim_of, crash_of
from grader.replay.player import Player
from grader.replay.scenario import Scenario, load_scenario
from grader.replay.transcript import Claim, Crash, Transcript

_STOP_TRIES = 40
_STOP_PAUSE_S = 0.05

run_coroutine: Callable[[Any], Any] = asyncio.run  # a page in the browser, whose loop cannot block, puts its own here


class _Deadline(BaseException):
    """Raised inside the learner's thread when its time is up."""


def play(
    scenario: Scenario | str | Path,
    function: Callable,
    *,
    seed: int,
    limits: dict | None = None,
    door: Literal["in_process", "loopback"] = "in_process",
    deadline_s: float = 20.0,
) -> Transcript:
    """Run a loop on a scenario and return the transcript.

    ``function`` is called as ``function(client, task, tools, functions, **limits)``, in a thread of its own, with an
    ``anthropic.Anthropic``, or an ``AsyncAnthropic`` if it is ``async def``. ``limits`` are the scenario's unless given here.
    ``deadline_s`` is in real seconds, for each run. Where the scenario has more than one run, the further ones are in ``later``.
    Whatever the function does ends in the transcript. Raises ScenarioError for a scenario that cannot be used.
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    runs = [_play_once(scenario, function, seed + number, limits, door, deadline_s) for number in range(scenario.runs)]
    runs[0].later = runs[1:]
    return runs[0]


def _play_once(
    scenario: Scenario, function: Callable, seed: int, limits: dict | None, door: str, deadline_s: float
) -> Transcript:
    player = Player(scenario, seed, limits)
    player.clock.namespaces += _namespaces(function)
    with ExitStack() as stack:
        client = stack.enter_context(_DOORS[door](player, is_async(function)))
        stack.callback(player.finish)
        _Run(player, function, client).to_the_end(deadline_s)
    return player.transcript


class _Run:
    """One call of the learner's function, in a thread that can be stopped."""

    def __init__(self, player: Player, function: Callable, client: Any):
        self._player = player
        self._function = function
        self._client = client
        self._lock = threading.Lock()
        self._ended = False
        self._result: Claim | Crash | None = None

    def to_the_end(self, deadline_s: float) -> None:
        """Call the function, and write its claim, its crash or its missed deadline into the transcript."""
        if sys.platform == "emscripten":  # no threads in the browser; the player's cap on requests has to do
            self._call()
        else:
            thread = threading.Thread(target=self._work, name="loop", daemon=True)
            thread.start()
            try:
                thread.join(deadline_s)
            finally:  # also when the reader interrupts the cell
                self._stop(thread)
        self._write_down()

    def _write_down(self) -> None:
        transcript = self._player.transcript
        if isinstance(self._result, Claim):
            transcript.claim = self._result
        elif isinstance(self._result, Crash):
            transcript.crash = self._result
        else:
            transcript.timed_out = True

    def _work(self) -> None:
        try:
            self._call()
            with self._lock:
                self._ended = True
        except _Deadline:
            pass

    def _call(self) -> None:
        """Leaves ``_result`` None when the loop had to be stopped."""
        try:
            with self._player.clock:
                result = call(self._function, self._client, self._player)
                claim = claim_of(result)
            self._player.finish()
            self._result = claim
        except (_Deadline, in_process.EndlessLoop):
            pass
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
            self._player.finish()
            self._result = crash_of(error)

    def _stop(self, thread: threading.Thread) -> None:
        self._player.finish()
        for _ in range(_STOP_TRIES):
            with self._lock:
                if self._ended or not thread.is_alive():
                    return
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Deadline))
            thread.join(_STOP_PAUSE_S)


def call(function: Callable, client: Any, player: Player) -> Any:
    """The function's result; what can be awaited is awaited. Raises what the function raises."""
    result = function(client, player.task, player.tools, player.functions(), **player.transcript.limits)
    return run_coroutine(_await(result)) if inspect.isawaitable(result) else result


async def _await(result: Awaitable) -> Any:
    return await result


def is_async(function: Callable) -> bool:
    """Whether the function is ``async def``, also behind ``partial``, a decorator or a ``__call__``."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(type(function), "__call__", None))


def _namespaces(function: Callable) -> list[dict]:
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    names = getattr(function, "__globals__", None) or getattr(getattr(type(function), "__call__", None), "__globals__", None)
    return [names] if isinstance(names, dict) else []


@contextmanager
def _in_process(player: Player, wants_async: bool):
    yield in_process.async_client(player) if wants_async else in_process.client(player)


@contextmanager
def _loopback(player: Player, wants_async: bool):
    from grader.replay.loopback import Loopback

    with Loopback(player) as door:
        yield door.async_client() if wants_async else door.client()


_DOORS = {"in_process": _in_process, "loopback": _loopback}
