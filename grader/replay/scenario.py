"""The scenario file: what the model says, what the tools do, and what a right loop makes of it.

One JSON file in fixtures/loops/ is one scenario. These models load and check it, and publish its JSON Schema.
"""

from __future__ import annotations

import builtins
import copy
import datetime
import json
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError, model_validator

from grader.places import FIXTURES, SCENARIOS
from grader.replay.wire import check_events, check_message

LEVELS = ("loop", "pairing", "parallel", "errors", "stop_reasons", "gates", "resume")
SCHEMA = FIXTURES / "scenario.schema.json"

Level = Literal["loop", "pairing", "parallel", "errors", "stop_reasons", "gates", "resume"]
Limit = Literal["max_turns", "token_budget", "timeout_s", "tool_timeout_s", "max_repeats"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
ToolName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
Seconds = Annotated[float, Field(ge=0)]


class ScenarioError(Exception):
    """A scenario file cannot be used. The text is one line: the file, the place in it, what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Provenance(_Strict):
    """Where the replies come from: written for the course, or recorded from the API."""

    kind: Literal["authored", "recorded"]
    date: datetime.date
    source: str = Field(description="What the shapes were taken from, or what was recorded.", min_length=1)


class ToolDefinition(_Strict):
    """A tool as it goes into the request."""

    name: ToolName
    description: str
    input_schema: dict[str, Any]


class Raised(_Strict):
    """An exception: a built-in name, or a new name for an exception of the tool's own."""

    type: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    message: str

    @model_validator(mode="after")
    def _only_real_errors(self) -> Raised:
        known = getattr(builtins, self.type, None)
        if known is not None and not (isinstance(known, type) and issubclass(known, Exception)):
            raise ValueError(f"a tool cannot raise {self.type}; name an Exception, such as ValueError")
        return self


class Behaviour(_Strict):
    """What a tool does with some inputs. The first behaviour whose ``when`` is part of the input is used."""

    when: dict[str, Any] | None = Field(None, description="What the input must hold at least. Left out: any input.")
    returns: str | list[dict[str, Any]] | None = None
    returns_json: Any = Field(None, description="A Python value that is neither text nor blocks.")
    raises: Raised | None = None
    hangs: Literal[True] | None = Field(None, description="Block until the run ends; `returns` is the late output.")
    repeat: int = Field(1, ge=1, description="Text in `returns` is repeated so often.")

    @model_validator(mode="after")
    def _one_outcome(self) -> Behaviour:
        given = [key for key in ("returns", "returns_json", "raises") if key in self.model_fields_set]
        if len(given) != 1:
            raise ValueError("give exactly one of returns, returns_json, raises (with hangs: returns)")
        if self.hangs and given != ["returns"]:
            raise ValueError("a tool that hangs has its late output in returns")
        if self.repeat > 1 and not isinstance(self.returns, str):
            raise ValueError("repeat needs a text in returns")
        return self


class Tool(_Strict):
    """A tool of the scenario: its definition and what its function does."""

    model_config = ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True)

    definition: ToolDefinition
    is_async: bool = Field(False, alias="async", description="Hand a loop that is async def a coroutine function.")
    behaviour: list[Behaviour] = Field(min_length=1)

    @property
    def name(self) -> str:
        return self.definition.name

    def behaviour_for(self, input: dict, fresh: Callable = lambda value: value) -> Behaviour | None:
        """The first behaviour whose ``when``, made ``fresh``, is part of the input; None if there is none."""
        for behaviour in self.behaviour:
            wanted = fresh(behaviour.when or {})
            if all(key in input and input[key] == value for key, value in wanted.items()):
                return behaviour
        return None


class MessageReply(_Strict):
    """A message, served whole or as a stream, as the request asks."""

    message: Annotated[dict[str, Any], AfterValidator(check_message)]
    takes_s: Seconds = 0


class HttpError(_Strict):
    """The status and the body of an HTTP error."""

    status: int = Field(ge=400, le=599)
    type: str
    message: str


class ErrorReply(_Strict):
    """An HTTP error. The SDK tries three times on 429 and 5xx: an error that is to last has ``times`` 3, or a header
    ``x-should-retry: false``."""

    error: HttpError
    headers: dict[str, str] = {}
    times: int = Field(1, ge=1)
    takes_s: Seconds = 0


class EventsReply(_Strict):
    """A stream, event by event, for what a message cannot show: a call cut inside its JSON, a broken connection."""

    events: Annotated[list[dict[str, Any]], AfterValidator(check_events)]
    cut: bool = Field(False, description="The connection breaks after the last event.")
    takes_s: Seconds = 0


def _kind_of_reply(reply: Any) -> str | None:
    holds = reply.__contains__ if isinstance(reply, dict) else lambda key: hasattr(reply, key)
    return next((kind for kind in ("message", "error", "events") if holds(kind)), None)


Reply = Annotated[
    Annotated[MessageReply, Tag("message")]
    | Annotated[ErrorReply, Tag("error")]
    | Annotated[EventsReply, Tag("events")],
    Discriminator(
        _kind_of_reply,
        custom_error_type="reply_kind",
        custom_error_message="a reply holds one of message, error, events",
    ),
]


class Expectation(_Strict):
    """What a right loop makes of the scenario; all else follows from the contract."""

    status: list[str] = Field(min_length=1, description="The statuses that are right.")
    note: str = ""


class Scenario(_Strict):
    """One file in fixtures/loops/."""

    name: Name
    title: str = Field(min_length=1)
    level: Level
    teaches: str = Field(min_length=1)
    provenance: Provenance
    task: str = Field(min_length=1)
    tools: list[Tool]
    server_tools: list[dict[str, Any]] = Field(
        [], description="Definitions of tools that the API runs itself; they follow the others and have no functions."
    )
    extra_functions: list[Tool] = Field([], description="Functions that the loop gets without a declared tool.")
    missing_functions: list[ToolName] = Field([], description="Declared tools that the loop gets no function for.")
    replies: list[Reply] = Field(min_length=1)
    repeat_last: bool = Field(False, description="The last reply is repeated for ever, with fresh ids.")
    limits: dict[Limit, int | float] = {}
    demo: bool = Field(False, description="Shown in a chapter; takes no part in grading.")
    runs: int = Field(1, ge=1, le=3, description="How often the same function is played, to see what it keeps.")
    expect: Expectation

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """The tools as the loop gets them and sends them in a request."""
        return [tool.definition.model_dump() for tool in self.tools] + copy.deepcopy(self.server_tools)

    @model_validator(mode="after")
    def _names_fit(self) -> Scenario:
        declared = [tool.name for tool in self.tools]
        extra = [tool.name for tool in self.extra_functions]
        for name in [*declared, *extra]:
            if (declared + extra).count(name) > 1:
                raise ValueError(f"two tools are called {name}; rename one")
        for name in self.missing_functions:
            if name not in declared:
                raise ValueError(f"missing_functions names {name}, which is not in tools")
        if self.repeat_last and not isinstance(self.replies[-1], MessageReply):
            raise ValueError("repeat_last needs a message as the last reply")
        return self

    @model_validator(mode="after")
    def _calls_are_scripted(self) -> Scenario:
        tools = {tool.name: tool for tool in [*self.tools, *self.extra_functions]}
        for place, reply in enumerate(self.replies):
            if not isinstance(reply, MessageReply) or reply.message["stop_reason"] != "tool_use":
                continue
            for block in reply.message["content"]:
                tool = tools.get(block.get("name")) if block["type"] == "tool_use" else None
                if tool and not tool.behaviour_for(block["input"]):
                    raise ValueError(f"replies[{place}] calls {tool.name} with an input that no behaviour is meant for")
        return self


def load_scenario(name_or_path: str | Path) -> Scenario:
    """The scenario of this name in fixtures/loops/, or in the file at this path. Raises ScenarioError."""
    path = Path(name_or_path)
    if path.suffix != ".json":
        path = SCENARIOS / f"{name_or_path}.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ScenarioError(f"{path.name}: there is no such scenario{_did_you_mean(path)}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path.name}: cannot be read as UTF-8 text ({error})") from None
    scenario = read_scenario(text, path.name)
    if scenario.name != path.stem:
        raise ScenarioError(f"{path.name}: name: is {scenario.name!r}; make it the file's name, {path.stem!r}")
    return scenario


def read_scenario(text: str, source: str) -> Scenario:
    """The scenario that the JSON text holds; ``source`` is the file's name in errors. Raises ScenarioError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScenarioError(f"{source}: is not JSON ({error})") from None
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(f"{source}: {_one_line(error)}") from None


def all_scenarios() -> list[Scenario]:
    """Every scenario in fixtures/loops/, by level, then by name. Raises ScenarioError at the first unusable one."""
    scenarios = [load_scenario(path) for path in sorted(SCENARIOS.glob("*.json"))]
    return sorted(scenarios, key=lambda scenario: (LEVELS.index(scenario.level), scenario.name))


def schema_text() -> str:
    """The JSON Schema of a scenario file, as text that is the same on each run."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Scenario.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schema(path: Path = SCHEMA) -> None:
    """Write the JSON Schema of a scenario file."""
    path.write_text(schema_text(), encoding="utf-8", newline="\n")


def _did_you_mean(path: Path) -> str:
    near = get_close_matches(path.stem, [other.stem for other in path.parent.glob("*.json")], n=1)
    return f"; did you mean {near[0]}?" if near else f" in {path.parent.name}/"


_WHAT_TO_DO = {
    "missing": "is missing; add it",
    "extra_forbidden": "is not a key of a scenario here; remove it or correct its spelling",
}


def _one_line(error: ValidationError) -> str:
    first, *others = error.errors(include_url=False, include_context=False, include_input=False)
    what = _WHAT_TO_DO.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    place = _place(first["loc"])
    more = f" (and {len(others)} more)" if others else ""
    return f"{place}: {what}{more}" if place else f"{what}{more}"


def _place(steps: tuple[str | int, ...]) -> str:
    if steps[:1] == ("replies",):
        steps = steps[:2] + steps[3:]  # the third is the kind of reply that pydantic tried, not a key of the file
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
