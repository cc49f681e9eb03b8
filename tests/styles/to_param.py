"""``reply.to_param()`` makes the assistant message; a chain of small helpers does the rest."""

import inspect
import json
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from threading import Thread

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep "
    "content:to_param order:call other:json none:empty"
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
    history = [user(task)]
    replies = []
    started = time.monotonic()
    while True:
        if len(replies) >= max_turns:
            return "max_turns", history
        if tokens(replies) >= token_budget:
            return "token_budget", history
        if time.monotonic() - started >= timeout_s:
            return "timeout", history
        reply = ask(client, tools, history)
        if reply is None:
            return "api_error", history
        replies.append(reply)
        if fit_to_send(reply):
            history.append(reply.to_param())
        status = ending(reply) or repetition(replies, max_repeats)
        if calls(reply):
            history.append(
                user([unrun(c, status) if status else use(c, functions, tool_timeout_s) for c in calls(reply)])
            )
        if status:
            return status, history


def user(content):
    return {"role": "user", "content": content}


def ask(client, tools, history):
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=history)
    except anthropic.APIError:
        return None


def tokens(replies):
    return sum(input_of(reply.usage) + reply.usage.output_tokens for reply in replies)


def input_of(usage):
    return usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)


def calls(reply):
    return [block for block in reply.content if block.type == "tool_use"]


def ending(reply):
    """Return the status that this reply ends the run with, or None."""
    if reply.stop_reason not in ("end_turn", "tool_use", "pause_turn"):
        return reply.stop_reason
    if calls(reply) or reply.stop_reason == "pause_turn":
        return None
    return "done"


def repetition(replies, max_repeats):
    asked = [identity(call) for reply in replies for call in calls(reply)]
    fresh = [identity(call) for call in calls(replies[-1])]
    return "repeated_call" if any(asked.count(one) >= max_repeats for one in fresh) else None


def identity(call):
    return call.name, json.dumps(call.input, sort_keys=True)


def fit_to_send(reply):
    return any(map(carries, reply.content)) and reply.content[-1].type not in ("thinking", "redacted_thinking")


def carries(block):
    return block.text.strip() if block.type == "text" else block.type not in ("thinking", "redacted_thinking")


def unrun(call, status):
    return error(call, f"The call was not run; status {status}.")


def error(call, text):
    return result(call, text) | {"is_error": True}


def result(call, content):
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def use(call, functions, seconds):
    try:
        return result(call, as_content(launch(find(call, functions), call.input).result(timeout=seconds)))
    except LookupFailed as problem:
        return error(call, str(problem))
    except TooLate as problem:
        return error(call, str(problem) or f"TimeoutError: {call.name} had {seconds} s")
    except Exception as problem:
        return error(call, f"{type(problem).__name__}: {problem}")


class LookupFailed(Exception):
    pass


def find(call, functions):
    if call.name not in functions:
        raise LookupFailed(f"There is no tool {call.name!r}, only {', '.join(functions)}.")
    try:
        inspect.signature(functions[call.name]).bind(**call.input)
    except TypeError as misfit:
        raise LookupFailed(f"{call.name}: {misfit}") from misfit
    return functions[call.name]


def launch(function, arguments):
    future = Future()

    def work():
        try:
            future.set_result(function(**arguments))
        except BaseException as problem:
            future.set_exception(problem)

    Thread(target=work, daemon=True).start()
    return future


def as_content(value):
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value):
        return value
    return "" if value is None else json.dumps(value, default=str)
