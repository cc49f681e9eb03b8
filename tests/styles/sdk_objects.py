"""SDK objects stay in the history as they came; a tuple of gates is asked before each request."""

import inspect
import queue
import threading
import time
from collections import defaultdict

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:run end_turn_call:close no_call:tool_use stopped:leave "
    "content:sdk order:call other:str none:words"
)


def run_agent(client, task, tools, functions, **limits):
    max_turns = limits.get("max_turns", 10)
    budget = limits.get("token_budget", 200_000)
    timeout_s = limits.get("timeout_s", 300)
    tool_timeout_s = limits.get("tool_timeout_s", 30)
    max_repeats = limits.get("max_repeats", 3)
    history = [{"role": "user", "content": task}]
    replies = []
    counts = defaultdict(int)
    start = time.monotonic()
    gates = (
        ("max_turns", lambda: len(replies) >= max_turns),
        ("token_budget", lambda: sum(map(cost, replies)) >= budget),
        ("timeout", lambda: time.monotonic() - start >= timeout_s),
    )
    while True:
        for status, closed in gates:
            if closed():
                return status, history
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1500, messages=history, tools=tools)
        except anthropic.APIError:
            return "api_error", history
        replies.append(reply)
        calls = [block for block in reply.content if block.type == "tool_use"]
        reason = reply.stop_reason
        if reason in ("tool_use", "pause_turn") and calls:
            history.append({"role": "assistant", "content": reply.content})
            results, stop = [], False
            for call in calls:
                key = (call.name, freeze(call.input))
                counts[key] += 1
                if counts[key] >= max_repeats:
                    stop = True
                    results.append(
                        failed(call, f"this is call number {counts[key]} with the same input; it was not run")
                    )
                else:
                    results.append(run(call, functions, tool_timeout_s))
            history.append({"role": "user", "content": results})
            if stop:
                return "repeated_call", history
        elif reason == "pause_turn":
            if reply.content:
                history.append({"role": "assistant", "content": reply.content})
        elif reason in ("tool_use", "end_turn"):
            if worth_keeping(reply.content):
                history.append({"role": "assistant", "content": reply.content})
            if calls:
                notes = [failed(call, "the turn had ended, so this was not run") for call in calls]
                history.append({"role": "user", "content": notes})
            return ("done" if reason == "end_turn" else "tool_use"), history
        else:
            return reason, history


def cost(reply):
    use = reply.usage
    parts = (use.input_tokens, use.cache_creation_input_tokens, use.cache_read_input_tokens, use.output_tokens)
    return sum(part or 0 for part in parts)


def worth_keeping(content):
    spoken = [b for b in content if b.type == "text" and b.text.strip()]
    other = [b for b in content if b.type not in ("text", "thinking", "redacted_thinking")]
    return bool(spoken or other) and content[-1].type not in ("thinking", "redacted_thinking")


def freeze(value):
    if isinstance(value, dict):
        return frozenset((key, freeze(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(freeze(item) for item in value)
    return (type(value).__name__, value)


def failed(call, text):
    return {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": [{"type": "text", "text": text}],
        "is_error": True,
    }


def run(call, functions, seconds):
    try:
        function = functions[call.name]
    except KeyError:
        return failed(call, f"unknown tool: {call.name}")
    try:
        inspect.signature(function).bind(**call.input)
    except TypeError as exc:
        return failed(call, f"bad input: {exc}")
    answers = queue.SimpleQueue()

    def job():
        try:
            answers.put((True, function(**call.input)))
        except BaseException as exc:
            answers.put((False, exc))

    threading.Thread(target=job, daemon=True).start()
    try:
        fine, value = answers.get(timeout=seconds)
    except queue.Empty:
        return failed(call, f"no answer from {call.name} in {seconds} seconds")
    if not fine:
        if not isinstance(value, Exception):
            raise value
        return failed(call, f"{type(value).__name__}: {value}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": text_or_blocks(value)}


def text_or_blocks(value):
    if value is None:
        return "(the tool returned nothing)"
    if isinstance(value, list) and value and all(isinstance(item, dict) and "type" in item for item in value):
        return value
    return value if isinstance(value, str) else str(value)
