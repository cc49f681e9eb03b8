"""``async def``; parallel calls in an ``asyncio.TaskGroup`` whose tasks never raise; functions get daemon threads."""

import asyncio
import inspect
import threading
import time
from dataclasses import dataclass, field

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:skip end_turn_call:run no_call:tool_use stopped:keep "
    "content:dump order:completion other:str none:empty"
)


@dataclass
class State:
    messages: list
    started: float = field(default_factory=time.monotonic)
    requests: int = 0
    tokens: int = 0
    asked: list = field(default_factory=list)


async def run_agent(
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
    state = State([{"role": "user", "content": task}])

    def gate():
        if state.requests >= max_turns:
            return "max_turns"
        if state.tokens >= token_budget:
            return "token_budget"
        if time.monotonic() - state.started >= timeout_s:
            return "timeout"

    while (stop := gate()) is None:
        try:
            reply = await client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=state.messages)
        except anthropic.APIError:
            return "api_error", state.messages
        calls = take_in(state, reply)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            stop = reply.stop_reason
        elif not calls:
            stop = {"end_turn": "done", "tool_use": "tool_use", "pause_turn": None}[reply.stop_reason]
        elif any(state.asked.count((call.name, call.input)) >= max_repeats for call in calls):
            stop = "repeated_call"
        else:
            stop = gate()
        if calls:
            results = []
            async with asyncio.TaskGroup() as group:
                for call in calls:
                    group.create_task(put_result(results, call, {} if stop else functions, tool_timeout_s, stop))
            state.messages.append({"role": "user", "content": results})
        if stop:
            return stop, state.messages
    return stop, state.messages


def take_in(state, reply):
    """Count the reply, append it where it can be sent back, and return its calls."""
    state.requests += 1
    for name, value in reply.usage.model_dump(exclude_none=True).items():
        if name in ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"):
            state.tokens += value
    content = reply.model_dump(include={"content"}, exclude_none=True)["content"]
    visible = [b for b in content if b["type"] not in ("thinking", "redacted_thinking")]
    if visible and visible[-1] is content[-1] and any(b["type"] != "text" or b["text"].strip() for b in visible):
        state.messages.append({"role": "assistant", "content": content})
    calls = [block for block in reply.content if block.type == "tool_use"]
    state.asked += [(call.name, call.input) for call in calls]
    return calls


async def put_result(results, call, functions, seconds, stop):
    result = {"type": "tool_result", "tool_use_id": call.id, "is_error": True}
    if stop:
        result["content"] = f"Not run; the loop stops: {stop}."
    elif call.name not in functions:
        result["content"] = f"No tool has the name {call.name}."
    else:
        try:
            inspect.signature(functions[call.name]).bind(**call.input)
            value = await asyncio.wait_for(started(functions[call.name], call.input), seconds)
            result["content"] = worded(value)
            del result["is_error"]
        except TimeoutError as problem:
            result["content"] = str(problem) or f"TimeoutError: {call.name}, after at most {seconds} s"
        except Exception as problem:
            result["content"] = f"{type(problem).__name__}: {problem}"
    results.append(result)


def started(function, arguments):
    """Return an awaitable for the function's value."""
    if inspect.iscoroutinefunction(function):
        return function(**arguments)
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def settle(method, value):
        if not future.done():
            method(value)

    def work():
        try:
            move = (settle, future.set_result, function(**arguments))
        except BaseException as problem:
            move = (settle, future.set_exception, problem)
        try:
            loop.call_soon_threadsafe(*move)
        except RuntimeError:
            pass  # the loop is closed: nobody waits for this any more

    threading.Thread(target=work, daemon=True).start()
    return future


def worded(value):
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value):
        return value
    return "" if value is None else str(value)
