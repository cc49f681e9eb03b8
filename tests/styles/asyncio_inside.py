"""A sync function with an event loop of its own in a thread; the sync client is asked through ``asyncio.to_thread``."""

import asyncio
import inspect
import json
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:close no_call:done stopped:leave "
    "content:dump order:call other:json none:empty"
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
    outcome = {}

    def main():
        try:
            outcome["value"] = asyncio.run(
                agent(client, task, tools, functions, max_turns, token_budget, timeout_s, tool_timeout_s, max_repeats)
            )
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


async def agent(client, task, tools, functions, max_turns, token_budget, timeout_s, tool_timeout_s, max_repeats):
    start = time.monotonic()
    messages = [{"role": "user", "content": task}]
    asked, used = {}, 0
    for _ in range(max_turns):
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - start >= timeout_s:
            return "timeout", messages
        try:
            reply = await asyncio.to_thread(
                client.messages.create, model=MODEL, max_tokens=1024, tools=tools, messages=messages
            )
        except anthropic.APIError:
            return "api_error", messages
        use = reply.usage
        used += (use.cache_creation_input_tokens or 0) + (use.cache_read_input_tokens or 0)
        used += use.input_tokens + use.output_tokens
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        content = [block.model_dump(exclude_unset=True, exclude_none=True) for block in reply.content]
        solid = [b for b in content if b["type"] not in ("thinking", "redacted_thinking") and b.get("text") != ""]
        if any(b.get("text", "!").strip() for b in solid) and content[-1] in solid:
            messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if reply.stop_reason == "end_turn" or reply.stop_reason == "tool_use" and not calls:
            if calls:
                messages.append({"role": "user", "content": [unrun(call, "the turn was over") for call in calls]})
            return "done", messages
        if not calls:
            continue
        for call in calls:
            name = json.dumps([call["name"], call["input"]], sort_keys=True)
            asked[name] = asked.get(name, 0) + 1
            call_is_last = asked[name] >= max_repeats
            if call_is_last:
                messages.append({"role": "user", "content": [unrun(each, "repeated too often") for each in calls]})
                return "repeated_call", messages
        results = await asyncio.gather(*(result(call, functions, tool_timeout_s) for call in calls))
        messages.append({"role": "user", "content": results})
    return "max_turns", messages


def unrun(call, why):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": f"Not run: {why}.", "is_error": True}


def bad(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


async def result(call, functions, seconds):
    if call["name"] not in functions:
        return bad(call, f"{call['name']}: unknown tool")
    function = functions[call["name"]]
    try:
        inspect.signature(function).bind(**call["input"])
    except TypeError as error:
        return bad(call, f"{call['name']}: {error}")
    loop, event, box = asyncio.get_running_loop(), asyncio.Event(), []

    def work():
        try:
            box.append((True, function(**call["input"])))
        except BaseException as error:
            box.append((False, error))
        if not loop.is_closed():
            loop.call_soon_threadsafe(event.set)

    threading.Thread(target=work, daemon=True).start()
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return bad(call, f"{call['name']}: nothing within {seconds} s")
    fine, value = box[0]
    if not fine:
        if not isinstance(value, Exception):
            raise value
        return bad(call, f"{call['name']}: {type(value).__name__}: {value}")
    if value is None:
        return {"type": "tool_result", "tool_use_id": call["id"]}
    if not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
    ):
        value = json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": value}
