"""Drawn histories, and the property of a function that finds open calls."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from grader.history import lint
from grader.history.models import MODEL
from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import try_property
from grader.judging.exercises.properties.histories import histories, open_ids


def refused(messages):
    return [found for found in lint({"model": MODEL, "messages": messages}) if found.severity == "refused"]


@settings(max_examples=150, deadline=None)
@given(histories(open_calls=False))
def test_without_open_calls_the_api_takes_every_history(messages):
    assert refused(messages) == []
    assert open_ids(messages) == []


@settings(max_examples=150, deadline=None)
@given(histories())
def test_open_calls_are_all_that_is_wrong_with_the_others(messages):
    found = {
        one.rule
        for one in refused(messages + [{"role": "user", "content": "And now?"}] * (messages[-1]["role"] == "assistant"))
    }
    assert found == ({"P01"} if open_ids(messages) else set())


@settings(max_examples=100, deadline=None)
@given(histories(thinking=False, parallel=False, split=False))
def test_each_switch_takes_something_away(messages):
    contents = [message["content"] for message in messages if isinstance(message["content"], list)]
    kinds = [[block["type"] for block in content] for content in contents]
    assert all("thinking" not in content and content.count("tool_use") < 2 for content in kinds)
    roles = [message["role"] for message in messages]
    assert all(one != other for one, other in pairwise(roles))


def right(messages):
    missing, waiting, before = [], [], None
    for message in messages:
        if message["role"] == "assistant" and before == "user":
            missing, waiting = missing + waiting, []
        before = message["role"]
        for block in blocks(message):
            if block["type"] == "tool_use":
                waiting.append(block["id"])
            elif block["type"] == "tool_result" and block["tool_use_id"] in waiting:
                waiting.remove(block["tool_use_id"])
    return missing + waiting


def blocks(message):
    return [] if isinstance(message["content"], str) else message["content"]


def called(message):
    return [block["id"] for block in blocks(message) if block["type"] == "tool_use"]


def answered(message):
    return [block["tool_use_id"] for block in blocks(message) if block["type"] == "tool_result"]


def anywhere(messages):
    done = [id for message in messages for id in answered(message)]
    return [id for message in messages for id in called(message) if id not in done]


def next_message_only(messages):
    pairs = zip(messages, [*messages[1:], {"content": ""}], strict=True)
    return [id for message, after in pairs for id in called(message) if id not in answered(after)]


def last_reply_only(messages):
    return [id for id in right(messages) if any(id in called(message) for message in messages[-2:])]


def strings_forgotten(messages):
    return [block["id"] for message in messages for block in message["content"] if block["type"] == "tool_use"]


def a_set(messages):
    return set(right(messages))


def backwards(messages):
    return right(messages)[::-1]


def test_a_right_function_passes():
    assert try_property(PROPERTIES["finds-open-calls"], "unanswered", right, seed=1).verdict == "passed"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (anywhere, "comes too late"),
        (next_message_only, "in the user turn right after the call"),
        (last_reply_only, "No result has this id"),
        (strings_forgotten, "raised TypeError"),
        (a_set, "should return a list"),
        (backwards, "in the order of the calls"),
        (lambda messages: [*right(messages), "call_99"], "no call has this id"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_wrong_functions_are_caught_and_told_why(wrong, words, seed):
    check = try_property(PROPERTIES["finds-open-calls"], "unanswered", wrong, seed=seed)
    assert check.verdict == "failed"
    assert words in check.violations[0].saw
