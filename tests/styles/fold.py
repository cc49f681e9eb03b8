"""Functional: an immutable state, a pure step from state and reply to state, and a fold over the replies."""

import inspect
import json
import threading
import time
from functools import partial, reduce
from typing import NamedTuple

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:close no_call:tool_use stopped:leave "
    "content:dump order:call other:json none:words"
)


class State(NamedTuple):
    history: tuple
    calls: tuple = ()
    requests: int = 0
    tokens: int = 0
    status: str | None = None


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
    use = partial(tool_result, functions, tool_timeout_s)
    states = iterate(
        lambda state: step(state, request(client, tools, state.history), use, max_repeats),
        lambda state: gate(state, max_turns, token_budget, deadline),
        State(history=(message("user", task),)),
    )
    final = reduce(lambda _, state: state, states)
    return final.status, list(final.history)


def iterate(advance, close, state):
    """Yield the states up to the first one that has a status."""
    state = close(state)
    yield state
    while state.status is None:
        state = close(advance(state))
        yield state


def gate(state, max_turns, token_budget, deadline):
    closed = (
        (state.requests >= max_turns, "max_turns"),
        (state.tokens >= token_budget, "token_budget"),
        (time.monotonic() >= deadline, "timeout"),
    )
    return state if state.status else state._replace(status=next((name for shut, name in closed if shut), None))


def request(client, tools, history):
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=list(history))
    except anthropic.APIError:
        return None


def step(state, reply, use, max_repeats):
    if reply is None:
        return state._replace(status="api_error")
    content = tuple(block.model_dump(exclude_none=True) for block in reply.content)
    calls = tuple(block for block in content if block["type"] == "tool_use")
    counted = state._replace(requests=state.requests + 1, tokens=state.tokens + cost(reply.usage))
    if reply.stop_reason not in ("end_turn", "tool_use", "pause_turn"):
        return counted._replace(status=reply.stop_reason)
    known = counted.calls + tuple(map(fingerprint, calls))
    status = verdict(reply.stop_reason, calls, known, max_repeats)
    answer = use if status is None else partial(unrun, status)
    return counted._replace(
        history=extend(counted.history, content, tuple(map(answer, calls))), calls=known, status=status
    )


def verdict(reason, calls, known, max_repeats):
    if reason == "end_turn":
        return "done"
    if reason == "tool_use" and not calls:
        return "tool_use"
    return "repeated_call" if any(known.count(fingerprint(call)) >= max_repeats for call in calls) else None


def extend(history, content, results):
    reply = (message("assistant", list(content)),) if sendable(content) else ()
    return history + reply + ((message("user", list(results)),) if results else ())


def message(role, content):
    return {"role": role, "content": content}


def fingerprint(call):
    return call["name"], json.dumps(call["input"], sort_keys=True)


def cost(usage):
    fields = (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens, usage.output_tokens)
    return sum(filter(None, fields))


def thinks(block):
    return block["type"] in ("thinking", "redacted_thinking")


def sendable(content):
    return any(not thinks(b) and (b["type"] != "text" or b["text"].strip()) for b in content) and not thinks(
        content[-1]
    )


def unrun(status, call):
    return result(call, f"Not run: the loop ended ({status}).", is_error=True)


def result(call, content, **more):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": content, **more}


def tool_result(functions, seconds, call):
    complaint = misfit(functions, call)
    if complaint:
        return result(call, complaint, is_error=True)
    kind, value = timed(partial(functions[call["name"]], **call["input"]), seconds)
    if kind == "late":
        return result(call, f"{call['name']} was not ready after {seconds} s.", is_error=True)
    if kind == "raised":
        return result(call, f"{type(value).__name__}: {value}", is_error=True)
    return result(call, content_of(value))


def misfit(functions, call):
    if call["name"] not in functions:
        return f"Unknown tool: {call['name']}."
    try:
        inspect.signature(functions[call["name"]]).bind(**call["input"])
    except TypeError as problem:
        return f"{call['name']}: {problem}."
    return None


def timed(thunk, seconds):
    outcomes = []

    def work():
        try:
            outcomes.append(("returned", thunk()))
        except BaseException as problem:
            outcomes.append(("raised", problem))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    kind, value = next(iter(outcomes), ("late", None))
    if kind == "raised" and not isinstance(value, Exception):
        raise value
    return kind, value


def content_of(value):
    if isinstance(value, str) or isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value):
        return value
    return "None" if value is None else json.dumps(value, default=str)
