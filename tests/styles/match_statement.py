"""``match`` over (stop_reason, calls): the SDK's own classes are the patterns."""

import inspect
import json
import queue
import threading
import time

import anthropic
from anthropic.types import RedactedThinkingBlock, TextBlock, ThinkingBlock, ToolUseBlock

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:close no_call:done stopped:keep content:sdk order:call other:str none:empty"
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
    start, turns, used = time.monotonic(), 0, 0
    messages = [{"role": "user", "content": task}]
    repeats = {}

    def gate():
        match turns >= max_turns, used >= token_budget, time.monotonic() - start >= timeout_s:
            case (True, _, _):
                return "max_turns"
            case (_, True, _):
                return "token_budget"
            case (_, _, True):
                return "timeout"
            case _:
                return None

    while not (status := gate()):
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        turns += 1
        used += tokens(reply.usage)
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if isinstance(block, ToolUseBlock)]
        match reply.stop_reason, calls:
            case "pause_turn", []:
                continue
            case "tool_use", []:
                return "done", messages
            case "tool_use" | "pause_turn", _:
                worn = worn_out(repeats, calls, max_repeats)
                status = "repeated_call" if worn else gate()
                results = [
                    refusal(call, status)
                    if status and (call in worn or not worn)
                    else perform(call, functions, tool_timeout_s)
                    for call in calls
                ]
            case reason, _:
                status = "done" if reason == "end_turn" else reason
                results = [refusal(call, status) for call in calls]
        if results:
            messages.append({"role": "user", "content": results})
        if status:
            return status, messages
    return status, messages


def tokens(usage):
    match usage:
        case anthropic.types.Usage(
            input_tokens=fresh, cache_creation_input_tokens=written, cache_read_input_tokens=read, output_tokens=out
        ):
            return fresh + (written or 0) + (read or 0) + out


def sendable(content):
    match content:
        case [] | [*_, ThinkingBlock() | RedactedThinkingBlock()]:
            return False
        case _:
            return not all(map(mute, content))


def mute(block):
    match block:
        case ThinkingBlock() | RedactedThinkingBlock():
            return True
        case TextBlock(text=text):
            return not text.strip()
        case _:
            return False


def worn_out(repeats, calls, limit):
    worn = []
    for call in calls:
        key = call.name, json.dumps(call.input, sort_keys=True)
        repeats[key] = repeats.get(key, 0) + 1
        if repeats[key] >= limit:
            worn.append(call)
    return worn


def refusal(call, status):
    return {"type": "tool_result", "tool_use_id": call.id, "is_error": True, "content": f"Not run ({status})."}


def perform(call, functions, seconds):
    match outcome(call, functions, seconds):
        case "value", str() as text:
            return {"type": "tool_result", "tool_use_id": call.id, "content": text}
        case "value", None:
            return {"type": "tool_result", "tool_use_id": call.id, "content": ""}
        case "value", [{"type": _}, *_] as blocks:
            return {"type": "tool_result", "tool_use_id": call.id, "content": blocks}
        case "value", other:
            return {"type": "tool_result", "tool_use_id": call.id, "content": str(other)}
        case "error", Exception() as problem:
            text = f"{type(problem).__name__}: {problem}"
        case "error", BaseException() as fatal:
            raise fatal
        case "misfit", text:
            pass
    return {"type": "tool_result", "tool_use_id": call.id, "is_error": True, "content": text}


def outcome(call, functions, seconds):
    function = functions.get(call.name)
    if function is None:
        return "misfit", f"There is no {call.name!r} tool."
    try:
        inspect.signature(function).bind(**call.input)
    except TypeError as complaint:
        return "misfit", f"{call.name}: {complaint}"
    answers = queue.Queue()

    def body():
        try:
            answers.put(("value", function(**call.input)))
        except BaseException as problem:
            answers.put(("error", problem))

    threading.Thread(target=body, daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        return "misfit", f"{call.name} was cut off after {seconds} s."
