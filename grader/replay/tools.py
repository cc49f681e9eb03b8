"""The scripted tools as Python functions, made from their input schemas. Every run of one is written down."""

from __future__ import annotations

import asyncio
import builtins
import copy
import inspect
import threading
from collections.abc import Callable
from typing import Any

from grader.replay.clock import real_monotonic
from grader.replay.fresh import Fresh
from grader.replay.plain import plain
from grader.replay.recorder import Recorder
from grader.replay.scenario import Behaviour, Raised, Tool
from grader.replay.transcript import ToolRun

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}
_POLL_S = 0.005


class Hold:
    """Where hanging tools wait. After ``patience_s`` real seconds one is let go though the run goes on: by then it is
    known that the loop waits for it, and a grader need not wait as long as the loop would.
    """

    def __init__(self, patience_s: float | None):
        self.patience_s = patience_s
        self._released = threading.Event()

    def release(self) -> None:
        """Let all go, and those that come later too."""
        self._released.set()

    def wait(self) -> bool:
        """Block; True if patience ran out."""
        return not self._released.wait(self.patience_s)

    async def wait_async(self) -> bool:
        """The same for a coroutine: it can be cancelled."""
        end = None if self.patience_s is None else real_monotonic() + self.patience_s
        while not self._released.is_set():
            if end is not None and real_monotonic() >= end:
                return True
            await asyncio.sleep(_POLL_S)
        return False


class ScriptedTool:
    """One tool of a scenario, in one run."""

    def __init__(self, tool: Tool, fresh: Fresh, recorder: Recorder, hold: Hold):
        self._tool = tool
        self._fresh = fresh
        self._recorder = recorder
        self._hold = hold
        self._signature = signature_of(tool.definition.input_schema)

    @property
    def name(self) -> str:
        return self._tool.name

    def function(self, coroutines: bool) -> Callable:
        """The function that the loop gets: keyword arguments as in the schema; ``async def`` where scripted and wanted."""
        if self._tool.is_async and coroutines:

            async def function(*args, **kwargs):
                run, behaviour = self._begin(args, kwargs)
                if behaviour and behaviour.hangs and await self._hold.wait_async():
                    self._recorder.waited_for(run)
                return self._end(run, behaviour)
        else:

            def function(*args, **kwargs):
                run, behaviour = self._begin(args, kwargs)
                if behaviour and behaviour.hangs and self._hold.wait():
                    self._recorder.waited_for(run)
                return self._end(run, behaviour)

        function.__name__ = function.__qualname__ = self._tool.name
        function.__doc__ = self._tool.definition.description
        function.__module__ = "tools"
        function.__signature__ = self._signature
        function.__annotations__ = {
            name: one.annotation for name, one in self._signature.parameters.items() if one.annotation is not one.empty
        }
        return function

    def _begin(self, args: tuple, kwargs: dict) -> tuple[ToolRun, Behaviour | None]:
        input = plain(kwargs)
        run = self._recorder.begin(self._tool.name, input)
        if complaint := misfit(self._tool.name, self._signature, args, kwargs):
            self._recorder.end(run, "unfit", error={"type": "TypeError", "message": complaint})
            raise TypeError(complaint)
        return run, self._tool.behaviour_for(input, self._fresh.apply)

    def _end(self, run: ToolRun, behaviour: Behaviour | None) -> Any:
        if behaviour and behaviour.raises:
            raised = Raised(type=behaviour.raises.type, message=self._fresh.apply(behaviour.raises.message))
            self._recorder.end(run, "raised", error=raised.model_dump())
            raise exception_of(raised)
        output = self._output(behaviour)
        self._recorder.end(run, "hung" if behaviour and behaviour.hangs else "returned", output=copy.deepcopy(output))
        return output

    def _output(self, behaviour: Behaviour | None) -> Any:
        if behaviour is None:
            return "This scenario has no answer for this input."
        if "returns_json" in behaviour.model_fields_set:
            return self._fresh.apply(behaviour.returns_json)
        output = self._fresh.apply(behaviour.returns)
        return output * behaviour.repeat if isinstance(output, str) else output


def signature_of(schema: dict) -> inspect.Signature:
    """The signature of a function that takes this input: keyword-only, what is not required has the default None.

    A property whose name cannot be a parameter, or a schema that allows more properties in so many words, makes it
    take ``**more``.
    """
    properties, required = schema.get("properties", {}), schema.get("required", [])
    parameters, open_ended = [], schema.get("additionalProperties") not in (None, False)
    for name, spec in properties.items():
        kind = spec.get("type") if isinstance(spec, dict) else None
        annotation = _TYPES.get(kind, inspect.Parameter.empty) if isinstance(kind, str) else inspect.Parameter.empty
        default = inspect.Parameter.empty if name in required else None
        try:
            one = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        except ValueError:
            open_ended = True
        else:
            parameters.append(one)
    if open_ended:
        rest = "more"
        while rest in properties:
            rest += "_"
        parameters.append(inspect.Parameter(rest, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)


def misfit(name: str, signature: inspect.Signature, args: tuple, kwargs: dict) -> str | None:
    """Python's own complaint about a call that does not fit a keyword-only signature; None if it fits."""
    known = [one for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
    if not any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values()):
        for key in kwargs:
            if key not in signature.parameters:
                return f"{name}() got an unexpected keyword argument '{key}'"
    if args:
        return f"{name}() takes 0 positional arguments but {len(args)} {'was' if len(args) == 1 else 'were'} given"
    missing = [repr(one.name) for one in known if one.default is one.empty and one.name not in kwargs]
    if not missing:
        return None
    listed = ", ".join(missing[:-1]) + f", and {missing[-1]}" if len(missing) > 2 else " and ".join(missing)
    plural = "s" if len(missing) > 1 else ""
    return f"{name}() missing {len(missing)} required keyword-only argument{plural}: {listed}"


def exception_of(raised: Raised) -> Exception:
    """The exception to raise: a built-in one where the name is one, else one of the tool's own."""
    kind = getattr(builtins, raised.type, None) or type(raised.type, (Exception,), {})
    arguments = (raised.message,) if raised.message else ()
    try:
        return kind(*arguments)
    except TypeError:  # UnicodeDecodeError and the like want more than a text
        return type(raised.type, (Exception,), {})(*arguments)
