"""Records a run of a loop line by line: which line was next, and what ``messages`` held then.

The loop runs as in a check, against the player; only the thread that it runs in is watched (``sys.settrace``), and
only code of the learner's own.
"""

import functools
import inspect
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time  # the player's clock leaves this one alone
from types import CodeType, FrameType
from typing import Any

from grader.course.widgets.sources import Source, source_of
from grader.replay import Player, Scenario, Transcript, play
from grader.replay.plain import plain
from grader.replay.play import is_async

MAX_STEPS = 2000
MAX_SECONDS = 4.0  # of computing spent on snapshots; the loop has a deadline, and recording must not use it up
_GRADER = str(Path(__file__).resolve().parents[2])
_FOREIGN = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")} | {_GRADER})


@dataclass(frozen=True)
class Step:
    """A moment of a run: ``line`` of ``sources[source]`` (from 1) is about to run, ``snapshots[snapshot]`` is what
    ``messages`` holds, and so many requests were answered and tools run. ``line`` 0: the loop has ended.
    """

    source: int
    line: int
    snapshot: int
    requests: int
    runs: int


@dataclass
class Recording:
    """A recorded run. ``cut``: it was longer than what is kept."""

    transcript: Transcript
    sources: list[Source] = field(default_factory=list)
    snapshots: list[list] = field(default_factory=lambda: [[]])
    steps: list[Step] = field(default_factory=list)
    cut: bool = False


def record(function: Callable, script: Scenario, *, seed: int, limits: dict | None = None) -> Recording:
    """Play a scenario to a loop and record its (first) run.

    In: as for ``play``. Out: the recording; what went wrong in the loop is in its transcript. Never raises for a fault
    of the loop.
    """
    watch = _Watch(function)
    transcript = play(script, watch.watched(), seed=seed, limits=limits)
    return watch.recording(transcript)


class _Watch:
    """Watches one run. All of it happens in the loop's thread."""

    def __init__(self, function: Callable):
        self._function = function
        self._own_file = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)
        self._known: dict[CodeType, int | None] = {}  # None: not the learner's
        self._codes: list[CodeType] = []
        self._moments: list[tuple[int, int, int, int, int]] = []
        self._resumed: set[int] = set()  # numbers of moments in which a line goes on after a call in it came back
        self._snapshots: list[list] = [[]]
        self._seen: Transcript | None = None
        self._spent = 0.0
        self._ended = self._cut = False

    def watched(self) -> Callable:
        """The function, watched while it runs for the first time. It stays ``async`` if it was."""

        @functools.wraps(self._function)
        def plainly(*args, **kwargs):
            before = self._start()
            try:
                return self._function(*args, **kwargs)
            finally:
                self._end(before)

        @functools.wraps(self._function)
        async def awaited(*args, **kwargs):
            before = self._start()
            try:
                result = self._function(*args, **kwargs)
                return await result if inspect.isawaitable(result) else result
            finally:
                self._end(before)

        return awaited if is_async(self._function) else plainly

    def recording(self, transcript: Transcript) -> Recording:
        """What was seen, with the lines of its sources. Steps within one statement are one step."""
        sources = [source_of(code) for code in self._codes]
        made = Recording(transcript, sources, self._snapshots, cut=self._cut)
        last = None
        for i, (number, line, *state) in enumerate(self._moments):
            if i in self._resumed and [state] == [list(after[2:]) for after in self._moments[i + 1 : i + 2]]:
                continue  # the rest of the line did nothing
            place = (number, sources[number].statement(line))
            if place != last:
                made.steps.append(Step(*place, *state))
            last = place
        if made.steps:
            made.steps.append(self._last_step(made, transcript))
        return made

    def _last_step(self, made: Recording, transcript: Transcript) -> Step:
        claimed = transcript.claim.messages if transcript.claim else None
        if claimed is not None and claimed != made.snapshots[-1]:
            made.snapshots.append(claimed)
        shown = made.steps[-1].snapshot if claimed is None else len(made.snapshots) - 1
        return Step(made.steps[-1].source, 0, shown, len(transcript.exchanges), len(transcript.runs))

    def _start(self):
        before = sys.gettrace()
        if not self._ended:
            sys.settrace(self._called)
        return before

    def _end(self, before) -> None:
        sys.settrace(before)
        self._ended = True

    def _called(self, frame: FrameType, event: str, argument: Any):
        """A function is called. Lines are watched only where this returns a function."""
        code = frame.f_code
        if code is Player.respond.__code__ and self._seen is None:
            self._seen = frame.f_locals["self"].transcript
        return self._line if self._number(code) is not None else None

    def _line(self, frame: FrameType, event: str, argument: Any):
        if event == "return":  # the line that called goes on; what it still does is not the called function's
            frame = frame.f_back
        watched = frame is not None and self._number(frame.f_code) is not None
        if event in ("line", "return") and not self._cut and watched:
            before = process_time()
            if event == "return":
                self._resumed.add(len(self._moments))
            requests, runs = (len(self._seen.exchanges), len(self._seen.runs)) if self._seen else (0, 0)
            number = self._number(frame.f_code)
            self._moments.append((number, frame.f_lineno, self._snapshot(frame), requests, runs))
            self._spent += process_time() - before
            self._cut = len(self._moments) >= MAX_STEPS or self._spent > MAX_SECONDS
        return self._line

    def _number(self, code: CodeType) -> int | None:
        if code not in self._known:
            self._known[code] = len(self._codes) if self._is_own(code) else None
            if self._known[code] is not None:
                self._codes.append(code)
        return self._known[code]

    def _is_own(self, code: CodeType) -> bool:
        # Comprehensions are frames of their own in some Pythons and not in others.
        if code.co_name.startswith("<") or code is self.watched.__code__:
            return False
        name = code.co_filename
        return name == self._own_file or not (name.startswith(_FOREIGN) or name.startswith("<"))

    def _snapshot(self, frame: FrameType) -> int:
        """The number of the snapshot of what ``messages`` holds now; the latest one where there is no such list."""
        found = self._history(frame)
        if found is not None:
            now = plain(found)
            if isinstance(now, list) and now != self._snapshots[-1]:
                self._snapshots.append(now)
        return len(self._snapshots) - 1

    def _history(self, frame: FrameType | None) -> list | None:
        """The history as the nearest function of the learner's knows it: by the name ``messages``, or by its looks."""
        while frame is not None:
            if self._number(frame.f_code) is not None:
                found = _history_in(frame.f_locals)
                if found is not None:
                    return found
            frame = frame.f_back
        return None


def _history_in(names: dict) -> list | None:
    try:
        messages = names.get("messages")
        if issubclass(type(messages), list):
            return messages
        return next((value for value in [*names.values(), *_fields(names.get("self"))] if _is_history(value)), None)
    except Exception:  # of an object that is compared: it would end up in the loop
        return None


def _fields(own: Any) -> list:
    """The values that an object of the learner's holds, without asking the object."""
    try:
        return list(object.__getattribute__(own, "__dict__").values())
    except AttributeError:
        return []


def _is_history(value: Any) -> bool:
    return type(value) is list and bool(value) and type(value[0]) is dict and value[0].get("role") == "user"
