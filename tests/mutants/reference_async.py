"""The reference loop, async: the calls of a reply run side by side. Right at every level; base of the async mutants."""

import asyncio
import inspect
import json
import time
from collections import Counter

import anthropic

from grader import MODEL

GOES_ON = ("tool_use", "end_turn", "pause_turn")


async def run_agent(
    client,
    task,
    tools,
    functions,
    *,
    max_turns=10,
    token_budget=200_000,
    timeout_s=300,
    tool_timeout_s=30,
    max_repeats=3,
):
    started = time.monotonic()
    messages = [{"role": "user", "content": task}]
    asked = Counter()
    requests = 0
    used = 0
    while True:
        if requests >= max_turns:
            return "max_turns", messages
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - started >= timeout_s:
            return "timeout", messages
        try:
            reply = await ask(client, messages, tools)
        except anthropic.APIError:
            return "api_error", messages
        requests += 1
        used += tokens(reply.usage)
        content = as_dicts(reply.content)
        calls = [block for block in content if block["type"] == "tool_use"]
        if sendable(content):
            messages.append({"role": "assistant", "content": content})
        if reply.stop_reason not in GOES_ON:
            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
            return reply.stop_reason, messages
        if reply.stop_reason == "pause_turn" and not calls:
            continue
        if not calls:
            return "done", messages
        asked.update(key(call) for call in calls)
        if any(asked[key(call)] >= max_repeats for call in calls):
            close(messages, calls, "A call was repeated too often.")
            return "repeated_call", messages
        results = await asyncio.gather(*[answer(call, functions, tool_timeout_s) for call in calls])
        messages.append({"role": "user", "content": results})


async def ask(client, messages, tools):
    return await client.messages.create(model=MODEL, max_tokens=2000, tools=tools, messages=messages)


def tokens(usage):
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached + usage.output_tokens


def as_dicts(content):
    return [block.model_dump(mode="json", exclude_none=True) for block in content]


def sendable(content):
    """False for a reply that can't be sent back: empty, only thinking or blank text, or cut off while thinking."""
    if not content or content[-1]["type"] in ("thinking", "redacted_thinking"):
        return False
    return not all(block["type"] in ("thinking", "redacted_thinking") or blank(block) for block in content)


def blank(block):
    return block["type"] == "text" and not block["text"].strip()


def key(call):
    return call["name"], json.dumps(call["input"], sort_keys=True)


def close(messages, calls, why):
    """Answer calls that are not run, so that the history can be continued."""
    if calls:
        unrun = [error(call, f"This call was not run. {why}") for call in calls]
        messages.append({"role": "user", "content": unrun})


def error(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


async def answer(call, functions, tool_timeout_s):
    """Run one call and return its tool_result block."""
    name, arguments = call["name"], call["input"]
    if name not in functions:
        return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.")
    function = functions[name]
    complaint = misfit(function, arguments)
    if complaint:
        return error(call, f"The input does not fit {name}: {complaint}.")
    outcome, value = await in_time(function, arguments, tool_timeout_s)
    if outcome == "late":
        return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")
    if outcome == "raised":
        return error(call, f"{type(value).__name__}: {value}")
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}


async def in_time(function, arguments, seconds):
    """Return ("returned", value), ("raised", exception) or ("late", None)."""
    running = asyncio.create_task(run(function, arguments))
    finished, _ = await asyncio.wait([running], timeout=seconds)
    if not finished:
        running.cancel()
        return "late", None
    problem = running.exception()
    return ("raised", problem) if problem else ("returned", running.result())


async def run(function, arguments):
    """Await a coroutine function; give an ordinary one a thread, so that its siblings are not kept waiting."""
    if inspect.iscoroutinefunction(function):
        return await function(**arguments)
    return await asyncio.to_thread(function, **arguments)


def misfit(function, arguments):
    """Return what is wrong with the arguments, or None."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as complaint:
        return str(complaint)
    return None


def as_content(value):
    if isinstance(value, str) or is_blocks(value):
        return value
    if value is None:
        return ""
    return json.dumps(value, default=str)


def is_blocks(value):
    return isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value)
