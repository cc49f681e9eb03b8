"""The properties of chapter 9: right functions of several kinds keep them, wrong ones are caught, in words."""

import copy
import json

import pytest

from grader.history.plain import plain
from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import counterexample

NOTE = {"role": "user", "content": "Sorry."}


def blocks(message):
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else plain(content)[0]


def not_run(id, **more):
    return {"type": "tool_result", "tool_use_id": id, "content": "not run", "is_error": True, **more}


def repair_with(results=None, *, ahead=True, merge=True, only_end=False, mended=lambda messages: messages):
    """A repair function; the arguments make it right in other words, or wrong."""

    def repair(messages):
        out = copy.deepcopy(messages)
        for i in reversed(range(len(messages))):
            answers = messages[i + 1 : i + 2]
            done = [b.get("tool_use_id") for m in answers for b in blocks(m)]
            missing = [b["id"] for b in blocks(messages[i]) if b["type"] == "tool_use" and b["id"] not in done]
            if not missing or only_end and answers:
                continue
            new = [(results or not_run)(id) for id in missing]
            if not answers:
                out.append({"role": "user", "content": new})
            elif merge:
                there = blocks(out[i + 1])
                out[i + 1] = {"role": "user", "content": new + there if ahead else there + new}
            else:
                out.insert(i + 1, {"role": "user", "content": new})
        return mended(out)

    return repair


def fault(name, function, seed=1):
    found = counterexample(PROPERTIES[name], function, seed=seed)
    return found[1] if found else None


def dropping(messages):
    """Throw the messages with open calls away instead of answering them."""
    kept = [m for i, m in enumerate(messages) if not any(b["type"] == "tool_use" for b in blocks(m))]
    return [m for m in kept if not any(b["type"] == "tool_result" for b in blocks(m))]


def test_a_right_repair_keeps_both_properties():
    for seed in range(3):
        assert fault("answers-open-calls", repair_with(), seed) is None
        assert fault("leaves-whole-histories", repair_with(), seed) is None


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda messages: messages, "no `tool_result`"),
        (lambda messages: None, "is there a return?"),
        (lambda messages: "[]", "a str"),
        (repair_with(only_end=True), "refuses"),
        (repair_with(ahead=False), "refuses"),
        (repair_with(merge=False), "spread over 2 user messages"),
        (dropping, "missing"),
        (repair_with(lambda id: {**not_run(id), "is_error": False}), "is_error"),
        (repair_with(lambda id: {**not_run(id), "content": ""}), "refuses"),
        (repair_with(lambda id: not_run("call_1")), "refuses"),
        (repair_with(mended=lambda messages: [*messages, NOTE]), "text block was added"),
        (repair_with(mended=lambda messages: messages[1:]), "missing"),
    ],
)
def test_wrong_repairs_are_caught(function, word):
    assert word in fault("answers-open-calls", function)


def test_a_repair_that_knows_no_objects_of_the_client_is_caught():
    def dicts_only(messages):
        lists = [message["content"] for message in messages if isinstance(message["content"], list)]
        assert all(block["type"] for content in lists for block in content)
        return repair_with()(messages)

    assert "not subscriptable" in fault("answers-open-calls", dicts_only)


@pytest.mark.parametrize(
    "function",
    [
        lambda messages: messages + [{"role": "user", "content": "Go on."}],
        lambda messages: messages[:-1],
        lambda messages: None,
        lambda messages: messages.append({"role": "user", "content": [not_run("x")]}) or messages,
    ],
)
def test_a_repair_that_touches_whole_histories_is_caught(function):
    assert fault("leaves-whole-histories", function)


def trimmed(messages, keep):
    start = max(1, len(messages) - keep)
    while start > 1 and any(block["type"] == "tool_result" for block in blocks(messages[start])):
        start -= 1
    return messages[:1] + messages[start:]


def test_a_right_trim_keeps_its_property():
    for seed in range(3):
        assert fault("trims-between-pairs", trimmed, seed) is None


def test_a_trim_by_ids_does_too():
    def by_ids(messages, keep):
        start = max(1, len(messages) - keep)
        while start > 1:
            rest = [b for m in messages[start:] for b in blocks(m)]
            calls = {b["id"] for b in rest if b["type"] == "tool_use"}
            if all(b["tool_use_id"] in calls for b in rest if b["type"] == "tool_result"):
                break
            start -= 1
        return messages[:1] + messages[start:]

    assert fault("trims-between-pairs", by_ids) is None


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda messages, keep: messages[-keep:], "The first message"),
        (lambda messages, keep: messages[:1] + messages[1:][-keep:], "refuses"),
        (lambda messages, keep: messages, "are enough"),
        (lambda messages, keep: messages[:1], "stayed"),
        (lambda messages, keep: messages[: keep + 1], "not the end"),
        (lambda messages, keep: trimmed(messages, keep) + [{"role": "user", "content": "Go on."}], "not the end"),
        (lambda messages, keep: json.dumps(trimmed(messages, keep)), "a str"),
    ],
)
def test_wrong_trims_are_caught(function, word):
    assert word in fault("trims-between-pairs", function)
