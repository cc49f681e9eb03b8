"""From drawn calls to calls with inputs of their own, and to the tools that answer them."""

import json
from collections import Counter

from grader.judging.fuzz.catalogue import TOOLS, DrawnTool
from grader.judging.fuzz.plan import Call
from grader.judging.fuzz.wire import tool_use

_MOST_EQUAL_UNGATED = (
    2  # a loop may have the gates of a later level at their defaults, and the third equal call closes one
)
_UNSEEN = {"returns": "There is nothing of that name."}
HANG_S = 0.5  # less, and on a busy machine a tool that works may look late


class Switchboard:
    """Numbers the calls of one conversation, gives each its input, and collects what the tools have to do."""

    def __init__(self, gated: bool, hang: int):
        """``gated``: equal calls are counted. ``hang``: which of the calls that can be run does not come back (-1:
        none).
        """
        self._gated, self._hang = gated, hang
        self._made: list[tuple[DrawnTool, dict]] = []
        self._asked: Counter = Counter()
        self._behaviour: dict[str, list[dict]] = {}
        self._runnable = 0
        self.hangs = False

    def block(self, call: Call) -> dict:
        """The tool_use block of the next call."""
        tool, input = self._repeated(call.again) if call.again else self._own(call)
        self._made.append((tool, input))
        self._asked[_key(tool, input)] += 1
        return tool_use(len(self._made), tool.name, input)

    def tools(self) -> list[dict]:
        """The declared tools with their behaviour, as in a scenario file."""
        used = {tool.name for tool, _ in self._made if tool.declared} | {"look"}
        return [
            {"definition": tool.definition, "behaviour": [*self._behaviour.get(name, []), _UNSEEN]}
            for name, tool in TOOLS.items()
            if name in used
        ]

    def missing(self) -> list[str]:
        """Declared tools without a function."""
        return sorted({tool.name for tool, _ in self._made if tool.declared and not tool.has_function})

    def _repeated(self, back: int) -> tuple[DrawnTool, dict]:
        if len(self._made) >= back:
            tool, input = self._made[-back]
            if self._may_ask(tool, input):
                return tool, dict(reversed(input.items()))
        return self._own(Call("look", {"returns": "out {nonce:k{n}}"}))

    def _own(self, call: Call) -> tuple[DrawnTool, dict]:
        tool, number = TOOLS[call.tool], len(self._made) + 1
        input = _input(tool, number, call.fault if tool.has_function else "")
        if not self._may_ask(tool, input):
            tool, call = TOOLS["look"], Call("look", call.outcome)
            input = _input(tool, number, "")
        if tool.has_function and not (tool.key is None and tool.name in self._behaviour):
            when = {tool.key: input[tool.key]} if tool.key in input else None
            self._script(tool, when, call, number)
        return tool, input

    def _script(self, tool: DrawnTool, when: dict | None, call: Call, number: int) -> None:
        outcome = json.loads(json.dumps(call.outcome).replace("{n}", str(number)))
        if call.fault in ("", "type"):
            if self._runnable == self._hang:
                outcome, self.hangs = {"hangs": True, "returns": f"late {{nonce:k{number}}}"}, True
            self._runnable += 1
        if when or tool.key is None:
            self._behaviour.setdefault(tool.name, []).append({**({"when": when} if when else {}), **outcome})

    def _may_ask(self, tool: DrawnTool, input: dict) -> bool:
        return self._gated or self._asked[_key(tool, input)] < _MOST_EQUAL_UNGATED


def _key(tool: DrawnTool, input: dict) -> str:
    return json.dumps([tool.name, input], sort_keys=True)


def _input(tool: DrawnTool, number: int, fault: str) -> dict:
    """The input of the ``number``-th call, which no other call has (but for a tool without parameters)."""
    full = {name: _value(spec["type"], number) for name, spec in tool.properties.items()}
    if fault == "extra" or (fault and tool.key is None):
        return {**full, "colour": number}
    if fault == "missing":
        return {name: value for name, value in full.items() if name != tool.required[-1]}
    if fault == "type":
        return {**full, tool.key: number if isinstance(full[tool.key], str) else str(number)}
    return full


def _value(kind: str, number: int):
    return {"string": f"v{number}", "integer": number, "object": {"list": [number, {"deep": "x"}]}}[kind]
