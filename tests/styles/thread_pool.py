"""Parallel calls in a ThreadPoolExecutor; results in the order of the calls."""

import inspect
import json
import time
from concurrent.futures import ThreadPoolExecutor, wait

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:run no_call:done stopped:keep content:sdk order:call other:json none:empty"
)


def run_agent(
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
    past_calls = []
    used = 0
    for turn in range(max_turns):
        if (stop := over(used, token_budget, started, timeout_s)) is not None:
            return stop, messages
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        used += all_tokens(reply.usage.model_dump())
        if any(has_substance(block) for block in reply.content) and "thinking" not in reply.content[-1].type:
            messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if reply.stop_reason not in ("end_turn", "tool_use", "pause_turn"):
            if calls:
                messages.append({"role": "user", "content": [bad(c.id, "This reply was not complete.") for c in calls]})
            return reply.stop_reason, messages
        if not calls and reply.stop_reason != "pause_turn":
            return "done", messages
        if not calls:
            continue
        repeated = set()
        for call in calls:
            past_calls.append((call.name, call.input))
            if past_calls.count((call.name, call.input)) >= max_repeats:
                repeated.add(call.id)
        last = turn + 1 == max_turns or over(used, token_budget, started, timeout_s)
        unrun = {call.id for call in calls} if last and not repeated else repeated
        done = run_all([call for call in calls if call.id not in unrun], functions, tool_timeout_s)
        results = [done.get(call.id) or bad(call.id, "This call was not run.") for call in calls]
        messages.append({"role": "user", "content": results})
        if repeated:
            return "repeated_call", messages
    return "max_turns", messages


def over(used, budget, started, timeout_s):
    if used >= budget:
        return "token_budget"
    if time.monotonic() - started >= timeout_s:
        return "timeout"
    return None


def all_tokens(usage):
    names = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
    return sum(usage[name] or 0 for name in names)


def has_substance(block):
    if block.type == "text":
        return block.text.strip() != ""
    return block.type not in ("thinking", "redacted_thinking")


def bad(call_id, text):
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": True}


def run_all(calls, functions, seconds):
    """Return {id: tool_result}; calls that don't fit anything never reach a thread."""
    results, futures = {}, {}
    pool = ThreadPoolExecutor(max_workers=len(calls) or 1)
    for call in calls:
        try:
            function = functions[call.name]
        except KeyError:
            results[call.id] = bad(call.id, f"The tool {call.name!r} does not exist.")
            continue
        try:
            inspect.signature(function).bind(**call.input)
        except TypeError as error:
            results[call.id] = bad(call.id, f"Wrong arguments: {error}")
            continue
        futures[pool.submit(function, **call.input)] = call
    finished, unfinished = wait(futures, timeout=seconds)
    pool.shutdown(wait=False, cancel_futures=True)
    for future in unfinished:
        call = futures[future]
        results[call.id] = bad(call.id, f"{call.name} exceeded its {seconds} s.")
    for future in finished:
        results[futures[future].id] = outcome(futures[future], future)
    return results


def outcome(call, future):
    try:
        value = future.result()
    except Exception as error:
        return bad(call.id, f"{call.name} failed with {type(error).__name__}: {error}")
    if value is None:
        value = ""
    elif not isinstance(value, str):
        is_blocks = isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
        value = value if is_blocks else json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": value}
