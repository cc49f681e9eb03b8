"""The properties of the bill: right functions keep them, wrong ones are caught and told why."""

import copy

import pytest

from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import counterexample


def fault(name, function, seed=1):
    found = counterexample(PROPERTIES[name], function, seed=seed)
    return found[1] if found else None


def by_sum(turns, start, growth):
    return sum(start + k * growth for k in range(turns))


def by_formula(turns, start, growth):
    return turns * start + growth * turns * (turns - 1) / 2


@pytest.mark.parametrize("function", [by_sum, by_formula])
def test_right_bills_pass(function):
    assert all(fault("sums-each-request", function, seed) is None for seed in range(3))


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda turns, start, growth: turns * (start + growth), "once a turn"),
        (lambda turns, start, growth: start + (turns - 1) * growth, "last request alone"),
        (
            lambda turns, start, growth: sum(start + k * growth for k in range(1, turns + 1)),
            "the first one carries none",
        ),
        (lambda turns, start, growth: None, "is there a return?"),
        (lambda turns, start, growth: str(by_sum(turns, start, growth)), "a str"),
        (lambda turns, start, growth: growth / 0, "ZeroDivisionError"),
    ],
)
def test_wrong_bills_are_caught(function, word):
    assert word in fault("sums-each-request", function)


def marked_with(place=-1, mark=None, *, role="user", everywhere=False, strings=True):
    """A function that marks; the arguments make it wrong."""

    def marked(messages):
        out = copy.deepcopy(messages)
        found = [message for message in out if message["role"] == role]
        for message in found if everywhere else found[-1:]:
            if isinstance(message["content"], str):
                if not strings:
                    continue
                message["content"] = [{"type": "text", "text": message["content"]}]
            message["content"][place]["cache_control"] = mark or {"type": "ephemeral"}
        return out

    return marked


def in_place(messages):
    messages[-1]["cache_control"] = {"type": "ephemeral"}
    return messages


def shallow(messages):
    out = list(messages)
    at = max(i for i, message in enumerate(out) if message["role"] == "user")
    if isinstance(out[at]["content"], str):
        out[at] = {"role": "user", "content": [{"type": "text", "text": out[at]["content"]}]}
    out[at]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return out


@pytest.mark.parametrize("function", [marked_with(), marked_with(mark={"type": "ephemeral", "ttl": "1h"})])
def test_right_marks_pass(function):
    assert all(fault("marks-the-last-user-block", function, seed) is None for seed in range(3))


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda messages: messages, "is nowhere"),
        (lambda messages: None, "is there a return?"),
        (in_place, "changed"),
        (shallow, "changed"),
        (marked_with(place=0), "the last block"),
        (marked_with(role="assistant"), "the last user message"),
        (marked_with(everywhere=True), "One is enough"),
        (marked_with(strings=False), "is nowhere"),
        (marked_with(mark={"type": "forever"}), "ephemeral"),
        (lambda messages: marked_with()(messages)[-1:], "not the same"),
        (
            lambda messages: [{**message, "cache_control": {"type": "ephemeral"}} for message in messages],
            "content block",
        ),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_wrong_marks_are_caught(function, word, seed):
    assert fault("marks-the-last-user-block", function, seed) is not None
    if seed == 1:
        assert word in fault("marks-the-last-user-block", function, seed)
