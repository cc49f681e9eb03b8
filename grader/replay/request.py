"""What the API asks of a request besides its history: JSON, with the fields that it needs, of the right type."""

from __future__ import annotations

import json

from grader.replay import nesting

MOST_LEVELS = 200  # as the linter reads: deeper data breaks code that walks it
_REQUIRED = (("model", str, "string"), ("messages", list, "list"), ("max_tokens", int, "integer"))


def parse_body(body: bytes) -> tuple[dict, str | None]:
    """The request and None, or what could be read of it and the API's complaint."""
    try:
        request = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        if b"\\ud" in body.lower():
            json.dumps(request, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is a ValueError here
    except (ValueError, RecursionError) as error:
        return {}, f"The request body is not valid JSON: {error}"
    if nesting.too_deep(body, MOST_LEVELS):
        return {}, f"The request body is nested more than {MOST_LEVELS} levels deep"
    if not isinstance(request, dict):
        return {}, "Input should be an object"
    return request, _complaint(request)


def _refuse_constant(name: str):
    raise ValueError(f"{name} is no JSON number")


def _complaint(request: dict) -> str | None:
    for key, kind, word in _REQUIRED:
        if key not in request:
            return f"{key}: Field required"
        if not isinstance(request[key], kind) or isinstance(request[key], bool):
            return f"{key}: Input should be a valid {word}"
    if request["max_tokens"] < 1:
        return "max_tokens: Input should be greater than or equal to 1"
    if not isinstance(request.get("stream", False), bool):
        return "stream: Input should be a valid boolean"
    return _complaint_about_tools(request.get("tools", []))


def _complaint_about_tools(tools: object) -> str | None:
    if not isinstance(tools, list):
        return "tools: Input should be a valid list"
    names = set()
    for place, tool in enumerate(tools):
        if not isinstance(tool, dict):
            return f"tools.{place}: Input should be an object"
        name = tool.get("name")
        if tool.get("type") in (None, "custom"):
            for key, kind, word in (("name", str, "string"), ("input_schema", dict, "dictionary")):
                if key not in tool:
                    return f"tools.{place}.custom.{key}: Field required"
                if not isinstance(tool[key], kind):
                    return f"tools.{place}.custom.{key}: Input should be a valid {word}"
        if isinstance(name, str):
            if name in names:
                return "tools: Tool names must be unique."
            names.add(name)
    return None
