"""Which tool run and which result belong to which call of a reply.

A tool run carries no call id: it is matched by name and input. A result is matched by its ``tool_use_id``.
"""

import json
from dataclasses import dataclass, field

from grader.judging.pieces import Piece, text_of


@dataclass
class Answer:
    """One call of a reply with its tool runs (in order) and its results in the history after it.

    ``wanted``: whether the contract wants this call to be run ("must", "may", "never"). ``fits``: whether the input fits the
    tool's parameters. ``known``: whether the loop was given a function of this name.
    """

    step: object
    call: dict
    known: bool
    fits: bool
    wanted: str
    runs: list = field(default_factory=list)
    results: list[Piece] = field(default_factory=list)
    returned: bool = False

    @property
    def id(self) -> str:
        return self.call.get("id")

    @property
    def run(self):
        return self.runs[0] if self.runs else None

    @property
    def result(self) -> Piece | None:
        return self.results[0] if self.results else None

    @property
    def text(self) -> str:
        return text_of(self.result.block.get("content")) if self.result else ""

    @property
    def marked(self) -> bool:
        """Whether the result says ``is_error: true``."""
        return bool(self.result and self.result.block.get("is_error") is True)

    @property
    def should_be_error(self) -> bool:
        """Whether the result has to say ``is_error: true``: nothing ran, or what ran did not return."""
        return not self.known or self.run is None or self.run.outcome != "returned"

    @property
    def where(self) -> str:
        place = self.result.where if self.result else "messages"
        return f"returned {place}" if self.returned else f"request {self.step.index + 2}, {place}"

    @property
    def title(self) -> str:
        return f"{self.call.get('name')} ({self.id})"


def answers(run) -> list[Answer]:
    """Every call of every reply that the loop went on from (or returned with), matched. ``run``: a ``Run``."""
    found = []
    for step, sequel in run.sequels:
        found += _of_step(run, step, sequel, returned=False)
    if run.returned_sequel is not None:
        found += _of_step(run, *run.returned_sequel, returned=True)
    return found


def _of_step(run, step, sequel, *, returned: bool) -> list[Answer]:
    if step.decision.run == "none" and not returned:
        return []
    results = sequel.results
    out = []
    for call in step.calls:
        answer = Answer(
            step, call, run.function_known(call.get("name")), fits(run, call), _wanted(step, call), returned=returned
        )
        answer.results = [piece for piece in results if piece.block.get("tool_use_id") == call.get("id")]
        out.append(answer)
    _hand_out(list(step.served), out)
    return out


def _hand_out(runs: list, out: list[Answer]) -> None:
    """Give each run to its call; of equal calls, one with a result that says no error comes first, and what is left goes to any."""
    for answer in sorted(out, key=lambda one: not one.results or one.marked):
        own = next((served for served in runs if _same(served, answer.call)), None)
        if own is not None:
            runs.remove(own)
            answer.runs.append(own)
    for extra in runs:
        twin = next((answer for answer in out if _same(extra, answer.call)), None)
        if twin is not None:
            twin.runs.append(extra)


def stray_runs(step) -> list:
    """Tool runs behind a reply that fit none of its calls: another name, or another input."""
    return [served for served in step.served if not any(_same(served, call) for call in step.calls)]


def _same(served, call) -> bool:
    return served.name == call.get("name") and _key(served.input) == _key(call.get("input"))


def _key(value) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _wanted(step, call) -> str:
    if call.get("id") in step.decision.repeated or step.decision.run == "none":
        return "never"
    return "must" if step.decision.run == "all" else "may"


_TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def fits(run, call) -> bool:
    """Whether a call's input fits the tool's parameters: the names always, the JSON types of the schema too.

    A loop may check the schema's types before it runs a tool (contract.md, "Settled besides"), so a type that does not fit
    allows a call that was not run.
    """
    definition = next((tool for tool in run.transcript.tools if tool.get("name") == call.get("name")), None)
    value = call.get("input")
    if definition is None or not isinstance(value, dict):
        return False
    schema = definition.get("input_schema") or {}
    properties = schema.get("properties") or {}
    if not set(schema.get("required") or []) <= set(value) <= set(properties):
        return False
    return all(isinstance(value[key], _TYPES.get(properties[key].get("type"), object)) for key in value)


def misfits(run, call) -> list[str]:
    """The names of the arguments that a call lacks or has too many of, or whose type is wrong."""
    definition = next((tool for tool in run.transcript.tools if tool.get("name") == call.get("name")), {})
    schema = definition.get("input_schema") or {}
    properties, value = schema.get("properties") or {}, call.get("input") or {}
    wrong = [key for key in schema.get("required") or [] if key not in value] + [
        key for key in value if key not in properties
    ]
    wrong += [
        key
        for key in value
        if key in properties and not isinstance(value[key], _TYPES.get(properties[key].get("type"), object))
    ]
    return wrong
