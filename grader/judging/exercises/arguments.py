"""The special values in a case's arguments: content blocks, replies, events, folders, and functions that note their
calls."""

import builtins
import copy
import functools
import inspect
from dataclasses import dataclass, field

from grader.judging.exercises.events import event_of
from grader.judging.exercises.folders import Folders


@dataclass
class Calls:
    """The calls of one case's functions, in order. ``positional``: names of those that were called with positional arguments.
    ``folders``: those that were made for the case; close them when it is over."""

    made: list[dict] = field(default_factory=list)
    positional: list[str] = field(default_factory=list)
    folders: Folders = field(default_factory=Folders)


def build(value, calls: Calls):
    """A fresh argument for a case: JSON data with ``$block``, ``$message``, ``$event``, ``$folder`` and ``$function`` turned into
    what they stand for. Raises NotHere when this machine can't make one."""
    if isinstance(value, list):
        return [build(item, calls) for item in value]
    if not isinstance(value, dict):
        return value
    if "$block" in value:
        return _message([value["$block"]]).content[0]
    if "$message" in value:
        return _message(**value["$message"])
    if "$event" in value:
        return event_of(value["$event"])
    if "$folder" in value:
        return calls.folders.make(value["$folder"])
    if "$function" in value:
        return _function(value["name"], value["$function"], calls)
    return {key: build(item, calls) for key, item in value.items()}


def _message(content, **rest):
    from anthropic.types import Message

    whole = {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "model", "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    # construct, as the SDK does with what arrives: a stop_reason that it does not know yet is no error
    return Message.construct(**copy.deepcopy({**whole, **rest, "content": content}))


def _function(name: str, behaviour: dict, calls: Calls):
    def scripted(*args, **kwargs):
        if args:
            calls.positional.append(name)
        if signature is not None:
            _bind(name, signature, args, kwargs)
        calls.made.append({"name": name, "kwargs": copy.deepcopy(kwargs)})
        if "raises" in behaviour:
            raise _error(**behaviour["raises"])
        return copy.deepcopy(behaviour.get("returns"))

    signature = None
    if "takes" in behaviour:
        places = [inspect.Parameter(one, inspect.Parameter.POSITIONAL_OR_KEYWORD) for one in behaviour["takes"]]
        signature = scripted.__signature__ = inspect.Signature(places)
    function = _coroutine(scripted) if behaviour.get("async") else scripted
    function.__name__ = function.__qualname__ = name
    return function


def _coroutine(scripted):
    @functools.wraps(scripted)
    async def awaited(*args, **kwargs):
        return scripted(*args, **kwargs)

    return awaited


def _bind(name: str, signature: inspect.Signature, args, kwargs) -> None:
    """Refuse arguments that do not fit, as Python does for a function of that signature."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}() {error}") from None


def _error(type: str, message: str) -> Exception:
    known = getattr(builtins, type, None)
    kind = (
        known
        if isinstance(known, builtins.type) and issubclass(known, Exception)
        else builtins.type(type, (Exception,), {})
    )
    return kind(message)
