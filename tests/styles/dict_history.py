"""A plain while loop; the history is a list of plain dicts (``model_dump(exclude_none=True)``)."""

import inspect
import json
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep content:dump order:call other:json none:empty"
)

LATE = object()


def run_agent(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    start = time.monotonic()
    messages = [{"role": "user", "content": task}]
    seen = {}
    used = turns = 0
    while True:
        if turns == max_turns:
            return "max_turns", messages
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - start >= timeout_s:
            return "timeout", messages
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        turns += 1
        usage = reply.usage
        used += usage.input_tokens + usage.output_tokens
        used += (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)

        blocks = [b.model_dump(exclude_none=True) for b in reply.content]
        calls = [b for b in blocks if b["type"] == "tool_use"]
        says_something = any(
            b["type"] not in ("text", "thinking", "redacted_thinking") or b.get("text", "").strip() for b in blocks
        )
        if says_something and "thinking" not in blocks[-1]["type"]:
            messages.append({"role": "assistant", "content": blocks})

        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            if calls:
                messages.append({"role": "user", "content": [refuse(c, "the reply was stopped") for c in calls]})
            return reply.stop_reason, messages
        if not calls:
            if reply.stop_reason == "pause_turn":
                continue
            return "done", messages

        too_often = False
        for call in calls:
            key = json.dumps([call["name"], call["input"]], sort_keys=True)
            seen[key] = seen.get(key, 0) + 1
            too_often = too_often or seen[key] >= max_repeats
        if too_often:
            messages.append({"role": "user", "content": [refuse(c, "the same call came too often") for c in calls]})
            return "repeated_call", messages
        messages.append({"role": "user", "content": [run_call(c, functions, tool_timeout_s) for c in calls]})


def refuse(call, why):
    return {"type": "tool_result", "tool_use_id": call["id"], "is_error": True, "content": f"not run: {why}"}


def run_call(call, functions, timeout):
    result = {"type": "tool_result", "tool_use_id": call["id"]}
    function = functions.get(call["name"])
    if function is None:
        return {**result, "is_error": True, "content": f"no tool is called {call['name']}, only {sorted(functions)}"}
    try:
        inspect.signature(function).bind(**call["input"])
        value = limited(function, call["input"], timeout)
    except Exception as exc:
        return {**result, "is_error": True, "content": repr(exc)}
    if value is LATE:
        return {**result, "is_error": True, "content": f"{call['name']} took more than {timeout} s"}
    if value is None:
        value = ""
    elif not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
    ):
        value = json.dumps(value)
    return {**result, "content": value}


def limited(function, arguments, timeout):
    """Return the function's value, raise what it raised, or return LATE."""
    box = [LATE]

    def target():
        try:
            box[:] = [function(**arguments)]
        except BaseException as exc:
            box[:] = [None, exc]

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(timeout)
    outcome = list(box)
    if len(outcome) == 2:
        raise outcome[1]
    return outcome[0]
