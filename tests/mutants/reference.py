"""The reference loop: right at every level of the contract. The mutants are small edits of it."""

import inspect
import json
import queue
import threading
import time
from collections import Counter

import anthropic

from grader import MODEL

GOES_ON = ("tool_use", "end_turn", "pause_turn")


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
    asked = Counter()
    requests = 0
    used = 0
    while True:
        if requests >= max_turns:
            return "max_turns", messages
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - started >= timeout_s:
            return "timeout", messages
        try:
            reply = ask(client, messages, tools)
        except anthropic.APIError:
            return "api_error", messages
        requests += 1
        used += tokens(reply.usage)
        content = as_dicts(reply.content)
        calls = [block for block in content if block["type"] == "tool_use"]
        if sendable(content):
            messages.append({"role": "assistant", "content": content})
        if reply.stop_reason not in GOES_ON:
            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
            return reply.stop_reason, messages
        if reply.stop_reason == "pause_turn" and not calls:
            continue
        if not calls:
            return "done", messages
        asked.update(key(call) for call in calls)
        if any(asked[key(call)] >= max_repeats for call in calls):
            close(messages, calls, "A call was repeated too often.")
            return "repeated_call", messages
        results = [answer(call, functions, tool_timeout_s) for call in calls]
        messages.append({"role": "user", "content": results})


def ask(client, messages, tools):
    return client.messages.create(model=MODEL, max_tokens=2000, tools=tools, messages=messages)


def tokens(usage):
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached + usage.output_tokens


def as_dicts(content):
    return [block.model_dump(mode="json", exclude_none=True) for block in content]


def sendable(content):
    """False for a reply that can't be sent back: empty, only thinking or blank text, or cut off while thinking."""
    if not content or content[-1]["type"] in ("thinking", "redacted_thinking"):
        return False
    return not all(block["type"] in ("thinking", "redacted_thinking") or blank(block) for block in content)


def blank(block):
    return block["type"] == "text" and not block["text"].strip()


def key(call):
    return call["name"], json.dumps(call["input"], sort_keys=True)


def close(messages, calls, why):
    """Answer calls that are not run, so that the history can be continued."""
    if calls:
        unrun = [error(call, f"This call was not run. {why}") for call in calls]
        messages.append({"role": "user", "content": unrun})


def error(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


def answer(call, functions, tool_timeout_s):
    """Run one call and return its tool_result block."""
    name, arguments = call["name"], call["input"]
    if name not in functions:
        return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.")
    function = functions[name]
    complaint = misfit(function, arguments)
    if complaint:
        return error(call, f"The input does not fit {name}: {complaint}.")
    outcome, value = in_time(function, arguments, tool_timeout_s)
    if outcome == "late":
        return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")
    if outcome == "raised":
        return error(call, f"{type(value).__name__}: {value}")
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}


def misfit(function, arguments):
    """Return what is wrong with the arguments, or None."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as complaint:
        return str(complaint)
    return None


def in_time(function, arguments, seconds):
    """Run the function in a thread of its own; return ("returned", value), ("raised", exception) or ("late", None)."""
    outcomes = queue.Queue()

    def work():
        try:
            outcomes.put(("returned", function(**arguments)))
        except BaseException as problem:
            outcomes.put(("raised", problem))

    threading.Thread(target=work, daemon=True).start()
    try:
        outcome, value = outcomes.get(timeout=seconds)
    except queue.Empty:
        return "late", None
    if outcome == "raised" and not isinstance(value, Exception):
        raise value
    return outcome, value


def as_content(value):
    if isinstance(value, str) or is_blocks(value):
        return value
    if value is None:
        return ""
    return json.dumps(value, default=str)


def is_blocks(value):
    return isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value)
