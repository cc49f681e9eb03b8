"""Streams that are drawn, and what a function keeps that puts their content together."""

import json

from grader.history.plain import plain
from grader.judging.exercises.events import event_of
from grader.judging.exercises.properties.declare import holds
from grader.judging.pieces import brief

_TEXTS = ("Hi", "Low tide.", "a\nb")
_INPUTS = ({}, {"day": "Monday"}, {"at": [1, 2]})
_END = (
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
)


def contents():
    """A hypothesis strategy of a reply's content: up to three blocks of the kinds that come in pieces."""
    from hypothesis import strategies as st

    text = st.sampled_from(_TEXTS).map(lambda text: {"type": "text", "text": text})
    thinking = st.sampled_from(_TEXTS).map(lambda text: {"type": "thinking", "thinking": text, "signature": "EqQBCkYI"})
    call = st.tuples(st.integers(1, 99), st.sampled_from(_INPUTS)).map(lambda drawn: _call(*drawn))
    return st.lists(st.one_of(text, call, thinking), min_size=1, max_size=3)


def streams():
    """Events of a whole stream, whose blocks may be mixed with each other: the index alone says which one goes on."""
    import anthropic.types  # noqa: F401  (it takes seconds: not in the learner's time)
    from hypothesis import strategies as st

    @st.composite
    def draw_stream(draw):
        queues = [_events(draw, st, index, block) for index, block in enumerate(draw(contents()))]
        events, opened = [], 0
        while any(queues):
            # a block starts when those before it have started; each goes on in its own order
            ready = [i for i, queue in enumerate(queues) if queue and i <= opened]
            queue = queues[ready[draw(st.integers(0, len(ready) - 1))]]
            opened += queue[0]["type"] == "content_block_start"
            events.append(queue.pop(0))
        return [*events, *_END]

    return draw_stream()


def _call(number: int, input: dict) -> dict:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "look", "input": input, "caller": {"type": "direct"}}


def _events(draw, st, index: int, block: dict) -> list[dict]:
    start, deltas = _opened(draw, st, block)
    events = [{"type": "content_block_start", "index": index, "content_block": start}]
    events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return [*events, {"type": "content_block_stop", "index": index}]


def _opened(draw, st, block: dict) -> tuple[dict, list[dict]]:
    if block["type"] == "text":
        return block | {"text": ""}, [{"type": "text_delta", "text": piece} for piece in _cut(draw, st, block["text"])]
    if block["type"] == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _cut(draw, st, block["thinking"])]
        return block | {"thinking": "", "signature": ""}, [
            *deltas,
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    text = json.dumps(block["input"]) if block["input"] else ""
    return block | {"input": {}}, [
        {"type": "input_json_delta", "partial_json": piece} for piece in ["", *_cut(draw, st, text)]
    ]


def _cut(draw, st, text: str) -> list[str]:
    at = draw(st.integers(0, len(text)))
    return [piece for piece in (text[:at], text[at:]) if piece]


def content_of(events: list[dict]) -> list[dict]:
    """What the events carry."""
    blocks: list[dict] = []
    pieces: dict[int, str] = {}
    for event in events:
        if event["type"] == "content_block_start":
            blocks.append(dict(event["content_block"]))
        elif event["type"] == "content_block_delta":
            delta, block = event["delta"], blocks[event["index"]]
            key = next(key for key in delta if key != "type")
            if key == "partial_json":
                pieces[event["index"]] = pieces.get(event["index"], "") + delta[key]
            else:
                block[key] += delta[key]
    for index, text in pieces.items():
        blocks[index]["input"] = json.loads(text or "{}")
    return blocks


def _as_objects(function, arguments):
    return function([event_of(event["$event"]) for event in arguments[0]])


@holds(
    "assembles-any-stream",
    title="any stream, its blocks mixed",
    strategy=lambda: streams().map(lambda events: ([{"$event": event} for event in events],)),
    help="Keep what belongs to a block under the event's index, join its pieces in the order in which they come, and read the JSON once, at the end.",
    call=_as_objects,
)
def assembles_any_stream(arguments, result):
    """``assemble(events)`` returns the content blocks that the events carry, as dicts or SDK objects."""
    events = [event["$event"] for event in arguments[0]]
    got, want = plain(result)[0], content_of(events)
    if not isinstance(got, list) or len(got) != len(want):
        return f"The stream holds {len(want)} block{'' if len(want) == 1 else 's'}; the function returned {brief(got, 120)}."
    for index, block in enumerate(want):
        if not isinstance(got[index], dict):
            return f"Block {index} is {brief(got[index], 120)}; it should be a dict."
        for key in [*block, *got[index]]:
            mine, right = got[index].get(key), block.get(key)
            if mine != right:
                return f"Block {index} ({block['type']}): {key!r} is {_shown(mine)}; it should be {_shown(right)}."
    return None


def _shown(value) -> str:
    return (
        "missing"
        if value is None
        else repr(value)
        if isinstance(value, str) and len(value) < 100
        else brief(value, 120)
    )
