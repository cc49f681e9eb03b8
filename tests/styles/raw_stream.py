"""``stream=True``: one function folds the events into blocks; nothing of the SDK's accumulation is used."""

import inspect
import json
import queue
import threading
import time

import anthropic
import httpx2

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:close no_call:tool_use stopped:keep "
    "content:built order:call other:str none:words"
)

COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


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
    zero = time.monotonic()
    history = [{"role": "user", "content": task}]
    repeats = {}
    used = 0
    for _ in range(max_turns):
        if used >= token_budget:
            return "token_budget", history
        if time.monotonic() - zero >= timeout_s:
            return "timeout", history
        try:
            content, stop_reason, usage = collect(client, tools, history)
        except (anthropic.APIError, httpx2.HTTPError, EOFError):
            return "api_error", history
        used += sum(usage.get(name) or 0 for name in COUNTED)
        calls = [block for block in content if block["type"] == "tool_use"]
        if not nothing_to_send(content):
            history.append({"role": "assistant", "content": content})
        if stop_reason == "pause_turn" and not calls:
            continue
        status = None
        if stop_reason == "end_turn":
            status = "done"
        elif stop_reason not in ("tool_use", "pause_turn"):
            status = stop_reason
        elif not calls:
            status = "tool_use"
        elif sum([too_often(repeats, call, max_repeats) for call in calls]):
            status = "repeated_call"
        if calls:
            history.append(
                {
                    "role": "user",
                    "content": [
                        err(call, f"left out: {status}") if status else tool_result(call, functions, tool_timeout_s)
                        for call in calls
                    ],
                }
            )
        if status:
            return status, history
    return "max_turns", history


def collect(client, tools, history):
    """Return (content, stop_reason, usage). Raises EOFError where the stream has no end."""
    blocks, pieces, usage, stop_reason, over = [], {}, {}, None, False
    with client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=history, stream=True) as stream:
        for event in stream:
            match event.type:
                case "message_start":
                    usage |= event.message.usage.to_dict()
                case "content_block_start":
                    block = event.content_block.to_dict()
                    blocks.append({name: value for name, value in block.items() if value is not None})
                    pieces[event.index] = ""
                case "content_block_delta":
                    add(blocks[event.index], event.delta, event.index, pieces)
                case "content_block_stop" if blocks[event.index]["type"].endswith("tool_use"):
                    blocks[event.index]["input"] = parsed(pieces[event.index] or "{}")
                case "message_delta":
                    stop_reason = event.delta.stop_reason
                    usage |= {name: value for name, value in event.usage.to_dict().items() if value is not None}
                case "message_stop":
                    over = True
    if not over:
        raise EOFError("the stream ended before message_stop")
    return blocks, stop_reason, usage


def add(block, delta, index, pieces):
    match delta.type:
        case "text_delta":
            block["text"] += delta.text
        case "thinking_delta":
            block["thinking"] += delta.thinking
        case "signature_delta":
            block["signature"] = delta.signature
        case "input_json_delta":
            pieces[index] += delta.partial_json
        case "citations_delta":
            block["citations"] = [*block.get("citations", []), delta.citation.to_dict()]


def parsed(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return {}


def nothing_to_send(content):
    hidden = ("thinking", "redacted_thinking")
    return (
        not content
        or content[-1]["type"] in hidden
        or all(block["type"] in hidden or block["type"] == "text" and not block["text"].strip() for block in content)
    )


def too_often(repeats, call, limit):
    key = json.dumps({"name": call["name"], "input": call["input"]}, sort_keys=True)
    repeats[key] = repeats.get(key, 0) + 1
    return repeats[key] >= limit


def err(call, text):
    return {"tool_use_id": call["id"], "type": "tool_result", "is_error": True, "content": text}


def tool_result(call, functions, seconds):
    box = queue.Queue()

    def body():
        try:
            function = functions.get(call["name"])
            if function is None:
                box.put(err(call, f"no tool named {call['name']!r}"))
                return
            inspect.signature(function).bind(**call["input"])
            value = function(**call["input"])
            box.put({"tool_use_id": call["id"], "type": "tool_result", "content": shown(value)})
        except Exception as exc:
            box.put(err(call, f"{exc.__class__.__name__}: {exc}"))
        except BaseException as exc:
            box.put(exc)

    threading.Thread(target=body, daemon=True).start()
    try:
        result = box.get(timeout=seconds)
    except queue.Empty:
        return err(call, f"{call['name']} did not come back within {seconds} s")
    if isinstance(result, BaseException):
        raise result
    return result


def shown(value):
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(part, dict) and "type" in part for part in value):
        return value
    return "nothing came back" if value is None else str(value)
