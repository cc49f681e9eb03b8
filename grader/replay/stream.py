"""A message as the events of a stream, and the events of a stream as a message.

Order and shape of the events are those of recorded streams of current models: a ping after the first block's start,
an empty ``input_json_delta`` first, citations before their text, a signature after its thinking, the output side of
the usage at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

_START_USAGE_LEAVES_OUT = ("output_tokens_details", "server_tool_use", "iterations")
_END_USAGE_LEAVES_OUT = ("cache_creation", "service_tier", "inference_geo")
_SAID_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details", "container")
_TOKENS_AT_START = 8  # recorded streams start with 1 to 69 output tokens, mostly 8 or fewer
_PIECES = 6


def events_of(message: dict) -> list[dict]:
    """The stream of a message: ``{"event": name, "data": {…}}`` each, in the API's order."""
    events = [_event("message_start", message=_started(message))]
    for index, block in enumerate(message["content"]):
        start, deltas = _opened(block)
        events.append(_event("content_block_start", index=index, content_block=start))
        if index == 0:
            events.append(_event("ping"))
        events.extend(_event("content_block_delta", index=index, delta=delta) for delta in deltas)
        events.append(_event("content_block_stop", index=index))
    events.append(_ended(message))
    events.append(_event("message_stop"))
    return events


def message_of(events: list[dict]) -> dict | None:
    """The message that a stream carries, as far as it came; None if it never started.

    A call whose JSON was cut off has the input ``{}``.
    """
    message: dict | None = None
    inputs: dict[int, str] = {}
    for data in (event["data"] for event in events):
        if data["type"] == "message_start":
            message = json.loads(json.dumps(data["message"]))
        elif message is None:
            continue
        elif data["type"] == "content_block_start":
            message["content"].append(dict(data["content_block"]))
        elif data["type"] == "content_block_delta":
            _add(message["content"][data["index"]], data["delta"], inputs, data["index"])
        elif data["type"] == "message_delta":
            message |= data["delta"]
            message["usage"] |= data["usage"]
    for index, text in inputs.items():
        message["content"][index]["input"] = _parsed(text)
    return message


def is_whole(events: list[dict]) -> bool:
    """Whether the stream ends as a whole one does."""
    return bool(events) and events[-1]["event"] == "message_stop" and error_of(events) is None


def error_of(events: list[dict]) -> dict | None:
    """The error ``{"type", "message"}`` that the stream ends with, or None."""
    return next((event["data"].get("error") for event in events if event["event"] == "error"), None)


def encode(event: dict) -> bytes:
    """The event as it goes over the wire."""
    return f"event: {event['event']}\ndata: {json.dumps(event['data'], ensure_ascii=False)}\n\n".encode()


def _event(name: str, **data) -> dict:
    return {"event": name, "data": {"type": name, **data}}


def _started(message: dict) -> dict:
    usage = {key: value for key, value in message["usage"].items() if key not in _START_USAGE_LEAVES_OUT}
    usage["output_tokens"] = min(usage["output_tokens"], _TOKENS_AT_START)
    unknown_yet = {key: None for key in ("stop_reason", "stop_sequence", "stop_details") if key in message}
    started = {key: value for key, value in message.items() if key != "container"}
    return {**started, "content": [], **unknown_yet, "usage": usage}


def _ended(message: dict) -> dict:
    delta = {key: message[key] for key in _SAID_AT_THE_END if key in message}
    usage = {key: value for key, value in message["usage"].items() if key not in _END_USAGE_LEAVES_OUT}
    return _event("message_delta", delta=delta, usage=usage)


def _opened(block: dict) -> tuple[dict, list[dict]]:
    """How the block looks at its start, and the deltas that fill it. Blocks without deltas come whole."""
    match block["type"]:
        case "text":
            cited = block.get("citations") or []
            deltas = [{"type": "citations_delta", "citation": citation} for citation in cited]
            deltas += [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
            return block | {"text": ""} | ({"citations": []} if cited else {}), deltas
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
            return block | {"thinking": "", "signature": ""}, deltas
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            text = json.dumps(block["input"], ensure_ascii=False) if block["input"] else ""
            pieces = ["", *_pieces(text)]
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block, []


def _pieces(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // _PIECES))
    return (text[start : start + size] for start in range(0, len(text), size))


def _add(block: dict, delta: dict, inputs: dict[int, str], index: int) -> None:
    match delta["type"]:
        case "text_delta":
            block["text"] += delta["text"]
        case "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        case "thinking_delta":
            block["thinking"] += delta["thinking"]
        case "signature_delta":
            block["signature"] = delta["signature"]
        case "input_json_delta":
            inputs[index] = inputs.get(index, "") + delta["partial_json"]


def _parsed(text: str) -> dict:
    try:
        parsed = json.loads(text or "{}")
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
