"""Plain functions and variables of a submission: what is under a name, and one call with described arguments."""

import inspect
import json

from . import client, playing
from .values import Decoder, Encoder


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
    """Name, kind and whether there is a default, of each parameter; None where the function has no signature that can be read."""
    try:
        found = inspect.signature(function).parameters.values()
        return [[str(one.name), int(one.kind), one.default is not one.empty] for one in found]
    except Exception:
        return None


def ask(names: dict, door, run: int, order: dict) -> tuple[str, dict]:
    """Call a function with the arguments that ``order`` describes. Out: its result, and the arguments where it changed them.

    With ``trace`` also the highest memory that it took. Raises what the function raises.
    """
    function = names.get(order["function"])
    if not callable(function):
        return "missing", {}
    from grader.replay.clock import Clock

    line = client.Line(door, run, Clock())
    decoder = Decoder(lambda spec: client.make_function(line, spec))
    args, kwargs = decoder.decode(order["args"]), decoder.decode(order["kwargs"])
    before = _written([args, kwargs])
    try:
        result, peak = _called(function, args, kwargs, order.get("trace"))
        data = {"value": Encoder().encode(result), "peak": peak}
        how = "returned"
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
        how, data = "raised", playing.crash(error)
    after = _written([args, kwargs])
    if after != before:
        data["changed"] = json.loads(after)
    return how, data | {"folders": decoder.folders}


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
