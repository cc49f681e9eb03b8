"""What a message and an event of the API must have at least, so that a scenario is worth playing.

The exact keys of a current model's replies are a matter of the fixtures' tests; the player itself rests on this.
"""

from __future__ import annotations

_MESSAGE_KEYS = ("id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage")


def check_message(message: dict) -> dict:
    """The message, if it has what every reply of the Messages API has. Raises ValueError that says what is wrong."""
    for key in _MESSAGE_KEYS:
        if key not in message:
            raise ValueError(f"{key} is missing; a reply of the API has it")
    if message["type"] != "message" or message["role"] != "assistant":
        raise ValueError('a reply has type "message" and role "assistant"')
    content = message["content"]
    if not isinstance(content, list):
        raise ValueError("content is a list of blocks")
    for place, block in enumerate(content):
        _check_block(block, f"content[{place}]")
    usage = message["usage"]
    for key in ("input_tokens", "output_tokens"):
        if not isinstance(usage, dict) or type(usage.get(key)) is not int:
            raise ValueError(f"usage.{key} is missing or no integer")
    return message


def check_events(events: list[dict]) -> list[dict]:
    """The events, if each is ``{"event": name, "data": {"type": name, …}}`` and the first can start a stream.

    Raises ValueError that says what is wrong.
    """
    for place, event in enumerate(events):
        if set(event) != {"event", "data"} or not isinstance(event["data"], dict):
            raise ValueError(f"[{place}] holds exactly event and data, and data is an object")
        if event["data"].get("type") != event["event"]:
            raise ValueError(f"[{place}].data.type is not {event['event']!r}, the event's name")
    if events and events[0]["event"] not in ("message_start", "error"):
        raise ValueError("[0] starts a stream: message_start or error")
    return events


def _check_block(block: object, place: str) -> None:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise ValueError(f"{place} is a block: an object with a type")
    if block["type"] == "tool_use":
        for key, kind in (("id", str), ("name", str), ("input", dict)):
            if not isinstance(block.get(key), kind):
                raise ValueError(f"{place}.{key} is missing or of the wrong type")
