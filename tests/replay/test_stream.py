"""A message as a stream and back, in the shape of recorded streams."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.replay.stream import encode, error_of, events_of, is_whole, message_of

from .samples import USAGE, call, message, text

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus" / "responses.jsonl"
THINKING = {"type": "thinking", "thinking": "Hm, two of them.", "signature": "c2ln"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_a", "name": "web_search", "input": {"query": "Oslo"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_a", "content": [{"type": "web_search_result"}]}
CITED = {"type": "text", "text": "Rain.", "citations": [{"type": "char_location", "cited_text": "Rain"}]}

blocks = st.one_of(
    st.builds(text, st.text()),
    st.builds(lambda words, seal: THINKING | {"thinking": words, "signature": seal}, st.text(), st.text(min_size=1)),
    st.builds(lambda value: call("a", **value), st.dictionaries(st.text(), st.text() | st.integers() | st.booleans())),
    st.sampled_from([SEARCH, FOUND, CITED, {"type": "redacted_thinking", "data": "x"}]),
)
reasons = st.sampled_from(["end_turn", "tool_use", "max_tokens", "some_future_reason"])
messages = st.builds(lambda content, reason: message(*content, stop_reason=reason), st.lists(blocks), reasons)


def names(events):
    return [event["data"].get("delta", {}).get("type", event["event"]) for event in events]


@given(messages)
def test_there_and_back(original):
    events = events_of(original)
    assert message_of(events) == original
    assert is_whole(events)
    assert error_of(events) is None


@settings(max_examples=40)
@given(messages)
def test_the_sdk_puts_together_the_same(original):
    from anthropic import NOT_GIVEN
    from anthropic.lib.streaming._messages import accumulate_event

    snapshot, options = None, {"json_bufs": {}, "output_format": NOT_GIVEN}
    for event in events_of(original):
        if event["event"] != "ping":
            snapshot = accumulate_event(event=event["data"], current_snapshot=snapshot, **options)
    built = snapshot.to_dict()
    assert [block["type"] for block in built["content"]] == [block["type"] for block in original["content"]]
    for ours, theirs in zip(original["content"], built["content"], strict=True):
        for key in ("text", "thinking", "signature", "input", "id"):
            assert ours.get(key) == theirs.get(key)
    assert built["usage"]["output_tokens"] == original["usage"]["output_tokens"]


def test_the_order_of_a_full_stream():
    events = events_of(message(THINKING, text("I look."), call("a", city="Oslo"), call("b", name="now"), id="1"))
    assert list(dict.fromkeys(names(events))) == [
        "message_start", "content_block_start", "ping", "thinking_delta", "signature_delta", "content_block_stop",
        "text_delta", "input_json_delta", "message_delta", "message_stop",
    ]  # fmt: skip
    assert Counter(names(events))["ping"] == 1
    assert Counter(names(events))["input_json_delta"] > 3


def test_a_call_streams_an_empty_piece_first_and_only_that_without_arguments():
    def pieces(block):
        deltas = [event["data"].get("delta", {}) for event in events_of(message(block))]
        return [delta["partial_json"] for delta in deltas if "partial_json" in delta]

    first, *others = pieces(call("a", city="Oslo"))
    assert first == ""
    assert len(others) > 1
    assert json.loads("".join(others)) == {"city": "Oslo"}
    assert pieces(call("a")) == [""]


def test_usage_is_split_as_the_api_splits_it():
    start, end = (
        event["data"] for event in events_of(message(text("x"))) if event["event"] in ("message_start", "message_delta")
    )
    assert set(start["message"]["usage"]) == set(USAGE) - {"output_tokens_details"}
    assert set(end["usage"]) == set(USAGE) - {"cache_creation", "service_tier", "inference_geo"}
    assert start["message"]["usage"]["output_tokens"] < end["usage"]["output_tokens"] == 60
    assert start["message"]["stop_reason"] is None


def test_an_empty_reply_has_no_blocks_and_no_ping():
    assert names(events_of(message())) == ["message_start", "message_delta", "message_stop"]


def test_a_cut_stream_is_not_whole_and_its_cut_call_is_empty():
    events = events_of(message(text("I look."), call("a", city="Oslo")))
    cut = events[: names(events).index("input_json_delta") + 2]
    assert not is_whole(cut)
    assert message_of(cut)["content"][1]["input"] == {}
    assert message_of(cut)["stop_reason"] is None
    assert message_of([]) is None


def test_an_error_event_ends_a_stream():
    error = {"type": "overloaded_error", "message": "Overloaded"}
    events = [*events_of(message(text("x")))[:3], {"event": "error", "data": {"type": "error", "error": error}}]
    assert error_of(events) == error
    assert not is_whole(events)


def test_an_event_on_the_wire():
    assert encode({"event": "ping", "data": {"type": "ping"}}) == b'event: ping\ndata: {"type": "ping"}\n\n'


def shape(value):
    """The keys of an event, at any depth, without what stands in them."""
    if isinstance(value, dict):
        free = {"input", "usage", "citation"}
        return {key: None if key in free else shape(item) for key, item in sorted(value.items())}
    return [] if isinstance(value, list) else None


@pytest.mark.skipif(not CORPUS.exists(), reason="the recorded replies are not here")
def test_every_event_has_the_shape_of_a_recorded_one():
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    recorded = {json.dumps(shape(event)) for row in rows for event in row.get("events", [])}
    search = SEARCH | {"caller": {"type": "direct"}}
    found = {key: FOUND[key] for key in ("type", "tool_use_id")} | {"content": [], "caller": {"type": "direct"}}
    sealed = {"type": "redacted_thinking", "data": "x"}
    ours = events_of(message(THINKING, sealed, text("I look."), search, found, call("a", city="Oslo")))
    assert [event for event in ours if json.dumps(shape(event)) not in recorded] == []


@pytest.mark.skipif(not CORPUS.exists(), reason="the recorded replies are not here")
def test_recorded_streams_can_be_read():
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    streams = [row["events"] for row in rows if row.get("events", [{}])[0].get("event") == "message_start"]
    assert len(streams) > 100
    for events in streams:
        built = message_of(events)
        assert len(built["content"]) == Counter(names(events))["content_block_start"]
        assert is_whole(events) == (events[-1]["event"] == "message_stop")
