"""A cache mark on the newest user message, moved on each turn; a system prompt with a mark of its own."""

import copy
import inspect
import json
import queue
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep content:dump order:call other:json none:words"
)

MARK = {"type": "ephemeral"}
SYSTEM = [{"type": "text", "text": "Use the tools. Be brief.", "cache_control": MARK}]


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
    messages = [{"role": "user", "content": [{"type": "text", "text": task}]}]
    start = time.monotonic()
    requests = used = 0
    asked = {}
    while True:
        closed = [
            name
            for name, shut in (
                ("max_turns", requests >= max_turns),
                ("token_budget", used >= token_budget),
                ("timeout", time.monotonic() - start >= timeout_s),
            )
            if shut
        ]
        if closed:
            return closed[0], messages
        move_mark(messages)
        try:
            reply = client.messages.create(
                model=MODEL, max_tokens=1024, system=SYSTEM, tools=copy.deepcopy(tools), messages=messages
            )
        except anthropic.APIError:
            return "api_error", messages
        requests += 1
        used += billed(reply.usage)
        blocks = [block.model_dump(exclude_none=True) for block in reply.content]
        tool_uses = [block for block in blocks if block["type"] == "tool_use"]
        if tool_uses or spoken(blocks):
            messages.append({"role": "assistant", "content": blocks})
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            give(messages, [mistake(block, f"The reply ended early: {reply.stop_reason}.") for block in tool_uses])
            return reply.stop_reason, messages
        if tool_uses:
            most = 0
            for block in tool_uses:
                asked.setdefault(block["name"], []).append(block["input"])
                most = max(most, asked[block["name"]].count(block["input"]))
            if most >= max_repeats:
                give(messages, [mistake(block, f"Asked {most} times; not run.") for block in tool_uses])
                return "repeated_call", messages
            give(messages, [work(block, functions, tool_timeout_s) for block in tool_uses])
        elif reply.stop_reason != "pause_turn":
            return "done", messages


def move_mark(messages):
    """Leave a mark on the last block of the last user message, and on no other."""
    users = [message for message in messages if message["role"] == "user"]
    for message in users:
        for block in message["content"]:
            block.pop("cache_control", None)
    users[-1]["content"][-1]["cache_control"] = MARK


def billed(usage):
    return (
        usage.input_tokens
        + (usage.cache_creation_input_tokens or 0)
        + (usage.cache_read_input_tokens or 0)
        + usage.output_tokens
    )


def spoken(blocks):
    while blocks and blocks[-1]["type"] == "text" and not blocks[-1]["text"].strip():
        blocks = blocks[:-1]
    return bool(blocks) and blocks[-1]["type"] not in ("thinking", "redacted_thinking")


def give(messages, results):
    if results:
        messages.append({"role": "user", "content": results})


def mistake(block, text):
    return {"type": "tool_result", "tool_use_id": block["id"], "content": text, "is_error": True}


def work(block, functions, seconds):
    name = block["name"]
    if name not in functions:
        return mistake(block, f"{name} does not exist; there are {', '.join(functions)}")
    try:
        inspect.signature(functions[name]).bind(**block["input"])
    except TypeError as error:
        return mistake(block, f"{name}: {error}")
    tray = queue.Queue()

    def job():
        try:
            tray.put(functions[name](**copy.deepcopy(block["input"])))
        except Exception as error:
            tray.put(mistake(block, f"{type(error).__name__}: {error}"))
        except BaseException as error:
            tray.put(error)

    threading.Thread(target=job, daemon=True).start()
    try:
        value = tray.get(timeout=seconds)
    except queue.Empty:
        return mistake(block, f"{name}: no result after {seconds} s")
    if isinstance(value, BaseException):
        raise value
    if isinstance(value, dict) and value.get("tool_use_id") == block["id"]:
        return value
    if value is None:
        value = "The tool returned None."
    if not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
    ):
        value = json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": block["id"], "content": value}
