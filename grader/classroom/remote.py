"""A name in a submission, as an object that the judge can use as if it were here: the code behind it runs in the
sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
import threading
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from grader.classroom.sandbox.outcome import FINISHED, GRADER_FAULT, TIMED_OUT
from grader.classroom.sandbox.props import WatchedProps
from grader.classroom.sandbox.results import Ask, JobResult, Look, Play
from grader.classroom.sandbox.runner import Session
from grader.classroom.sandbox.values import Arguments, read_value, signature_of
from grader.replay.bounded import Deadline
from grader.replay.outcome import Reported
from grader.replay.player import Player
from grader.replay.transcript import Crash, Transcript

CASE_S = 4.0  # less than the judge waits for a case, so that the sandbox ends it first
_MOST_PEAK = 64 << 20
_FOLDER_THERE = re.compile(r"/(?:[^/]+/)*exercise-[^/]+")  # as ``guest.values`` makes them


class SandboxFault(Exception):
    """The sandbox failed, not the submission. The text says how."""


class Names:
    """The names of one submission. ``session``: it, loaded or to be loaded."""

    def __init__(self, session: Session):
        self._session = session
        self._found: dict[str, Any] = {}

    def defines(self, name: str) -> bool:
        return self.get(name, None) is not None or name in self._found

    def get(self, name: str, default: Any) -> Any:
        """A value, or a ``Remote`` for a function; ``default`` where there is no such name. Raises SandboxFault."""
        if name not in self._found:
            done = self._session.do(Look(name))
            _check(done)
            if done.missing or done.outcome != FINISHED:
                return default
            self._found[name] = _value(self._session, name, done.data)
        return self._found[name]


def _value(session: Session, name: str, data: dict) -> Any:
    if data.get("callable") is True:
        return (AsyncRemote if data.get("async") is True else Remote)(session, name, data)
    return read_value(data.get("value"))


class Remote:
    """A function of a submission. Calling it calls it there; what it raises is raised here as ``Reported``."""

    def __init__(self, session: Session, name: str, seen: dict):
        self._session = session
        self.__name__ = self.__qualname__ = name
        signature = signature_of(seen.get("parameters"))
        if signature is not None:
            self.__signature__: inspect.Signature = signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._called(args, kwargs)

    def play(self, scenario: Any, seed: int, limits: dict | None) -> JobResult:
        """One play of a scenario to this function."""
        return self._session.do(Play(scenario, seed, self.__name__, limits, coroutines=isinstance(self, AsyncRemote)))

    def _called(self, args: tuple, kwargs: dict) -> Any:
        with _not_measured() as trace:
            done = self._session.do(Ask(self.__name__, Arguments(args, kwargs), CASE_S, trace=trace))
        return self._made_of(done, args, kwargs)

    def _made_of(self, done: JobResult, args: tuple, kwargs: dict) -> Any:
        """What the call came to, here: its result or its exception, and our arguments as it left them."""
        _check(done)
        moved = _moved(done)
        _write_back([list(args), kwargs], done.data.get("changed"), moved)
        if done.outcome == FINISHED:
            _weigh(done.data.get("peak"))
            return read_value(done.data.get("value"), moved)
        if done.outcome == TIMED_OUT:
            raise Deadline
        crash = done.crash or Crash(
            "MemoryError" if done.outcome == "out_of_memory" else "ProcessEnded", done.ending.detail
        )
        crash.message = read_value(crash.message, moved)
        raise _reported(crash)


class AsyncRemote(Remote):
    """The same for a function that is ``async def`` there, so that it is one here too."""

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there. It is not left before it waits for something there: so whoever counts our turns sees what it
        has done.
        """
        arguments = Arguments(args, kwargs)
        props = WatchedProps(arguments.functions)
        job = Ask(self.__name__, arguments, CASE_S, props=props, watch=True)
        call: Future = Future()
        threading.Thread(target=lambda: call.set_result(self._session.do(job)), daemon=True).start()
        call.add_done_callback(lambda _: props.still.set())
        props.still.wait(CASE_S)
        try:
            done = await asyncio.shield(asyncio.wrap_future(call))
        except asyncio.CancelledError:
            props.cancel()
            done = call.result(CASE_S + 1)
            if done.crash is not None and done.crash.type == "CancelledError":
                _write_back([list(args), kwargs], done.data.get("changed"), _moved(done))
                raise
        return self._made_of(done, args, kwargs)


def play(
    scenario: Any, function: Remote, *, seed: int, limits: dict | None = None, deadline_s: float = 0
) -> Transcript:
    """Play a scenario to a submission's function: a ``player`` for ``grader.judging``. Raises SandboxFault.

    ``deadline_s`` is the sandbox's own affair (``Limits.run_s``).
    """
    done = function.play(scenario, seed, limits)
    _check(done)
    if done.transcript is not None:
        return done.transcript
    transcript = Player(
        scenario, seed, limits
    ).transcript  # nothing was played: the process was ended too often, or too late
    if done.outcome == TIMED_OUT:
        transcript.timed_out = True
    else:
        transcript.crash = Crash("ProcessEnded", done.ending.detail)
    return transcript


@contextlib.contextmanager
def _not_measured() -> Iterator[bool]:
    """Keep our own work out of a measurement of memory. Gives whether there is one: then it is for the sandbox to do."""
    trace = tracemalloc.is_tracing()
    if trace:
        tracemalloc.stop()
    try:
        yield trace
    finally:
        if trace:
            tracemalloc.start()


def _reported(crash: Crash) -> Reported:
    """An exception that bears the name of the one there; a stub's is a NotImplementedError here too."""
    bases = (Reported, NotImplementedError) if crash.type == "NotImplementedError" else (Reported,)
    return type("".join(crash.type.split()).replace("\0", "")[:100] or "Exception", bases, {})(crash)


def _check(done: JobResult) -> None:
    if done.outcome == GRADER_FAULT:
        raise SandboxFault(done.ending.detail)


def _moved(done: JobResult) -> list[tuple[str, str]]:
    """The folders of a call: where they are here, where they were there.

    Where they were is the submission's word, and texts are rewritten by it: only folders that the call had count, each
    once, and only under names that hardly grow when they are replaced.
    """
    told = done.data.get("folders")
    pairs = [pair for pair in told if isinstance(pair, list) and len(pair) == 2] if isinstance(told, list) else []
    there = {ours: theirs for ours, theirs in pairs if isinstance(ours, str) and isinstance(theirs, str)}
    known = [(ours, there.get(ours, "")) for ours in done.job.arguments.folders]
    return [(ours, theirs) for ours, theirs in known if _FOLDER_THERE.fullmatch(theirs)]


def _weigh(peak: Any) -> None:
    """Take as much memory as the call took there: the judge measures it here."""
    if type(peak) is int and peak > 0 and tracemalloc.is_tracing():
        bytearray(min(peak, _MOST_PEAK))


def _write_back(ours: Any, changed: Any, moved: list) -> None:
    """Bring our arguments to what the function made of them, in place: the judge looks whether they were changed."""
    if isinstance(ours, list) and isinstance(changed, list):
        ours[:] = [_merged(ours[i] if i < len(ours) else None, item, moved) for i, item in enumerate(changed)]
    elif isinstance(ours, dict) and isinstance(changed, dict) and not any(key.startswith("$") for key in changed):
        merged = {key: _merged(ours.get(key), item, moved) for key, item in changed.items()}
        ours.clear()
        ours.update(merged)


def _merged(ours: Any, changed: Any, moved: list) -> Any:
    if (
        isinstance(changed, dict)
        and ("$object" in changed or "$model" in changed)
        and not isinstance(ours, (str, int, float, list, dict, type(None)))
    ):
        return ours  # a function or an SDK object, where it was
    if type(ours) in (list, dict) and type(ours) is type(changed):
        _write_back(ours, changed, moved)
        return ours
    return read_value(changed, moved)
