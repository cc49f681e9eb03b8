"""Closures: small functions inside ``run_agent`` share its variables with ``nonlocal``."""

import inspect
import json
import threading
from time import monotonic

from anthropic import APIError

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:run no_call:tool_use stopped:keep "
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
    begun = monotonic()
    turns = used = 0
    messages = []
    tally = {}
    worn = set()

    def say(role, content):
        messages.append({"role": role, "content": content})

    def gate():
        if turns >= max_turns:
            return "max_turns"
        if used >= token_budget:
            return "token_budget"
        if monotonic() - begun >= timeout_s:
            return "timeout"
        return None

    def listen():
        nonlocal turns, used
        reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        turns += 1
        used += reply.usage.input_tokens + (reply.usage.cache_creation_input_tokens or 0)
        used += reply.usage.output_tokens + (reply.usage.cache_read_input_tokens or 0)
        content = [block.model_dump(exclude_none=True) for block in reply.content]
        hidden = ("thinking", "redacted_thinking")
        if content and content[-1]["type"] not in hidden:
            if any(b["type"] not in hidden and (b["type"] != "text" or b["text"].strip()) for b in content):
                say("assistant", content)
        return reply.stop_reason, [block for block in content if block["type"] == "tool_use"]

    def status_after(reason, calls):
        if reason not in ("tool_use", "end_turn", "pause_turn"):
            return reason
        if not calls:
            return {"tool_use": "tool_use", "end_turn": "done"}.get(reason)
        for call in calls:
            key = call["name"], json.dumps(call["input"], sort_keys=True)
            tally[key] = tally.get(key, 0) + 1
            if tally[key] >= max_repeats:
                worn.add(call["id"])
        return "repeated_call" if worn else gate()

    def answer(call, status):
        if status and not (status == "repeated_call" and call["id"] not in worn):
            text, is_error = f"not run because of {status}", True
        else:
            text, is_error = outcome(call)
        flag = {"is_error": True} if is_error else {}
        return {"type": "tool_result", "tool_use_id": call["id"], "content": text, **flag}

    def outcome(call):
        function = functions.get(call["name"])
        if function is None:
            return f"unknown tool {call['name']}", True
        try:
            inspect.signature(function).bind(**call["input"])
        except TypeError as error:
            return f"arguments of {call['name']}: {error}", True
        value = error = None
        finished = False

        def work():
            nonlocal value, error, finished
            try:
                value = function(**call["input"])
            except BaseException as problem:
                error = problem
            finished = True

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(tool_timeout_s)
        if not finished:
            return f"{call['name']} has not finished within {tool_timeout_s} s", True
        if error is not None:
            if not isinstance(error, Exception):
                raise error
            return f"{type(error).__name__}: {error}", True
        if (
            isinstance(value, str)
            or isinstance(value, list)
            and all(isinstance(b, dict) and "type" in b for b in value)
        ):
            return value, False
        return ("" if value is None else json.dumps(value, default=str)), False

    say("user", task)
    status = gate()
    while not status:
        try:
            reason, calls = listen()
        except APIError:
            return "api_error", messages
        status = status_after(reason, calls)
        if calls:
            say("user", [answer(call, status) for call in calls])
        status = status or gate()
        if reason in ("end_turn", "tool_use") and not calls:
            status = "done" if reason == "end_turn" else "tool_use"
    return status, messages
