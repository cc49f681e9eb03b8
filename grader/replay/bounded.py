"""Call a learner's function in a thread of its own, with a deadline, and hand back how it ended. Never raises what it raised."""

from __future__ import annotations

import ctypes
import inspect
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.replay.outcome import crash_of
from grader.replay.transcript import Crash

_STOP_TRIES = 40
_STOP_PAUSE_S = 0.05


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


def call_bounded(function: Callable[[], Any], deadline_s: float) -> Outcome:
    """Call ``function`` without arguments; what can be awaited is awaited. ``deadline_s`` in real seconds.

    Where there are no threads (in the browser) it is called directly, without a deadline.
    """
    outcome = Outcome(timed_out=True)

    def work():
        try:
            ended = Outcome(value=_result_of(function))
        except Deadline:
            return
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
            ended = Outcome(error=crash_of(error))
        outcome.value, outcome.error, outcome.timed_out = ended.value, ended.error, False

    if sys.platform == "emscripten":
        work()
        return outcome
    thread = threading.Thread(target=work, name="learner", daemon=True)
    thread.start()
    try:
        thread.join(deadline_s)
    finally:  # also when the reader interrupts the cell
        stop(thread)
    return outcome


def stop(thread: threading.Thread) -> None:
    """Raise ``Deadline`` in a thread until it ends, some 40 times. Code that swallows even that is left behind, as a daemon."""
    for _ in range(_STOP_TRIES):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Deadline))
        thread.join(_STOP_PAUSE_S)


def _result_of(function: Callable[[], Any]) -> Any:
    from grader.replay import play

    result = function()
    return play.run_coroutine(play._await(result)) if inspect.isawaitable(result) else result
