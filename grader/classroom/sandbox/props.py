"""What stands in for a player while a plain function is called: its scripted functions, and no API."""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import threading
from collections.abc import Callable, Generator
from typing import Any

from grader.classroom.sandbox.child import Child
from grader.replay.clock import Clock
from grader.replay.player import Response

_LAST_MOVES_S = 1.0


class Props:
    """The scripted functions of one call, run in the grader's process where the submission can't forge their log."""

    def __init__(self, functions: dict[str, Callable]):
        self._functions = functions
        self.clock = Clock()

    def functions(self) -> dict[str, Callable]:
        return self._functions

    def respond(self, headers: Any, body: bytes) -> Response:
        return self.refuse(404, "not_found_error", "There is no API behind this exercise.")

    def refuse(self, status: int, kind: str, message: str) -> Response:
        body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
        return Response(status, {"content-type": "application/json", "x-should-retry": "false"}, body)

    def finish(self) -> None:
        """The call is over."""

    def release(self) -> None:
        """The call is over, and so is what it called."""


class WatchedProps(Props):
    """The same for a call that can be cancelled. ``still``: set when nothing moves any more: each function has ended,
    or waits.

    The submission's event loop says what it has asked and what it was answered; whether a function waits is seen here.
    """

    def __init__(self, functions: dict[str, Callable]):
        super().__init__({name: self._counted(function) for name, function in functions.items()})
        self.still = threading.Event()
        self._changed = threading.Condition()
        self._started = self._finished = self._waiting = 0
        self._said: tuple[Any, Any] | None = None
        self._stop: Callable[[bool], None] = lambda cancel: None

    def stop_with(self, child: Child, run: int) -> None:
        """From now on, ``cancel`` reaches this child in this run."""

        def stop(cancel: bool) -> None:
            self._stop = lambda cancel: None  # the submission waits for one word
            with contextlib.suppress(OSError):
                child.send({"for": f"stop {run}", "cancel": cancel})

        self._stop = stop

    def cancel(self) -> None:
        """Cancel the call, as whoever waits for a coroutine can."""
        self._stop(True)

    def idle(self, asked: Any, answered: Any) -> None:
        """The submission says that it has nothing to do."""
        with self._changed:
            self._said = asked, answered
            self._look()

    def _look(self) -> None:
        """Both sides have to agree: what was asked has started here, what ended here was answered there, and the rest
        waits.
        """
        all_wait = self._finished + self._waiting == self._started
        if all_wait and self._said == (self._started, self._finished):
            self.still.set()

    def release(self) -> None:
        """The call is over: tell who waited for a word, and let what was cancelled end."""
        self._stop(False)
        self.still.set()
        with self._changed:
            self._changed.wait_for(lambda: self._finished == self._started, _LAST_MOVES_S)

    def _count(self, **changes: int) -> None:
        with self._changed:
            for name, change in changes.items():
                setattr(self, f"_{name}", getattr(self, f"_{name}") + change)
            self._look()
            self._changed.notify_all()

    def _counted(self, function: Callable) -> Callable:
        if not inspect.iscoroutinefunction(function):
            return function  # the submission blocks until it is answered: it cannot say that it is idle

        @functools.wraps(function)
        async def counted(*args, **kwargs):
            self._count(started=1)
            try:
                return await _Observed(function(*args, **kwargs), self._count)
            finally:
                self._count(finished=1)

        counted.__signature__ = inspect.signature(function)
        return counted


class _Observed:
    """Awaits a coroutine and counts while it waits."""

    def __init__(self, coroutine: Any, count: Callable):
        self._coroutine, self._count = coroutine, count

    def __await__(self) -> Generator:
        steps = self._coroutine.__await__()
        send: Callable = functools.partial(next, steps)
        while True:
            try:
                awaited = send()
            except StopIteration as done:
                return done.value
            self._count(waiting=1)
            try:
                send = functools.partial(steps.send, (yield awaited))
            except BaseException as error:  # a cancellation, mostly
                send = functools.partial(steps.throw, error)
            finally:
                self._count(waiting=-1)
