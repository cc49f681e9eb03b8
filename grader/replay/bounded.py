"""Call a learner's function in a thread of its own, with a deadline, and hand back how it ended."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from grader.replay.outcome import crash_of
from grader.replay.transcript import Crash

_STOP_TRIES = 40
_STOP_PAUSE_S = 0.05

run_coroutine: Callable[[Any], Any] = asyncio.run  # a page in the browser, whose loop cannot block, puts its own here


class Deadline(BaseException):
    """Raised inside the learner's thread when its time is up."""


@dataclass
class Outcome:
    """``value`` that was returned, or the ``error`` that was raised, or neither when the time was up."""

    value: Any = None
    error: Crash | None = None
    timed_out: bool = False

    @property
    def stub(self) -> bool:
        """Whether the function is still to be written: it raised NotImplementedError."""
        return self.error is not None and self.error.type == "NotImplementedError"


def call_bounded(
    function: Callable[[], Any], deadline_s: float, *, before_stop: Callable[[], None] = lambda: None
) -> Outcome:
    """Call ``function`` without arguments; what can be awaited is awaited. ``deadline_s`` in real seconds.

    ``before_stop`` is called before a function that is late is stopped: it may free what the function waits for.
    Where there are no threads (in the browser) the function is called directly, without a deadline.
    """
    call = _Call(function)
    if sys.platform == "emscripten":
        call.run()
        return call.outcome
    thread = threading.Thread(target=call.run, name="learner", daemon=True)
    thread.start()
    try:
        thread.join(deadline_s)
        outcome = call.outcome
    finally:  # also when the reader interrupts the cell
        if thread.is_alive():
            before_stop()
            call.stop(thread)
    return outcome


def settled(result: Any) -> Any:
    """The result, or what it becomes when it can be awaited. Raises what awaiting raises."""
    return run_coroutine(_await(result)) if inspect.isawaitable(result) else result


class _Call:
    """One call, in a thread that another one can stop until it has ended."""

    def __init__(self, function: Callable[[], Any]):
        self._function = function
        self._lock = threading.Lock()
        self._ended = False
        self.outcome = Outcome(timed_out=True)

    def run(self) -> None:
        """Leaves ``outcome`` as it is when it was stopped."""
        try:
            try:
                self.outcome = Outcome(value=settled(self._function()))
            except Deadline:
                raise
            except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
                self.outcome = Outcome(error=crash_of(error))
            with self._lock:  # from here on nothing is raised in this thread any more
                self._ended = True
        except Deadline:
            self._ended = True  # no lock: any call could be where the next one is raised

    def stop(self, thread: threading.Thread) -> None:
        """Raise ``Deadline`` in the thread until it ends. Code that swallows even that is left behind, as a daemon."""
        import ctypes  # here, since a browser's Python may come without it

        for number in range(_STOP_TRIES):
            with self._lock:
                if self._ended:
                    return
                if number == 0 or not self._is_leaving(thread):
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Deadline))
            thread.join(_STOP_PAUSE_S)
            if not thread.is_alive():
                return

    def _is_leaving(self, thread: threading.Thread) -> bool:
        """Whether the function is left, and only what it held is still being freed: one more Deadline would show as a traceback."""
        frame = sys._current_frames().get(thread.ident)
        return frame is None or frame.f_code is _Call.run.__code__


async def _await(result: Awaitable) -> Any:
    return await result
