"""A generator asks for what it needs (a reply, results) and a small driver serves it; it does no I/O itself."""

import inspect
import json
import threading
import time
from collections import Counter

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:run no_call:done stopped:leave content:dump order:call other:json none:words"
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
    start = time.monotonic()
    script = conversation(task, max_turns, token_budget, lambda: time.monotonic() - start >= timeout_s, max_repeats)
    wanted = next(script)
    while True:
        try:
            match wanted:
                case ("reply", messages):
                    served = fetch(client, tools, messages)
                case ("results", calls):
                    served = [serve(call, functions, tool_timeout_s) for call in calls]
            wanted = script.send(served)
        except StopIteration as end:
            return end.value


def fetch(client, tools, messages):
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
    except anthropic.APIError:
        return None


def conversation(task, max_turns, token_budget, too_late, max_repeats):
    """Yield ("reply", messages) or ("results", calls); return (status, messages)."""
    messages = [{"role": "user", "content": task}]
    seen = Counter()
    used = 0

    def gate(made):
        if made >= max_turns:
            return "max_turns"
        if used >= token_budget:
            return "token_budget"
        return "timeout" if too_late() else None

    made = 0
    while not (stop := gate(made)):
        reply = yield "reply", messages
        if reply is None:
            return "api_error", messages
        made += 1
        used += total(reply.usage)
        blocks = [block.model_dump(exclude_none=True, mode="json") for block in reply.content]
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if reply.stop_reason not in {"tool_use", "end_turn", "pause_turn"}:
            return reply.stop_reason, messages
        if kept(blocks):
            messages.append({"role": "assistant", "content": blocks})
        if calls:
            answers = yield from answer_all(calls, seen, max_repeats, gate(made))
            messages.append({"role": "user", "content": list(answers.values())})
            if any(seen[signature(call)] >= max_repeats for call in calls):
                return "repeated_call", messages
        elif reply.stop_reason != "pause_turn":
            return "done", messages
    return stop, messages


def answer_all(calls, seen, max_repeats, stop):
    """Return {id: tool_result} in the order of the calls; ask the driver only for the calls that are to be run."""
    answers = {}
    to_run = []
    for call in calls:
        seen[signature(call)] += 1
        if seen[signature(call)] >= max_repeats:
            answers[call["id"]] = wrong(call, "asked for too often, so it was not run")
        elif stop:
            answers[call["id"]] = wrong(call, f"not run, because the loop stops here ({stop})")
        else:
            answers[call["id"]] = None
            to_run.append(call)
    if to_run:
        for result in (yield "results", to_run):
            answers[result["tool_use_id"]] = result
    return answers


def signature(call):
    return call["name"] + json.dumps(call["input"], sort_keys=True)


def total(usage):
    return sum(
        number or 0
        for number in (
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_read_input_tokens,
            usage.cache_creation_input_tokens,
        )
    )


def kept(blocks):
    quiet = {"thinking", "redacted_thinking"}
    return (
        bool(blocks)
        and blocks[-1]["type"] not in quiet
        and any(b["type"] not in quiet and (b["type"] != "text" or b["text"].strip()) for b in blocks)
    )


def wrong(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "is_error": True, "content": text}


def serve(call, functions, seconds):
    function = functions.get(call["name"])
    if not function:
        return wrong(call, f"{call['name']}: no such tool")
    try:
        inspect.signature(function).bind(**call["input"])
    except TypeError as misfit:
        return wrong(call, f"{call['name']} can't take this input: {misfit}")
    values, errors = [], []

    def attempt():
        try:
            values.append(function(**call["input"]))
        except BaseException as error:
            errors.append(error)

    runner = threading.Thread(target=attempt, daemon=True)
    runner.start()
    runner.join(seconds)
    if errors:
        if not isinstance(errors[0], Exception):
            raise errors[0]
        return wrong(call, f"{type(errors[0]).__name__}: {errors[0]}")
    if not values:
        return wrong(call, f"{call['name']} is still busy after {seconds} seconds")
    [value] = values
    if value is None:
        value = "The tool ran and has nothing to say."
    if not isinstance(value, str) and not (
        isinstance(value, list) and all(isinstance(b, dict) and b.get("type") for b in value)
    ):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": value}
