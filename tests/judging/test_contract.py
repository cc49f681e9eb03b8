"""The table of contract.md: what is right after each reply."""

import pytest

from grader.judging.contract import Bookkeeper, can_be_sent_back, tokens_of

TEXT = {"type": "text", "text": "Hm."}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"a": 1, "b": 2}}
USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 30, "output_tokens": 40}


def reply(reason, *content, usage=USAGE):
    return {"stop_reason": reason, "content": list(content), "usage": usage}


def after(message, **limits):
    return Bookkeeper(limits, gated=True).after(message, 0)


@pytest.mark.parametrize(
    ("reason", "content", "go_on", "statuses", "keep"),
    [
        ("tool_use", [CALL], True, set(), "must"),
        ("tool_use", [TEXT], False, {"done", "tool_use"}, "may"),
        ("end_turn", [TEXT], False, {"done"}, "must"),
        ("end_turn", [], False, {"done"}, "never"),
        ("end_turn", [TEXT, CALL], True, {"done"}, "must"),
        ("pause_turn", [TEXT], True, set(), "must"),
        ("max_tokens", [CALL], False, {"max_tokens"}, "may"),
        ("refusal", [], False, {"refusal"}, "never"),
        ("stop_sequence", [TEXT], False, {"stop_sequence"}, "may"),
        ("model_context_window_exceeded", [TEXT], False, {"model_context_window_exceeded"}, "may"),
        ("some_future_reason", [CALL], False, {"some_future_reason"}, "may"),
    ],
)
def test_what_is_right_after_a_reply(reason, content, go_on, statuses, keep):
    decision = after(reply(reason, *content))
    assert (decision.go_on, set(decision.statuses), decision.keep) == (go_on, statuses, keep)


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded", "stop_sequence", "odd"])
def test_nothing_of_a_stopped_reply_is_run(reason):
    assert after(reply(reason, CALL)).run == "none"


def test_max_turns_counts_requests_pauses_too():
    books = Bookkeeper({"max_turns": 2}, gated=True)
    assert books.after(reply("pause_turn", TEXT), 0).go_on
    assert books.after(reply("tool_use", CALL), 0).closed == ("max_turns",)


def test_all_four_token_counts_are_added_and_equality_closes():
    assert tokens_of(USAGE) == 100
    assert after(reply("tool_use", CALL), token_budget=100).closed == ("token_budget",)
    assert after(reply("tool_use", CALL), token_budget=101).closed == ()


def test_the_deadline_closes_at_equality():
    books = Bookkeeper({"timeout_s": 5}, gated=True)
    assert books.after(reply("tool_use", CALL), 5).closed == ("timeout",)


def test_a_repeat_is_name_and_input_whatever_the_order_of_keys():
    books = Bookkeeper({"max_repeats": 2}, gated=True)
    turned = CALL | {"id": "toolu_2", "input": {"b": 2, "a": 1}}
    books.after(reply("tool_use", CALL), 0)
    decision = books.after(reply("tool_use", turned), 0)
    assert decision.repeated == {"toolu_2"}
    assert decision.statuses == {"repeated_call"}


def test_a_reply_that_ends_the_work_is_done_whatever_gate_it_crosses():
    assert after(reply("end_turn", TEXT), max_turns=1, token_budget=1).statuses == {"done"}


def test_before_the_gates_level_no_gate_is_in_force():
    assert Bookkeeper({"max_turns": 1}, gated=False).after(reply("tool_use", CALL), 0).go_on


def test_what_can_not_be_sent_back():
    thinking = {"type": "thinking", "thinking": "Hm", "signature": "s"}
    assert not can_be_sent_back([]) and not can_be_sent_back([thinking])
    assert not can_be_sent_back([{"type": "text", "text": " \n"}])
    assert can_be_sent_back([thinking, CALL])
