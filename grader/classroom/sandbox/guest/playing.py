"""One call of the learner's function with a client, tools and functions that reach the grader's player through the
door.

It does what ``grader.replay.play`` does around a call inside the grader's process; a test holds the two to equal
transcripts.
"""

import inspect
import json

from . import client, ending


def play(names: dict, door, run: int, order: dict) -> tuple[str, dict]:
    """Call the function that ``order`` names. Out: how it ended, and what the grader should know about that.

    How: "returned" (with the claim), "raised" (with the crash), "stopped" (it asked without end), "missing". Never
    raises.
    """
    from grader.replay.clock import Clock
    from grader.replay.in_process import EndlessLoop
    from grader.replay.outcome import claim_of
    from grader.replay.play import _namespaces, is_async

    function = names.get(order["function"])
    if not callable(function):
        return "missing", {}
    clock = Clock(_namespaces(function))
    line = client.Line(door, run, clock)
    functions = {spec["name"]: client.make_function(line, spec) for spec in order["functions"]}
    originals, tools = dict(functions), json.loads(json.dumps(order["tools"]))
    try:
        with clock:
            sdk = client.make_client(line, is_async(function))
            result = function(sdk, order["task"], tools, functions, **order["limits"])
            claim = claim_of(awaited(result, sdk, line))
        how, data = "returned", {"status": claim.status, "messages": claim.messages, "raw_type": claim.raw_type}
    except EndlessLoop:
        how, data = "stopped", {}
    except BaseException as error:  # SystemExit and KeyboardInterrupt of the learner's code too
        how, data = "raised", crash(error)
    return how, data | {"mutated": _mutated(tools, order["tools"], functions, originals)}


def awaited(result, sdk=None, line=None):
    """The result; what can be awaited is awaited. Raises what that raises."""
    if not inspect.isawaitable(result):
        return result
    from grader.replay import bounded

    return bounded.run_coroutine(_await(result, sdk, line))


async def _await(result, sdk, line):
    try:
        return await result
    finally:
        if line is not None:
            line.finish()
        if inspect.iscoroutinefunction(getattr(sdk, "close", None)):
            await sdk.close()


def crash(error: BaseException) -> dict:
    """The exception as data."""
    from grader.replay.outcome import crash_of

    found = crash_of(error)
    return {"type": found.type, "message": found.message, "frames": found.frames, "kind": ending.kind_of(error)}


def _mutated(tools, tools_before, functions: dict, functions_before: dict) -> list[str]:
    from grader.replay.plain import plain

    mutated = [] if plain(tools) == tools_before else ["tools"]
    if {key: id(value) for key, value in functions.items()} != {
        key: id(value) for key, value in functions_before.items()
    }:
        mutated.append("functions")
    return mutated
