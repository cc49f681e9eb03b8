"""The events of a stream: the special value ``$event``, and a stream in few words."""

import copy

from grader.judging.pieces import brief

_CLASSES = {
    "message_start": "RawMessageStartEvent",
    "message_delta": "RawMessageDeltaEvent",
    "message_stop": "RawMessageStopEvent",
    "content_block_start": "RawContentBlockStartEvent",
    "content_block_delta": "RawContentBlockDeltaEvent",
    "content_block_stop": "RawContentBlockStopEvent",
}


def event_of(data: dict):
    """An event as ``messages.create(stream=True)`` gives it, from the data that stand on the wire."""
    import anthropic.types

    return getattr(anthropic.types, _CLASSES[data["type"]]).construct(**copy.deepcopy(data))


def is_stream(value) -> bool:
    """Whether a value of a case is a list of ``$event``."""
    return (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "$event" in item for item in value)
    )


def shown_stream(value: list) -> str:
    """A stream in few words: ``[start 0 text, 0 'Hel', 0 'lo', stop 0]``. The message's own events are left out, but for the last."""
    words = []
    for event in (item["$event"] for item in value):
        if event["type"] == "content_block_start":
            words.append(f"start {event['index']} {event['content_block']['type']}")
        elif event["type"] == "content_block_delta":
            words.append(f"{event['index']} {next(piece for key, piece in event['delta'].items() if key != 'type')!r}")
        elif event["type"] == "content_block_stop":
            words.append(f"stop {event['index']}")
        elif event["type"] == "message_stop":
            words.append("message_stop")
    return f"[{brief(', '.join(words), 400)}]"
