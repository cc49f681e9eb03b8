"""Virtual time: the loop's clock sees real time plus what the scenario says has passed, and its sleeps take no time.

Only the thread that entered the clock, and threads started from it, see virtual time; a notebook's kernel keeps the
real one. Names of the ``time`` module are swapped while at least one clock is entered, and put back when the last one
is left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

_MARK = "_grader_clock"  # on a Thread: the innermost clock that it lives by
_REAL = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
_REAL_NS = {name: getattr(time, f"{name}_ns") for name in _REAL}
real_monotonic = time.monotonic
_real_sleep = time.sleep
_LEAST_PAUSE_S = 0.001  # a sleeping thread lets the others run, or a loop that polls would never see a tool end


class Clock:
    """A clock that can be moved on. ``with clock:`` makes the current thread live by it, and the threads it starts.

    ``namespaces`` are module globals that hold names taken from ``time``, as ``from time import monotonic`` makes
    them: these are swapped too. Clocks nest: the inner one goes on from the outer one's time, and hands its own back
    when it is left.
    """

    def __init__(self, namespaces: Iterable[dict] = ()):
        self.namespaces = list(namespaces)
        self._lock = threading.Lock()
        self._jumped = 0.0
        self._outer: Clock | None = None
        self._thread: threading.Thread | None = None

    @property
    def jumped(self) -> float:
        """The virtual seconds that passed on this clock so far, real time not counted."""
        return self._jumped

    @property
    def ahead(self) -> float:
        """How far this clock is ahead of the real one, with the clocks around it."""
        return self._jumped + (self._outer.ahead if self._outer else 0.0)

    def advance(self, seconds: float) -> None:
        """Let so many virtual seconds pass."""
        with self._lock:
            self._jumped += seconds

    def __enter__(self) -> Clock:
        if self._thread:
            raise RuntimeError("this clock is entered already; nest another one")
        self._thread = threading.current_thread()
        self._outer = getattr(self._thread, _MARK, None)
        _patch.install(self.namespaces)
        setattr(self._thread, _MARK, self)
        return self

    def __exit__(self, *exception) -> None:
        self.leave()

    def leave(self) -> None:
        """End what ``with`` began. Another thread may do it for one that never gets there; twice is once."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        outer, self._outer = self._outer, None
        if outer:
            outer.advance(self._jumped)
            setattr(thread, _MARK, outer)
        else:
            delattr(thread, _MARK)
        _patch.remove()


def _current() -> Clock | None:
    return getattr(threading.current_thread(), _MARK, None)


def _virtual(real):
    def now() -> float:
        clock = _current()
        return real() + clock.ahead if clock else real()

    return now


def _virtual_ns(real):
    def now_ns() -> int:
        clock = _current()
        return real() + round(clock.ahead * 1e9) if clock else real()

    return now_ns


def _sleep(seconds: float, /) -> None:
    clock = _current()
    if clock is None or not isinstance(seconds, (int, float)) or not seconds > _LEAST_PAUSE_S:
        return _real_sleep(seconds)  # also what it refuses
    _real_sleep(_LEAST_PAUSE_S)
    clock.advance(seconds - _LEAST_PAUSE_S)


def _start(thread: threading.Thread) -> None:
    if clock := _current():
        setattr(thread, _MARK, clock)
    return _real_start(thread)


_real_start = threading.Thread.start


class _Patch:
    """The swap of names, counted: the first clock installs it, the last one removes it."""

    def __init__(self):
        self._lock = threading.Lock()
        self._users = 0
        self._saved: list[tuple[object, str, object]] = []
        self._namespaces: list[dict] = []
        self._swaps = {"sleep": (_real_sleep, _sleep)}
        for name, real in _REAL.items():
            self._swaps[name] = (real, _virtual(real))
            self._swaps[f"{name}_ns"] = (_REAL_NS[name], _virtual_ns(_REAL_NS[name]))

    def install(self, namespaces: list[dict]) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._saved = [(time, name, getattr(time, name)) for name in self._swaps]
                self._saved.append((threading.Thread, "start", threading.Thread.start))
                for name, (_, virtual) in self._swaps.items():
                    setattr(time, name, virtual)
                threading.Thread.start = _start
            for namespace in namespaces:
                self._swap(namespace, {id(real): virtual for real, virtual in self._swaps.values()})
            self._namespaces.extend(namespaces)

    def remove(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users:
                return
            for namespace in self._namespaces:
                self._swap(namespace, {id(virtual): real for real, virtual in self._swaps.values()})
            for holder, name, value in self._saved:
                setattr(holder, name, value)
            self._namespaces, self._saved = [], []

    @staticmethod
    def _swap(namespace: dict, swaps: dict[int, object]) -> None:
        for name, value in list(namespace.items()):
            if id(value) in swaps:
                namespace[name] = swaps[id(value)]


_patch = _Patch()
