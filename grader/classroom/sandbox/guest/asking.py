"""Plain functions and variables of a submission: what is under a name, and one call with described arguments."""

import asyncio
import contextlib
import inspect
import json
import threading

from . import client, playing, wire
from .values import Decoder, Encoder

_TURNS = 100  # of the event loop: more than what is ready needs to run
_PAUSE_S = 0.002


def look(names: dict, order: dict) -> tuple[str, dict]:
    """What is under a name: a function (with its signature) or a value."""
    if order["name"] not in names:
        return "missing", {}
    found = names[order["name"]]
    if not callable(found):
        return "returned", {"callable": False, "value": Encoder().encode(found)}
    from grader.replay.play import is_async

    return "returned", {"callable": True, "async": bool(is_async(found)), "parameters": _parameters(found)}


def _parameters(function) -> list | None:
    """Name, kind and whether there is a default, of each parameter; None where the function has no signature that can
    be read.
    """
    try:
        found = inspect.signature(function).parameters.values()
        return [[str(one.name), int(one.kind), one.default is not one.empty] for one in found]
    except Exception:
        return None


def ask(names: dict, door, run: int, order: dict) -> tuple[str, dict]:
    """Call a function with the arguments that ``order`` describes. Out: its result, and the arguments where it changed
    them.

    With ``trace`` also the highest memory that it took. Raises what the function raises.
    """
    function = names.get(order["function"])
    if not callable(function):
        return "missing", {}
    from grader.replay.clock import Clock

    line = CountingLine(door, run, Clock())
    decoder = Decoder(lambda spec: client.make_function(line, spec))
    args, kwargs = decoder.decode(order["args"]), decoder.decode(order["kwargs"])
    before = _written([args, kwargs])
    try:
        result, peak = _called(
            _watched(function, door, run, line) if order.get("watch") else function, args, kwargs, order.get("trace")
        )
        data = {"value": Encoder().encode(result), "peak": peak}
        how = "returned"
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
        how, data = "raised", playing.crash(error)
    after = _written([args, kwargs])
    if after != before:
        data["changed"] = json.loads(after)
    return how, data | {"folders": decoder.folders}


class CountingLine(client.Line):
    """Counts what was asked without blocking, and what was answered."""

    asked = answered = 0

    async def ask_async(self, op: str, head: dict, body: bytes) -> tuple[dict, bytes]:
        self.asked += 1
        try:
            return await super().ask_async(op, head, body)
        finally:
            self.answered += 1


def _watched(function, door, run: int, line: CountingLine):
    """The function as one that the grader can cancel, and that says when nothing moves any more."""

    async def watched(*args, **kwargs):
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        threading.Thread(target=_await_word, args=(door, f"stop {run}", loop, task), daemon=True).start()
        teller = asyncio.ensure_future(_tell_idle(door, run, line))
        try:
            return await function(*args, **kwargs)
        finally:
            teller.cancel()

    return watched


def _await_word(door, key: str, loop, task) -> None:
    """Cancel the task when the grader says so. It says something in any case, so that this thread ends."""
    with contextlib.suppress(wire.Closed, OSError, RuntimeError):
        head, _ = door.word(key)
        if head.get("cancel"):
            loop.call_soon_threadsafe(task.cancel)


async def _tell_idle(door, run: int, line: CountingLine) -> None:
    told = None
    while True:
        before = line.asked, line.answered
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        now = line.asked, line.answered
        if now == before and now != told:
            door.tell({"op": "idle", "run": run, "asked": now[0], "answered": now[1]})
            told = now
        await asyncio.sleep(_PAUSE_S)


def _called(function, args, kwargs, trace):
    if not trace:
        return playing.awaited(function(*args, **kwargs)), 0
    import tracemalloc

    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        start = tracemalloc.get_traced_memory()[0]
        result = playing.awaited(function(*args, **kwargs))
        return result, max(0, tracemalloc.get_traced_memory()[1] - start)
    finally:
        tracemalloc.stop()


def _written(arguments) -> str:
    return json.dumps(Encoder().encode(arguments))
