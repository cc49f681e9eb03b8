"""Adaptive thinking switched on, a system prompt sent, ``tool_choice`` written out; thinking goes back as it came."""

import inspect
import json
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:close no_call:done stopped:leave "
    "content:sdk order:completion other:json none:empty"
)

SETTINGS = dict(
    model=MODEL,
    max_tokens=4000,
    system="You are a careful assistant.",
    thinking={"type": "adaptive"},
    tool_choice={"type": "auto"},
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
    begin = time.monotonic()
    messages = [{"role": "user", "content": task}]
    usages, keys = [], []

    def closed():
        if len(usages) >= max_turns:
            return "max_turns"
        if sum(usages) >= token_budget:
            return "token_budget"
        if time.monotonic() - begin >= timeout_s:
            return "timeout"
        return ""

    while True:
        if stop := closed():
            return stop, messages
        try:
            reply = client.messages.create(**SETTINGS, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        u = reply.usage
        usages.append(
            u.input_tokens + (u.cache_creation_input_tokens or 0) + (u.cache_read_input_tokens or 0) + u.output_tokens
        )
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        calls = [block for block in reply.content if block.type == "tool_use"]
        visible = [block for block in reply.content if "thinking" not in block.type]
        if (
            visible
            and visible[-1] is reply.content[-1]
            and (calls or any(getattr(b, "text", "x").strip() for b in visible))
        ):
            messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason == "end_turn" or not calls and reply.stop_reason == "tool_use":
            if calls:
                messages.append({"role": "user", "content": [note(c, "The turn had ended. Not run.") for c in calls]})
            return "done", messages
        if not calls:
            continue
        over = []
        for call in calls:
            keys.append((call.name, json.dumps(call.input, sort_keys=True)))
            if keys.count(keys[-1]) >= max_repeats:
                over.append(call)
        stop = "repeated_call" if over else closed()
        not_run = over if over else calls if stop else []
        results = [note(call, f"Not run: {stop}.") for call in not_run]
        results += finished([call for call in calls if call not in not_run], functions, tool_timeout_s)
        messages.append({"role": "user", "content": results})
        if stop:
            return stop, messages


def note(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def finished(calls, functions, seconds):
    """Return the results of the calls, first come first."""
    results, running = [], {}
    pool = ThreadPoolExecutor(max_workers=len(calls) + 1)
    for call in calls:
        running[pool.submit(attempt, call, functions)] = call
    clock = time.perf_counter
    end = clock() + seconds
    waiting = set(running)
    while waiting:
        ready, waiting = wait(waiting, timeout=max(0, end - clock()), return_when=FIRST_COMPLETED)
        if not ready:
            break
        results += [future.result() for future in ready]
    pool.shutdown(wait=False)
    return results + [
        note(running[future], f"{running[future].name} needed more than {seconds} s.") for future in waiting
    ]


def attempt(call, functions):
    if call.name not in functions:
        return note(call, f"I know no tool {call.name!r}.")
    function = functions[call.name]
    try:
        inspect.signature(function).bind(**call.input)
        value = function(**call.input)
    except Exception as error:
        return note(call, f"{type(error).__name__}: {error}")
    if value is None:
        value = ""
    elif not isinstance(value, str):
        blocks = isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value)
        value = value if blocks else json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": value}
