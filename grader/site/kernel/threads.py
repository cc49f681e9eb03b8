"""Stand-ins for threads where there is one alone.

A thread runs to its end when it is started, and a thread pool runs a job when it gets it. So code with threads gives
the results that it gives elsewhere; nothing runs side by side. What would wait for another thread, with no end set,
waits for ever: a thread that does so is given up, as if it hung, and elsewhere it ends the run like the grader's
deadline. (Waiting with a timeout takes that time.)

A thread that hangs does nothing any more, not even what stands behind ``except BaseException`` or ``finally``. So while
one is given up, each further line of it raises once more. That needs ``sys.monitoring``, which the browser's Python
(3.14) has.
"""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from types import CodeType
from typing import Any, NoReturn

from grader.replay import clock
from grader.replay.bounded import Deadline

_real_wait = threading.Condition.wait
_depth = 0  # how many stand-in threads we are inside of
_giving_up: set[CodeType] = set()  # what runs in the thread that is being given up
_MONITOR = 4  # one of the two numbers that sys.monitoring leaves free
_WORDS = "this waits for another thread, and in the browser there is none: it would wait for ever"


class WaitsForEver(Deadline):
    """Code waits for something that can't happen any more."""


class GivenUp(BaseException):
    """Ends a stand-in thread that hangs. Nobody is told, as nobody is told that a thread hangs."""


def use_stand_ins() -> None:
    """Put them in the places of the real ones. The classes stay, so names that were imported before work too."""
    threading.Thread.start = clock._real_start = _start  # the clock has kept the one that it found
    threading.Thread.is_alive = _is_alive
    threading.Thread.join = _join
    threading.Condition.wait = _wait
    ThreadPoolExecutor.submit = _submit
    sys.monitoring.use_tool_id(_MONITOR, "stand-in threads")
    sys.monitoring.register_callback(_MONITOR, sys.monitoring.events.LINE, _next_line)


def wait_for_ever() -> NoReturn:
    """What becomes of code that waits with no end in sight: GivenUp in a stand-in thread, WaitsForEver elsewhere."""
    if not inside():
        raise WaitsForEver(_WORDS)
    frame = sys._getframe(1)  # not this one, or its own next line would be the first to fail
    while frame and frame.f_code is not _run.__code__:
        _giving_up.add(frame.f_code)
        sys.monitoring.set_local_events(_MONITOR, frame.f_code, sys.monitoring.events.LINE)
        frame = frame.f_back
    raise GivenUp(_WORDS)


def _next_line(code: CodeType, line: int) -> None:
    if code in _giving_up:
        raise GivenUp(_WORDS)


def _gone() -> None:
    for code in _giving_up:
        sys.monitoring.set_local_events(_MONITOR, code, sys.monitoring.events.NO_EVENTS)
    _giving_up.clear()


def inside() -> bool:
    """Whether the code that asks runs in a stand-in thread."""
    return _depth > 0


def _run(job: Any) -> Any:
    global _depth
    _depth += 1
    try:
        return job()
    finally:
        _gone()
        _depth -= 1


def _start(thread: threading.Thread) -> None:
    if thread._started.is_set():
        raise RuntimeError("threads can only be started once")
    thread._started.set()
    thread._hangs = isinstance(thread, threading.Timer)  # its time never comes while other code runs
    if thread._hangs:
        return
    try:
        _run(thread.run)
    except GivenUp:
        thread._hangs = True
    except SystemExit:
        pass
    except BaseException:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))


def _is_alive(thread: threading.Thread) -> bool:
    return getattr(thread, "_hangs", False) or thread is threading.main_thread()


def _join(thread: threading.Thread, timeout: float | None = None) -> None:
    if not thread._started.is_set():
        raise RuntimeError("cannot join thread before it is started")
    if getattr(thread, "_hangs", False):
        never = threading.Condition()
        with never:
            never.wait(timeout)


def _wait(condition: threading.Condition, timeout: float | None = None) -> bool:
    if timeout is None:
        wait_for_ever()
    return _real_wait(condition, timeout)


def _submit(pool: ThreadPoolExecutor, function: Any, /, *args: Any, **kwargs: Any) -> Future:
    if pool._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")
    future = Future()
    future.set_running_or_notify_cancel()
    try:
        result = _run(lambda: function(*args, **kwargs))
    except GivenUp:
        pass  # it is never done
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
    return future
