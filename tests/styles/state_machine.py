"""A state machine: a table of states, each a function that does its part and names the next state."""

import inspect
import json
import queue
import threading
import time
from types import SimpleNamespace

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:close no_call:tool_use stopped:keep "
    "content:dump order:call other:str none:words"
)


def run_agent(client, task, tools, functions, **limits):
    run = SimpleNamespace(
        client=client,
        tools=tools,
        functions=functions,
        history=[{"role": "user", "content": task}],
        requests=0,
        tokens=0,
        begun=time.monotonic(),
        counts={},
        reply=None,
        calls=[],
        status=None,
        **{
            "max_turns": 10,
            "token_budget": 200_000,
            "timeout_s": 300,
            "tool_timeout_s": 30,
            "max_repeats": 3,
            **limits,
        },
    )
    state = "gates"
    while state != "end":
        state = STATES[state](run)
    return run.status, run.history


def gates(run):
    if run.requests >= run.max_turns:
        run.status = "max_turns"
    elif run.tokens >= run.token_budget:
        run.status = "token_budget"
    elif time.monotonic() >= run.begun + run.timeout_s:
        run.status = "timeout"
    return "end" if run.status else "request"


def request(run):
    try:
        run.reply = run.client.messages.create(
            model=MODEL, max_tokens=1024, tools=run.tools, messages=run.history
        ).model_dump(mode="json", exclude_none=True)
    except anthropic.APIError:
        run.status = "api_error"
        return "end"
    run.requests += 1
    usage = run.reply["usage"]
    run.tokens += usage["input_tokens"] + usage["output_tokens"]
    run.tokens += usage.get("cache_creation_input_tokens", 0) + usage.get("cache_read_input_tokens", 0)
    return "record"


def record(run):
    content = run.reply["content"]
    run.calls = [block for block in content if block["type"] == "tool_use"]
    spoken = "".join(block.get("text", "") for block in content).strip()
    acts = [block for block in content if block["type"] not in ("text", "thinking", "redacted_thinking")]
    if (spoken or acts) and content[-1]["type"] not in ("thinking", "redacted_thinking"):
        run.history.append({"role": "assistant", "content": content})
    return NEXT.get(run.reply.get("stop_reason"), "stopped")


def paused(run):
    return "repeats" if run.calls else "gates"


def wants_tools(run):
    if run.calls:
        return "repeats"
    run.status = "tool_use"
    return "end"


def ended(run):
    run.status = "done"
    return "leave"


def stopped(run):
    run.status = run.reply.get("stop_reason")
    return "leave"


def repeats(run):
    for call in run.calls:
        key = json.dumps([call["name"], call["input"]], sort_keys=True)
        run.counts[key] = run.counts.get(key, 0) + 1
    if max(run.counts.values()) >= run.max_repeats:
        run.status = "repeated_call"
        return "leave"
    return "tools"


def leave(run):
    """Answer the calls that stay unrun."""
    if run.calls:
        text = f"Not run. The loop ended with {run.status}."
        run.history.append({"role": "user", "content": [error_result(call, text) for call in run.calls]})
    return "end"


def use_tools(run):
    run.history.append({"role": "user", "content": [result(run, call) for call in run.calls]})
    return "gates"


STATES = {
    "gates": gates,
    "request": request,
    "record": record,
    "paused": paused,
    "wants_tools": wants_tools,
    "ended": ended,
    "stopped": stopped,
    "repeats": repeats,
    "leave": leave,
    "tools": use_tools,
}
NEXT = {"tool_use": "wants_tools", "end_turn": "ended", "pause_turn": "paused"}


def error_result(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


def result(run, call):
    function = run.functions.get(call["name"])
    if function is None:
        return error_result(call, f"Unknown tool {call['name']}. Known: {', '.join(sorted(run.functions))}.")
    outbox = queue.Queue(maxsize=1)
    threading.Thread(target=work, args=(function, call["input"], outbox), daemon=True).start()
    try:
        kind, value = outbox.get(timeout=run.tool_timeout_s)
    except queue.Empty:
        return error_result(call, f"{call['name']} ran out of time ({run.tool_timeout_s} s).")
    if kind == "fatal":
        raise value
    if kind == "error":
        return error_result(call, f"{type(value).__name__}: {value}")
    if value is None:
        value = "no output"
    elif isinstance(value, (dict, int, float, tuple, set)):
        value = str(value)
    elif isinstance(value, list) and not all(isinstance(item, dict) and "type" in item for item in value):
        value = str(value)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": value}


def work(function, arguments, outbox):
    try:
        inspect.signature(function).bind(**arguments)
        outbox.put(("value", function(**arguments)))
    except Exception as problem:
        outbox.put(("error", problem))
    except BaseException as problem:
        outbox.put(("fatal", problem))
