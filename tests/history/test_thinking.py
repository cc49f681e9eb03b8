"""Thinking, compared with what the API returned."""

from grader.history import lint
from grader.history.examples import TASK, assistant, call, request, result, search, search_result, text, thinking, user

A, B, C = thinking("A", "sig-a"), thinking("B", "sig-b"), thinking("C", "sig-c")
HIDDEN = {"type": "redacted_thinking", "data": "sealed"}


def codes(*messages, replies, **rest):
    return [violation.rule for violation in lint(request(*messages, **rest), replies=replies)]


def test_the_reply_as_it_came_is_fine():
    assert codes(TASK, assistant(A, HIDDEN, B, call()), user(result()), replies=[[A, HIDDEN, B, call()]]) == []


def test_dropping_all_thinking_is_not_refused():
    assert codes(TASK, assistant(call()), user(result()), replies=[[A, B, call()]]) == []


def test_dropping_some_is():
    assert codes(TASK, assistant(B, call()), user(result()), replies=[[A, B, call()]]) == ["T01"]
    assert codes(TASK, assistant(A, call()), user(result()), replies=[[A, HIDDEN, call()]]) == ["T01"]


def test_another_order_is():
    assert codes(TASK, assistant(B, A, call()), user(result()), replies=[[A, B, call()]]) == ["T01"]


def test_twice_is():
    assert codes(TASK, assistant(A, A, call()), user(result()), replies=[[A, call()]]) == ["T01"]


def test_another_text_in_the_latest_turn_is_changed_and_in_an_older_one_is_invalid():
    shorter = thinking("a", "sig-a")
    assert codes(TASK, assistant(shorter, call()), user(result()), replies=[[A, call()]]) == ["T01"]
    older = (TASK, assistant(shorter, call()), user(result()), assistant("Hm."), user("Yes?"))
    assert codes(*older, replies=[[A, call()], [text("Hm.")]]) == ["T03"]


def test_a_signature_that_nobody_gave():
    assert codes(TASK, assistant(thinking("A", "mine"), call()), user(result()), replies=[[A, call()]]) == ["T03"]
    assert codes(
        TASK, assistant({"type": "redacted_thinking", "data": "mine"}, call()), user(result()), replies=[]
    ) == ["T03"]


def test_without_replies_nobody_knows():
    assert codes(TASK, assistant(thinking("A", "mine"), call()), user(result()), replies=None) == []


def test_older_turns_may_lose_thinking():
    messages = (TASK, assistant(B, call("a")), user(result("a")), assistant(C, call("b")), user(result("b")))
    assert codes(*messages, replies=[[A, B, call("a")], [C, call("b")]]) == []


def test_a_paused_turn_of_two_replies_is_one_turn():
    replies = [[A, search()], [search_result(), B, text("Rain.")]]
    assert (
        codes(TASK, assistant(A, search()), assistant(search_result(), B, text("Rain.")), user("?"), replies=replies)
        == []
    )
    assert codes(
        TASK, assistant(search()), assistant(search_result(), B, text("Rain.")), user("?"), replies=replies
    ) == ["T01"]


def test_the_same_thinking_in_two_replies():
    replies = [[A, call("a")], [A, call("b")]]
    assert codes(TASK, assistant(A, call("a")), user(result("a")), replies=replies) == []
    messages = (TASK, assistant(A, call("a")), user(result("a")), assistant(A, call("b")), user(result("b")))
    assert codes(*messages, replies=replies) == []


def test_thinking_is_bound_to_what_stood_before_it_on_the_newest_models():
    newest = {"model": "claude-sonnet-5-5", "system": "Be brief."}
    replies = [{"content": [A, call()], "request": request(TASK, **newest)}]
    messages = (assistant(A, call()), user(result()))
    assert codes(TASK, *messages, replies=replies, **newest) == []
    marked = user(text(TASK["content"], cache_control={"type": "ephemeral"}))
    assert codes(marked, *messages, replies=replies, **newest) == []
    assert codes(TASK, *messages, replies=replies, **newest | {"system": "Be long."}) == ["T08"]
    assert codes(user("Summary"), *messages, replies=replies, **newest) == ["T08"]
    assert codes(user("Summary"), *messages, replies=replies, model="claude-sonnet-5") == []


def test_odd_replies_do_no_harm():
    for replies in ("x", 3, [None, 3, {"content": 3}, [None, [], {"id": []}]], {"a": 1}):
        lint(request(TASK, assistant(A, call()), user(result())), replies=replies)
