"""What conversations are drawn from, and the level of the contract that each of it belongs to. The simplest outcome
stands first.
"""

from dataclasses import dataclass

from grader.judging.contract import LEVELS

_TEXT, _INTEGER, _OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "object"}


@dataclass(frozen=True)
class DrawnTool:
    """A tool's parameters. ``key`` names the one that tells calls apart; None for a tool without parameters.

    ``declared`` and ``has_function``: whether the request names it, and whether the loop gets a function for it.
    """

    name: str
    properties: dict
    required: tuple[str, ...]
    key: str | None
    declared: bool = True
    has_function: bool = True

    @property
    def definition(self) -> dict:
        """The tool as it goes into the request."""
        schema = {"type": "object", "properties": self.properties, "required": list(self.required)}
        return {"name": self.name, "description": f"Drawn for a test: {self.name}.", "input_schema": schema}


# Parameters called name, input and function are there on purpose: a helper that takes **input beside its own
# parameters breaks on them.
TOOLS = {
    tool.name: tool
    for tool in (
        DrawnTool("look", {"at": _TEXT}, ("at",), "at"),
        DrawnTool("count", {"to": _INTEGER, "step": _INTEGER}, ("to",), "to"),
        DrawnTool("clock", {}, (), None),
        DrawnTool("store", {"name": _TEXT, "input": _OBJECT}, ("name", "input"), "name"),
        DrawnTool("ask", {"function": _TEXT, "timeout": _INTEGER}, ("function",), "function"),
        DrawnTool("letter", {"to": _TEXT}, ("to",), "to", has_function=False),
        DrawnTool("invented", {"what": _TEXT}, ("what",), "what", declared=False, has_function=False),
        DrawnTool("looks", {"at": _TEXT}, ("at",), "at", declared=False, has_function=False),
    )
}
_UNKNOWN = ("letter", "invented", "looks")

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
_PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": _PIXEL}}

# Outcomes of a call, as keys of a scenario's behaviour. {n} becomes the call's number, so that no two outputs are
# alike.
_OUTCOMES = (
    ("loop", {"returns": "out {nonce:k{n}}"}),
    ("loop", {"returns": '  <b>{nonce:k{n}}</b> \u00e9\u4e2d "quoted" \\n\n'}),
    ("errors", {"raises": {"type": "ValueError", "message": "no {nonce:k{n}}"}}),
    ("errors", {"raises": {"type": "KeyError", "message": "key {nonce:k{n}}"}}),
    ("errors", {"raises": {"type": "TypeError", "message": "unsupported {nonce:k{n}}"}}),
    ("errors", {"raises": {"type": "StationClosed", "message": "closed {nonce:k{n}}"}}),
    ("errors", {"raises": {"type": "RuntimeError", "message": ""}}),
    ("errors", {"returns": ""}),
    ("errors", {"returns": [{"type": "text", "text": "block {nonce:k{n}}"}]}),
    ("errors", {"returns": [{"type": "text", "text": "one {nonce:k{n}}"}, {"type": "text", "text": "two"}]}),
    ("errors", {"returns": [{"type": "text", "text": "photo {nonce:k{n}}"}, _PICTURE]}),
    ("errors", {"returns": "line {nonce:k{n}}\n", "repeat": 4000}),
    ("gates", {"raises": {"type": "TimeoutError", "message": "the station timed out, {nonce:k{n}}"}}),
    ("resume", {"returns_json": {"value": "{nonce:k{n}}", "unit": None}}),
    ("resume", {"returns_json": 12.5}),
    ("resume", {"returns_json": None}),
    ("resume", {"returns_json": ["{nonce:k{n}}", 1]}),
    ("resume", {"returns_json": True}),
)

# Why a run may end with a reply, and what the reply may hold: "text", "blank", "thinking" (alone), "call",
# "text+call", "nothing".
_ENDS = (
    ("loop", "end_turn", "text"),
    ("stop_reasons", "end_turn", "nothing"),
    ("stop_reasons", "tool_use", "text"),
    *(
        ("stop_reasons", reason, holds)
        for reason in ("max_tokens", "refusal", "stop_sequence", "model_context_window_exceeded", "handed_over")
        for holds in ("text", "text+call", "call", "nothing")
    ),
    ("resume", "end_turn", "blank"),
    ("resume", "end_turn", "thinking"),
    ("resume", "max_tokens", "thinking"),
)
# What a reply may be from which the loop goes on.
_GOING_ON = (("loop", "tool_use"), ("stop_reasons", "pause_turn"), ("stop_reasons", "end_turn"))

RETRIED = ((529, "overloaded_error"), (429, "rate_limit_error"), (500, "api_error"))
FINAL = (
    (400, "invalid_request_error"),
    (401, "authentication_error"),
    (404, "not_found_error"),
    (413, "request_too_large"),
)
TRIES = 3  # of a request on a status that the SDK retries: its own default is two retries
THINKING = ((), ("said",), ("silent",), ("redacted",), ("redacted", "redacted"), ("said", "redacted"))


def known(level: str, since: str) -> bool:
    """Whether ``level`` knows what came in at the level ``since``."""
    return LEVELS[level] >= LEVELS[since]


def tools_at(level: str) -> list[str]:
    """Names of the tools that may be called."""
    return [name for name in TOOLS if name not in _UNKNOWN or known(level, "errors")]


def outcomes_at(level: str) -> list[dict]:
    return [outcome for since, outcome in _OUTCOMES if known(level, since)]


def ends_at(level: str) -> list[tuple[str, str]]:
    return [(reason, holds) for since, reason, holds in _ENDS if known(level, since)]


def reasons_at(level: str) -> list[str]:
    return [reason for since, reason in _GOING_ON if known(level, since)]


def thinking_at(level: str) -> list[tuple[str, ...]]:
    return list(THINKING) if known(level, "pairing") else [()]
