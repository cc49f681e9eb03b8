"""The property of streamed replies: right functions of two kinds keep it, wrong ones are caught, in words."""

import json

from grader.judging.exercises.events import event_of, shown_stream
from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import counterexample


def assembling(*, by_index=True, empty_is_nothing=True, joins=True, objects=False):
    """An ``assemble`` function; the arguments make it right in other words, or wrong."""

    def assemble(events):
        blocks, texts = [], {}
        for event in events:
            if event.type == "content_block_start":
                blocks.append(event.content_block if objects else event.content_block.to_dict())
            if event.type == "content_block_delta":
                index = event.index if by_index else len(blocks) - 1
                kind = event.delta.type.removesuffix("_delta")
                if kind == "input_json":
                    texts[index] = (texts.get(index, "") if joins else "") + event.delta.partial_json
                elif objects:
                    setattr(blocks[index], kind, getattr(blocks[index], kind) + getattr(event.delta, kind))
                elif kind in blocks[index]:
                    blocks[index][kind] += getattr(event.delta, kind)
        for index, text in texts.items():
            value = json.loads(text or "{}") if empty_is_nothing or text else None
            if objects:
                blocks[index].input = value
            else:
                blocks[index]["input"] = value
        return blocks

    return assemble


def fault(function, seed=1):
    found = counterexample(PROPERTIES["assembles-any-stream"], function, seed=seed)
    return found[1] if found else None


def test_a_right_function_keeps_it_with_dicts_and_with_objects():
    for seed in range(3):
        assert fault(assembling(), seed) is None
        assert fault(assembling(objects=True), seed) is None


def test_pieces_put_into_the_newest_block_are_caught():
    assert "is" in fault(assembling(by_index=False))


def test_a_call_without_arguments_is_an_empty_dict():
    assert "'input' is missing; it should be {}" in fault(assembling(empty_is_nothing=False))


def test_the_last_piece_alone_is_caught():
    assert fault(assembling(joins=False))


def test_what_is_no_list_of_blocks_is_said_to_be_none():
    assert "the function returned" in fault(lambda events: "a text")


def test_an_event_is_the_one_that_the_client_gives():
    event = event_of({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Hi"}})
    assert (type(event).__name__, event.index, event.delta.text) == ("RawContentBlockDeltaEvent", 1, "Hi")


def test_a_stream_is_shown_in_few_words():
    events = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]
    assert shown_stream([{"$event": event} for event in events]) == "[start 0 text, 0 'Hi', stop 0, message_stop]"
