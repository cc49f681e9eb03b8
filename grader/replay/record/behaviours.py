"""What the tools did in a recorded run, told from the results that came back."""

from __future__ import annotations

import builtins
import json
import re

from grader.replay.tools import misfit, signature_of

_NAMED_ERROR = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*): (.*)$", re.DOTALL)
_UNTOLD = {"returns": "The recording has no result for this input."}


def recorded_tools(requests: list[dict], contents: list[list[dict]]) -> tuple[list[dict], list[dict], list[str]]:
    """The tools of the first request with their behaviours, its server tools, and notes on what could not be kept.

    In: the bodies of the requests, and the content of each reply.
    """
    notes: list[str] = []
    own = [tool for tool in requests[0].get("tools") or [] if "input_schema" in tool]
    server = [tool for tool in requests[0].get("tools") or [] if "input_schema" not in tool]
    told = _behaviours(_calls(contents), _results(requests), {tool["name"]: tool for tool in own}, notes)
    tools = []
    for tool in own:
        definition = {key: tool.get(key, "") for key in ("name", "description", "input_schema")}
        if extra := sorted(set(tool) - set(definition) - {"type"}):
            notes.append(f"the tool {tool['name']} was sent with {', '.join(extra)}; a scenario has no place for it")
        tools.append({"definition": definition, "behaviour": [*told.get(tool["name"], []), _UNTOLD]})
    return tools, server, notes


def _calls(contents: list[list[dict]]) -> list[dict]:
    return [block for content in contents for block in content if block.get("type") == "tool_use"]


def _results(requests: list[dict]) -> dict[str, dict]:
    """Each call's result by its id, as the first request that had it sent it."""
    found: dict[str, dict] = {}
    for request in requests:
        for message in request.get("messages") or []:
            content = message.get("content")
            for block in content if isinstance(content, list) else []:
                if block.get("type") == "tool_result":
                    found.setdefault(block.get("tool_use_id"), block)
    return found


def _behaviours(calls: list[dict], results: dict, tools: dict, notes: list[str]) -> dict[str, list[dict]]:
    """By tool name. An input that holds another one's stands before it, since the first that matches is used."""
    told: dict[str, dict[str, dict]] = {name: {} for name in tools}
    for call in calls:
        tool, result = tools.get(call["name"]), results.get(call["id"])
        if tool is None or result is None:
            continue
        if result.get("is_error") and misfit(call["name"], signature_of(tool["input_schema"]), (), call["input"]):
            continue  # the function's signature says it again when it is played
        key = json.dumps(call["input"], sort_keys=True)
        outcome = _outcome(result)
        if told[call["name"]].setdefault(key, {"when": call["input"], **outcome}) != {"when": call["input"], **outcome}:
            notes.append(f"{call['name']} gave different results for the same input {key}; the first is kept")
    return {name: sorted(by_input.values(), key=lambda one: -len(one["when"])) for name, by_input in told.items()}


def _outcome(result: dict) -> dict:
    content = result.get("content")
    if not result.get("is_error"):
        return {"returns": "" if content is None else content}
    text = content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content or [])
    named = _NAMED_ERROR.match(text)
    if named and _can_be_raised(named[1]):
        return {"raises": {"type": named[1], "message": named[2]}}
    return {"raises": {"type": "ToolError", "message": text}}


def _can_be_raised(name: str) -> bool:
    known = getattr(builtins, name, None)
    if known is not None:
        return isinstance(known, type) and issubclass(known, Exception)
    return name.endswith(("Error", "Exception"))
