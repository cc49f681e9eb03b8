"""The player: what it answers, what it refuses, and that it always answers."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.replay.player import Player

from .samples import HELLO, body, call, message, one_call, scenario, text

OVERLOADED = {"error": {"status": 529, "type": "overloaded_error", "message": "Overloaded"}}


def ask(player, *messages, headers=(), **more):
    response = player.respond(dict(headers), body(*(messages or (HELLO,)), **more))
    return response, json.loads(response.body)


def kinds(player):
    return [exchange.kind for exchange in player.transcript.exchanges]


def answered(reply, *results):
    return [HELLO, {"role": "assistant", "content": reply["content"]}, {"role": "user", "content": list(results)}]


def result(block, content="12 C", **more):
    return {"type": "tool_result", "tool_use_id": block["id"], "content": content} | more


def test_replies_come_in_order_and_name_the_requests_model():
    player = Player(one_call(), 1)
    response, first = ask(player, model="claude-opus-5")
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert response.headers["request-id"].startswith("req_")
    assert first["model"] == "claude-opus-5"
    assert first["content"][0]["id"].startswith("toolu_01")
    _, second = ask(player, *answered(first, result(first["content"][0])))
    assert second["stop_reason"] == "end_turn"
    assert kinds(player) == ["reply", "reply"]
    assert [exchange.reply for exchange in player.transcript.exchanges] == [first, second]
    assert player.transcript.unused == 0


def test_a_faulty_history_is_refused_with_the_apis_words_and_uses_up_nothing():
    player = Player(one_call(), 1)
    _, first = ask(player)
    response, refused = ask(player, HELLO, {"role": "assistant", "content": first["content"]}, HELLO)
    assert response.status == 400
    assert response.headers["x-should-retry"] == "false"
    assert refused["type"] == "error"
    assert refused["request_id"] == response.headers["request-id"]
    assert refused["error"]["type"] == "invalid_request_error"
    assert refused["error"]["message"].startswith("messages.1: `tool_use` ids were found without `tool_result` blocks")
    assert first["content"][0]["id"] in refused["error"]["message"]
    exchange = player.transcript.exchanges[-1]
    assert (exchange.kind, exchange.status, exchange.reply) == ("refused", 400, None)
    assert [violation.rule for violation in exchange.violations] == ["P01"]
    _, second = ask(player, *answered(first, result(first["content"][0])))
    assert second["stop_reason"] == "end_turn"


def test_changed_thinking_is_refused_since_the_player_knows_what_it_said():
    thinking = {"type": "thinking", "thinking": "Oslo, then.", "signature": "c2ln"}
    player = Player(scenario(message(thinking, call("a", city="Oslo")), message(text("fine"), id="2")), 1)
    _, first = ask(player)
    block = first["content"][0]
    assert block["signature"] != "c2ln"
    changed = [block | {"thinking": "Bergen."}, first["content"][1]]
    _, refused = ask(player, *answered({"content": changed}, result(first["content"][1])))
    assert "blocks in the latest assistant message cannot be modified" in refused["error"]["message"]
    _, second = ask(player, *answered(first, result(first["content"][1])))
    assert second["type"] == "message"


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"", "The request body is not valid JSON"),
        (b"{", "The request body is not valid JSON"),
        (b"\xff\xfe", "The request body is not valid JSON"),
        (b'{"max_tokens": NaN}', "The request body is not valid JSON"),
        (b'{"model": "\\ud800"}', "The request body is not valid JSON"),
        (b"[" * 100_000, "The request body is not valid JSON"),
        (b"[]", "Input should be an object"),
        (body(HELLO, max_tokens=None), "max_tokens: Input should be a valid integer"),
        (body(HELLO, max_tokens=True), "max_tokens: Input should be a valid integer"),
        (body(HELLO, max_tokens=0), "max_tokens: Input should be greater than or equal to 1"),
        (body(HELLO, model=3), "model: Input should be a valid string"),
        (body(HELLO, messages={}), "messages: Input should be a valid list"),
        (body(HELLO, stream="yes"), "stream: Input should be a valid boolean"),
        (body(HELLO, tools={}), "tools: Input should be a valid list"),
        (body(HELLO, tools=[3]), "tools.0: Input should be an object"),
        (body(HELLO, tools=[{"name": "a"}]), "tools.0.custom.input_schema: Field required"),
        (body(HELLO, tools=[{"name": "a", "input_schema": {}}] * 2), "tools: Tool names must be unique."),
        (b'{"model": "m", "messages": []}', "max_tokens: Field required"),
        (b'{"max_tokens": 1, "messages": []}', "model: Field required"),
        (b'{"model": "m", "max_tokens": 1}', "messages: Field required"),
        (b'{"model": "m", "max_tokens": 1, "messages": []}', "messages: at least one message is required"),
    ],
)
def test_an_unfit_request_is_refused(sent, says):
    player = Player(one_call(), 1)
    response = player.respond({}, sent)
    assert response.status == 400
    assert json.loads(response.body)["error"]["message"].startswith(says)
    assert kinds(player) == ["refused"]
    assert player.transcript.unused == 2


def test_a_request_after_the_last_reply_is_told_so():
    player = Player(scenario(message(text("fine"))), 1)
    ask(player)
    response, refused = ask(player)
    assert response.status == 400
    assert "no more replies" in refused["error"]["message"]
    assert kinds(player) == ["reply", "after_end"]


def test_a_history_kept_by_the_server_is_declined_and_is_no_turn():
    player = Player(one_call(), 1)
    response, declined = ask(player, thread={"type": "create"})
    assert (response.status, declined["error"]["details"]["error_code"]) == (400, "thread_unsupported_request")
    ask(player, thread=None)
    assert kinds(player) == ["reply"]


def test_replies_never_asked_for_are_counted():
    player = Player(one_call(), 1)
    assert player.transcript.unused == 2
    ask(player)
    assert player.transcript.unused == 1


def test_a_scripted_error_is_used_up_by_the_first_try_and_the_retry_gets_the_next_reply():
    player = Player(scenario(OVERLOADED, message(text("fine"))), 1)
    response, failed = ask(player, headers={"X-Stainless-Retry-Count": "0"})
    assert (response.status, response.headers["retry-after-ms"]) == (529, "1")
    assert "x-should-retry" not in response.headers
    assert failed["error"] == {"type": "overloaded_error", "message": "Overloaded"}
    response, _ = ask(player, headers={"x-stainless-retry-count": "1"})
    assert response.status == 200
    assert [(exchange.kind, exchange.retry) for exchange in player.transcript.exchanges] == [("error", 0), ("reply", 1)]


def test_an_error_can_last_and_bring_headers():
    lasting = OVERLOADED | {"times": 3, "headers": {"x-should-retry": "false"}}
    player = Player(scenario(lasting, message(text("fine"))), 1)
    responses = [ask(player)[0] for _ in range(4)]
    assert [response.status for response in responses] == [529, 529, 529, 200]
    assert responses[0].headers["x-should-retry"] == "false"


@pytest.mark.parametrize("count", ["", "x", "-1", "99999999999", "²", None])
def test_an_odd_retry_count_counts_as_none(count):
    player = Player(one_call(), 1)
    ask(player, headers={"x-stainless-retry-count": count})
    assert player.transcript.exchanges[0].retry == 0


def test_a_repeated_reply_has_fresh_ids_each_time():
    player = Player(scenario(message(call("a", city="Oslo")), repeat_last=True), 1)
    replies = [ask(player)[1] for _ in range(3)]
    assert len({reply["id"] for reply in replies}) == 3
    assert len({reply["content"][0]["id"] for reply in replies}) == 3
    assert {reply["content"][0]["input"]["city"] for reply in replies} == {"Oslo"}


def test_a_loop_that_asks_for_ever_is_refused_and_then_stopped():
    endless = scenario(message(text("more")), repeat_last=True, limits={"max_turns": 30}, level="gates")
    player = Player(endless, 1)
    responses = [player.respond({}, body(HELLO)) for _ in range(100)]
    assert [response.status for response in responses[:31]] == [200] * 31
    assert {response.status for response in responses[31:]} == {400}
    assert [response.stop for response in responses] == [False] * 51 + [True] * 49
    assert kinds(player) == ["reply"] * 31 + ["after_end"] * 20
    assert player.transcript.capped


def test_a_reply_takes_virtual_time():
    slow = {"message": message(call("a", city="Oslo")), "takes_s": 400}
    player = Player(scenario(slow, message(text("fine"), id="2")), 1)
    _, first = ask(player)
    ask(player, *answered(first, result(first["content"][0])))
    assert [exchange.at_s for exchange in player.transcript.exchanges] == [0, 400]


def test_a_stream_that_breaks():
    start = {"event": "message_start", "data": {"type": "message_start", "message": message()}}
    player = Player(scenario({"events": [start], "cut": True}, {"events": [start], "cut": True}), 1)
    streamed = player.respond({}, body(HELLO, stream=True))
    assert (streamed.status, streamed.broken, len(streamed.chunks)) == (200, True, 1)
    plain, failed = ask(player)
    assert (plain.status, plain.headers["x-should-retry"]) == (500, "false")
    assert failed["error"]["type"] == "api_error"
    assert [(exchange.kind, exchange.reply) for exchange in player.transcript.exchanges] == [("broken", None)] * 2


def test_an_error_inside_a_stream():
    error = {"type": "overloaded_error", "message": "Overloaded"}
    events = [{"event": "error", "data": {"type": "error", "error": error}}]
    player = Player(scenario({"events": events}, {"events": events}), 1)
    streamed = player.respond({}, body(HELLO, stream=True))
    assert not streamed.broken
    assert b"overloaded_error" in streamed.chunks[0]
    plain, failed = ask(player)
    assert (plain.status, failed["error"]) == (529, error)


def test_two_seeds_two_runs_and_one_seed_one_run():
    def play(seed):
        player = Player(one_call(), seed)
        ask(player)
        player.functions()["get_weather"](city="Oslo")
        return player.transcript.to_dict()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_nothing_is_written_after_the_end():
    player = Player(one_call(), 1)
    player.finish()
    response = player.respond({}, body(HELLO))
    assert (response.status, response.stop) == (400, True)
    player.functions()["get_weather"](city="Oslo")
    assert player.transcript.exchanges == player.transcript.runs == []


def test_a_loop_that_changes_what_it_was_given_is_seen():
    player = Player(one_call(), 1)
    player.tools[0]["description"] = "mine"
    player.functions()["get_weather"] = print
    player.finish()
    assert player.transcript.mutated == ["tools", "functions"]
    assert player.transcript.tools[0]["description"] == "What get_weather does."


def test_many_threads_at_once_get_one_reply_each():
    player = Player(scenario(*[message(text("more"), id=str(n)) for n in range(16)]), 1)
    threads = [threading.Thread(target=player.respond, args=({}, body(HELLO))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    exchanges = player.transcript.exchanges
    assert [exchange.index for exchange in exchanges] == list(range(16))
    assert len({exchange.reply["id"] for exchange in exchanges}) == 16


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from(
    ["model", "max_tokens", "messages", "tools", "stream", "system", "role", "content", "type", "id"]
)
requests = st.dictionaries(fields, json_like | st.lists(st.dictionaries(fields, json_like, max_size=4), max_size=3))
near = st.builds(lambda extra: {"model": "m", "max_tokens": 9, "messages": [HELLO]} | extra, requests)


@given(
    st.binary() | st.builds(lambda request: json.dumps(request).encode(), json_like | requests | near),
    st.none() | st.dictionaries(st.text(), st.none() | st.text()) | st.lists(st.tuples(st.text(), st.text())),
)
def test_it_always_answers(sent, headers):
    player = Player(one_call(), 1)
    response = player.respond(headers, sent)
    assert response.status in (200, 400)
    assert (response.body is None) != (response.chunks is None)
    if response.body is not None:
        json.loads(response.body)
    json.dumps(player.transcript.to_dict())


def test_a_fault_of_the_players_own_is_an_answer_too():
    player = Player(one_call(), 1)
    player.clock = None
    response = player.respond({}, body(HELLO))
    assert response.status == 500
    assert response.headers["x-should-retry"] == "false"
    assert b"The player failed" in response.body


def test_a_retry_counts_only_where_the_sdk_would_send_the_request_again():
    """A loop can write the header too; its turns would pass for no turns."""
    player = Player(scenario(message(text("one")), message(text("two"))), 1)
    ask(player)
    ask(player, headers={"x-stainless-retry-count": "1"})
    assert [exchange.retry for exchange in player.transcript.exchanges] == [0, 0]
