"""``with_raw_response``: the reply is read as JSON off the wire, and its blocks go back as the dicts that they were."""

import inspect
import json
import multiprocessing.pool
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep content:wire order:call other:json none:words"
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
    deadline = time.monotonic() + timeout_s
    wire = []
    wire.append({"role": "user", "content": task})
    asked = {}
    requests = tokens = 0
    while requests < max_turns:
        if tokens >= token_budget:
            return "token_budget", wire
        if time.monotonic() >= deadline:
            return "timeout", wire
        try:
            raw = client.messages.with_raw_response.create(model=MODEL, max_tokens=1024, tools=tools, messages=wire)
        except anthropic.APIError:
            return "api_error", wire
        requests += 1
        body = raw.http_response.json()
        usage = body["usage"]
        tokens += sum(value for name, value in usage.items() if name.endswith("_tokens") and isinstance(value, int))
        content = [without_nulls(block) for block in body["content"]]
        calls = [block for block in content if block["type"] == "tool_use"]
        if goes_back(content):
            wire.append({"role": "assistant", "content": content})

        match body["stop_reason"], calls:
            case "pause_turn", []:
                continue
            case "tool_use" | "end_turn", []:
                return "done", wire
            case "tool_use" | "end_turn" | "pause_turn", _:
                if repeats(asked, calls) >= max_repeats:
                    wire.append({"role": "user", "content": [told(call, "Repeated, so not run.") for call in calls]})
                    return "repeated_call", wire
                wire.append({"role": "user", "content": answers(calls, functions, tool_timeout_s)})
            case reason, _:
                if calls:
                    wire.append({"role": "user", "content": [told(call, f"Not run: {reason}.") for call in calls]})
                return reason, wire
    return "max_turns", wire


def without_nulls(block):
    return {name: value for name, value in block.items() if value is not None}


def goes_back(content):
    def counts(block):
        return block["type"] not in ("thinking", "redacted_thinking") and bool(block.get("text", "call").strip())

    return any(map(counts, content)) and content[-1]["type"] not in ("thinking", "redacted_thinking")


def repeats(asked, calls):
    """Count the calls; return the highest count among them."""
    most = 0
    for call in calls:
        key = (call["name"], json.dumps(call["input"], sort_keys=True))
        asked[key] = asked.get(key, 0) + 1
        most = max(most, asked[key])
    return most


def told(call, text):
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "is_error": True,
        "content": [{"type": "text", "text": text}],
    }


def answers(calls, functions, seconds):
    pool = multiprocessing.pool.ThreadPool(len(calls))
    try:
        pending = [pool.apply_async(one, (call, functions)) for call in calls]
        return [collect(call, waiting, seconds) for call, waiting in zip(calls, pending, strict=True)]
    finally:
        pool.close()


def one(call, functions):
    if call["name"] not in functions:
        return told(call, f"Unknown tool {call['name']}; use one of {', '.join(functions)}.")
    try:
        inspect.signature(functions[call["name"]]).bind(**call["input"])
        value = functions[call["name"]](**call["input"])
    except Exception as problem:
        return told(call, f"{type(problem).__name__}: {problem}")
    if value is None:
        value = "ok"
    elif not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value)
    ):
        value = json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": value}


def collect(call, waiting, seconds):
    try:
        return waiting.get(seconds)
    except multiprocessing.TimeoutError:
        return told(call, f"{call['name']} took more than {seconds} seconds.")
