"""``async def``, raw events with ``async for``, and the calls awaited one after the other."""

import asyncio
import inspect
import json
import time

import anthropic
import httpx2

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep content:built order:call other:json none:empty"
)


async def run_agent(client, task, tools, functions, **limits):
    limits = {
        "max_turns": 10,
        "token_budget": 200_000,
        "timeout_s": 300,
        "tool_timeout_s": 30,
        "max_repeats": 3,
    } | limits
    messages = [{"role": "user", "content": task}]
    begin = time.monotonic()
    turns = used = 0
    count = {}
    while True:
        if turns >= limits["max_turns"]:
            return "max_turns", messages
        if used >= limits["token_budget"]:
            return "token_budget", messages
        if time.monotonic() - begin >= limits["timeout_s"]:
            return "timeout", messages
        try:
            message = await read(client, tools, messages)
        except (anthropic.APIError, httpx2.HTTPError, ConnectionError):
            return "api_error", messages
        turns += 1
        used += message["used"]
        content, reason = message["content"], message["stop_reason"]
        if presentable(content):
            messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if reason not in ("tool_use", "end_turn", "pause_turn"):
            if calls:
                messages.append(
                    {"role": "user", "content": [no(call, f"unfinished reply ({reason})") for call in calls]}
                )
            return reason, messages
        if not calls:
            if reason == "pause_turn":
                continue
            return "done", messages
        highest = 0
        for call in calls:
            key = json.dumps([call["name"], call["input"]], sort_keys=True)
            count[key] = count.get(key, 0) + 1
            highest = max(highest, count[key])
        results = []
        for call in calls:
            if highest >= limits["max_repeats"]:
                results.append(no(call, "a call of this reply was repeated too often; none was run"))
            else:
                results.append(await carry_out(call, functions, limits["tool_timeout_s"]))
        messages.append({"role": "user", "content": results})
        if highest >= limits["max_repeats"]:
            return "repeated_call", messages


async def read(client, tools, messages):
    blocks, json_of, usage, reason, whole = {}, {}, {}, None, False
    stream = await client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages, stream=True)
    async with stream:
        async for event in stream:
            if event.type == "message_start":
                usage = event.message.usage.model_dump(exclude_none=True)
            elif event.type == "content_block_start":
                blocks[event.index] = event.content_block.model_dump(exclude_none=True)
            elif event.type == "content_block_delta":
                for name, value in event.delta.model_dump(exclude={"type"}).items():
                    if name == "partial_json":
                        json_of[event.index] = json_of.get(event.index, "") + value
                    elif name == "citation":
                        blocks[event.index].setdefault("citations", []).append(value)
                    elif name in ("text", "thinking"):
                        blocks[event.index][name] += value
                    elif name == "signature":
                        blocks[event.index][name] = value
            elif event.type == "message_delta":
                reason = event.delta.stop_reason
                usage.update(event.usage.model_dump(exclude_none=True))
            elif event.type == "message_stop":
                whole = True
    if not whole:
        raise ConnectionError("the stream ended too early")
    for index, text in json_of.items():
        try:
            blocks[index]["input"] = json.loads(text) if text else {}
        except ValueError:
            blocks[index]["input"] = {}
    used = sum(
        usage.get(f"{name}_tokens", 0) for name in ("input", "output", "cache_creation_input", "cache_read_input")
    )
    return {"content": [blocks[index] for index in sorted(blocks)], "stop_reason": reason, "used": used}


def presentable(content):
    shown = [b for b in content if b["type"] not in ("thinking", "redacted_thinking")]
    return bool(shown) and shown[-1] is content[-1] and any(b.get("text", "-").strip() for b in shown)


def no(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


async def carry_out(call, functions, seconds):
    function = functions.get(call["name"])
    if function is None:
        return no(call, f"{call['name']} is not one of {', '.join(functions)}")
    try:
        inspect.signature(function).bind(**call["input"])
    except TypeError as error:
        return no(call, f"{call['name']}: {error}")
    finished = False

    async def go():
        nonlocal finished
        try:
            if inspect.iscoroutinefunction(function):
                return await function(**call["input"])
            return await asyncio.to_thread(function, **call["input"])
        finally:
            finished = True

    task = asyncio.create_task(go())
    await asyncio.wait([task], timeout=seconds)
    if not finished:
        task.cancel()
        return no(call, f"{call['name']} is too slow: {seconds} s were not enough")
    try:
        value = task.result()
    except Exception as error:
        return no(call, f"{type(error).__name__}: {error}")
    if value is None:
        value = ""
    elif not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
    ):
        value = json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": value}
