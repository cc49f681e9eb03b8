"""Streams every reply with ``client.messages.stream`` and takes ``get_final_message``."""

import inspect
import json
import threading
import time

import anthropic
import httpx2

from grader import MODEL

READINGS = (
    "gate:close siblings:skip end_turn_call:run no_call:done stopped:leave content:sdk order:call other:json none:empty"
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
    began = time.monotonic()
    messages = [{"role": "user", "content": task}]
    spent = 0
    turn = 0
    calls_so_far = []

    def out_of():
        if turn >= max_turns:
            return "max_turns"
        if spent >= token_budget:
            return "token_budget"
        if time.monotonic() - began >= timeout_s:
            return "timeout"

    while not out_of():
        message = receive(client, tools, messages)
        if message is None:
            return "api_error", messages
        turn += 1
        usage = message.usage
        spent += usage.input_tokens + (usage.cache_creation_input_tokens or 0)
        spent += usage.output_tokens + (usage.cache_read_input_tokens or 0)
        if message.stop_reason not in ("end_turn", "tool_use", "pause_turn"):
            return message.stop_reason, messages
        said = [block for block in message.content if not is_thinking(block) and getattr(block, "text", "x").strip()]
        if said and not is_thinking(message.content[-1]):
            messages.append({"role": "assistant", "content": message.content})
        calls = [block for block in message.content if block.type == "tool_use"]
        if calls:
            calls_so_far += [(call.name, call.input) for call in calls]
            again = any(calls_so_far.count((call.name, call.input)) >= max_repeats for call in calls)
            stop = "repeated_call" if again else out_of()
            if stop:
                results = [error(call, f"{call.name} was not run ({stop})") for call in calls]
                messages.append({"role": "user", "content": results})
                return stop, messages
            messages.append({"role": "user", "content": [use(call, functions, tool_timeout_s) for call in calls]})
        elif message.stop_reason != "pause_turn":
            return "done", messages
    return out_of(), messages


def receive(client, tools, messages):
    """Return the whole message, or None where the request or its stream failed."""
    try:
        with client.messages.stream(model=MODEL, max_tokens=1024, tools=tools, messages=messages) as stream:
            for _ in stream:
                pass
            message = stream.get_final_message()
    except (anthropic.APIError, httpx2.HTTPError, AssertionError):
        return None
    return message if message.stop_reason else None


def is_thinking(block):
    return block.type in ("thinking", "redacted_thinking")


def error(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def use(call, functions, seconds):
    if call.name not in functions:
        return error(call, f"{call.name} is unknown")
    function = functions[call.name]
    try:
        inspect.signature(function).bind(**call.input)
    except TypeError as misfit:
        return error(call, f"{call.name}: {misfit}")
    outcome = []

    def target():
        try:
            outcome.append(("value", function(**call.input)))
        except BaseException as problem:
            outcome.append(("problem", problem))

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(timeout=seconds)
    if not outcome:
        return error(call, f"{call.name}: no answer after {seconds} seconds")
    kind, value = outcome[0]
    if kind == "problem":
        if isinstance(value, (SystemExit, KeyboardInterrupt)):
            raise value
        return error(call, f"{call.name}: {type(value).__name__}: {value}")
    if value is None:
        value = ""
    if (
        not isinstance(value, (str, list))
        or isinstance(value, list)
        and any(not isinstance(v, dict) or "type" not in v for v in value)
    ):
        value = json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": value}
