"""``async def`` with AsyncAnthropic; the calls of a reply run side by side under ``asyncio.gather``."""

import asyncio
import inspect
import json
import time
from collections import Counter

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:run end_turn_call:run no_call:done stopped:keep content:sdk order:call other:json none:empty"
)


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
    start = time.monotonic()
    messages = [{"role": "user", "content": task}]
    asked = Counter()
    used = 0
    for turn in range(max_turns + 1):
        if turn == max_turns:
            return "max_turns", messages
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - start >= timeout_s:
            return "timeout", messages
        try:
            reply = await client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        usage = reply.usage
        used += usage.input_tokens + usage.output_tokens
        used += (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
        if any(speaks(block) for block in reply.content) and reply.content[-1].type not in HIDDEN:
            messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            if calls:
                messages.append({"role": "user", "content": [failed(c, "the reply is not whole") for c in calls]})
            return reply.stop_reason, messages
        if calls:
            asked.update(key(call) for call in calls)
            over = {call.id for call in calls if asked[key(call)] >= max_repeats}
            jobs = [skip(call) if call.id in over else run(call, functions, tool_timeout_s) for call in calls]
            outcomes = await asyncio.gather(*jobs, return_exceptions=True)
            results = [result(call, outcome) for call, outcome in zip(calls, outcomes, strict=True)]
            messages.append({"role": "user", "content": results})
            if over:
                return "repeated_call", messages
        elif reply.stop_reason != "pause_turn":
            return "done", messages


HIDDEN = ("thinking", "redacted_thinking")


class NotRun(Exception):
    pass


def speaks(block):
    return block.type not in HIDDEN and (block.type != "text" or bool(block.text.strip()))


def key(call):
    return call.name, json.dumps(call.input, sort_keys=True)


async def skip(call):
    raise NotRun(f"{call.name} was asked for too often with this input and was not run")


async def run(call, functions, seconds):
    if call.name not in functions:
        raise NotRun(f"there is no tool {call.name}")
    function = functions[call.name]
    try:
        inspect.signature(function).bind(**call.input)
    except TypeError as misfit:
        raise NotRun(f"the input does not fit {call.name}: {misfit}") from None
    try:
        async with asyncio.timeout(seconds) as limit:
            if inspect.iscoroutinefunction(function):
                return await function(**call.input)
            return await asyncio.to_thread(function, **call.input)
    except TimeoutError:
        if limit.expired():
            raise NotRun(f"{call.name} took longer than {seconds} s") from None
        raise


def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def result(call, outcome):
    if isinstance(outcome, NotRun):
        return failed(call, str(outcome))
    if isinstance(outcome, Exception):
        return failed(call, f"{type(outcome).__name__}: {outcome}")
    if isinstance(outcome, BaseException):
        raise outcome
    if outcome is None:
        outcome = ""
    elif not isinstance(outcome, str):
        blocks = isinstance(outcome, list) and all(isinstance(b, dict) and "type" in b for b in outcome)
        outcome = outcome if blocks else json.dumps(outcome, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": outcome}
