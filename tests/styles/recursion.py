"""No loop at all: each turn calls the next one."""

import inspect
import json
import threading
from time import monotonic

from anthropic import APIError

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:tool_use stopped:leave "
    "content:dump order:call other:str none:empty"
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
    deadline = monotonic() + timeout_s

    def ask(messages):
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)

    def turn(messages, turns_left, tokens_left, calls_before):
        if turns_left <= 0:
            return "max_turns", messages
        if tokens_left <= 0:
            return "token_budget", messages
        if monotonic() >= deadline:
            return "timeout", messages
        try:
            reply = ask(messages)
        except APIError:
            return "api_error", messages
        content = [block.to_dict() for block in reply.content]
        grown = messages + [{"role": "assistant", "content": content}] if can_go_back(content) else messages
        calls = [block for block in content if block["type"] == "tool_use"]
        return after(reply, grown, messages, calls, turns_left - 1, tokens_left - spent(reply.usage), calls_before)

    def after(reply, grown, before, calls, turns_left, tokens_left, calls_before):
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, before
        if not calls:
            if reply.stop_reason == "pause_turn":
                return turn(grown, turns_left, tokens_left, calls_before)
            return ("tool_use" if reply.stop_reason == "tool_use" else "done"), grown
        known, again = remember(calls_before, calls, max_repeats)
        if again:
            return "repeated_call", grown + [user([problem(call, "repeated too often, not run") for call in calls])]
        results = [perform(call, functions, tool_timeout_s) for call in calls]
        return turn(grown + [user(results)], turns_left, tokens_left, known)

    return turn([user(task)], max_turns, token_budget, ())


def user(content):
    return {"role": "user", "content": content}


def spent(usage):
    return (
        usage.input_tokens
        + usage.output_tokens
        + (usage.cache_read_input_tokens or 0)
        + (usage.cache_creation_input_tokens or 0)
    )


def can_go_back(content):
    if not content or content[-1]["type"] in ("thinking", "redacted_thinking"):
        return False
    first, *rest = content
    if first["type"] == "text":
        useful = bool(first["text"].strip())
    else:
        useful = first["type"] not in ("thinking", "redacted_thinking")
    return useful or (bool(rest) and can_go_back(rest))


def remember(known, calls, limit):
    if not calls:
        return known, False
    first, *rest = calls
    entry = (first["name"], json.dumps(first["input"], sort_keys=True))
    grown = known + (entry,)
    later, again = remember(grown, rest, limit)
    return later, again or grown.count(entry) >= limit


def problem(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "is_error": True, "content": text}


def perform(call, functions, seconds):
    if call["name"] not in functions:
        return problem(call, f"there is no {call['name']!r}")
    function = functions[call["name"]]
    try:
        bound = inspect.signature(function).bind(**call["input"])
    except TypeError as exc:
        return problem(call, str(exc))
    done = threading.Event()
    outcome = {}

    def work():
        try:
            outcome["value"] = function(*bound.args, **bound.kwargs)
        except BaseException as exc:
            outcome["error"] = exc
        done.set()

    threading.Thread(target=work, daemon=True).start()
    if not done.wait(seconds):
        return problem(call, f"timed out after {seconds} s")
    if "error" in outcome:
        if not isinstance(outcome["error"], Exception):
            raise outcome["error"]
        return problem(call, f"{outcome['error']!r}")
    value = outcome["value"]
    blocks = isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value)
    content = value if isinstance(value, str) or blocks else "" if value is None else str(value)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": content}
