"""Both doors: the same transcript, whatever the client and however it asks; and HTTP as it should be."""

import http.client
import json
import socket
import threading

import pytest

from grader.replay import in_process
from grader.replay.loopback import Loopback
from grader.replay.play import play
from grader.replay.player import Player

from . import loops
from .samples import HELLO, body, call, message, one_call, parallel, scenario, text, tool

OVERLOADED = {"error": {"status": 529, "type": "overloaded_error", "message": "Overloaded"}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_a", "name": "web_search", "input": {"query": "Oslo"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_a", "content": []}

SCENARIOS = {
    "one call": one_call(),
    "parallel": parallel(),
    "errors": scenario(
        message(call("a", city="Oslo"), call("b", town="Oslo"), call("c", name="ring")),
        OVERLOADED,
        message(text("fine"), id="2"),
        tools=[tool({"raises": {"type": "ValueError", "message": "no station {nonce}"}}), tool(name="ring")],
        missing_functions=["ring"],
        level="errors",
    ),
    "server tool": scenario(message(text("I search."), SEARCH, FOUND, text("Rain.")), level="stop_reasons"),
    "refused": scenario(message(text(""), call("a", city="Oslo")), message(text("fine"))),
    "twice": one_call(runs=2),
    "endless": scenario(message(call("a", city="Oslo")), repeat_last=True, limits={"max_turns": 2}, level="gates"),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_both_doors_and_all_styles_give_equal_transcripts(name):
    """Written by a loop in six styles; the first one, in the process, is what the others are held to."""
    first, *others = (
        (style.__name__, door, play(SCENARIOS[name], style, seed=7, door=door).essence())
        for style in loops.STYLES
        for door in ("in_process", "loopback")
    )
    assert first[2]["exchanges"]
    for style, door, essence in others:
        assert essence == first[2], (style, door)


def test_what_the_scenarios_show():
    """So that the test above cannot compare nothing with nothing."""
    plays = {name: play(one, loops.create, seed=7) for name, one in SCENARIOS.items()}
    kinds = {name: [exchange.kind for exchange in transcript.exchanges] for name, transcript in plays.items()}
    assert kinds["one call"] == ["reply"] * 2
    assert kinds["errors"] == ["reply", "error", "reply"]
    assert [exchange.retry for exchange in plays["errors"].exchanges] == [0, 0, 1]
    assert [run.outcome for run in plays["errors"].runs] == ["raised", "unfit"]
    assert kinds["refused"] == ["reply", "refused"]
    assert kinds["endless"] == ["reply"] * 21 + ["after_end"]
    assert len(plays["twice"].later) == 1
    assert plays["parallel"].claim.status == "done"
    assert plays["refused"].crash.type == "BadRequestError"


def test_a_broken_stream_is_the_same_through_both_doors():
    start = {"event": "message_start", "data": {"type": "message_start", "message": message()}}
    broken = scenario({"events": [start], "cut": True})
    for style in (loops.stream, loops.raw_stream_async):
        near, far = (play(broken, style, seed=7, door=door) for door in ("in_process", "loopback"))
        assert near.essence() == far.essence()
        assert near.crash.type == "RemoteProtocolError"
    assert play(broken, loops.create, seed=7).crash.type == "InternalServerError"


def test_a_lasting_error_is_final_after_the_sdks_three_tries():
    for style in (loops.create, loops.create_async):
        transcript = play(scenario(OVERLOADED | {"times": 3}), style, seed=7)
        assert transcript.crash.type == "OverloadedError"
        assert [exchange.retry for exchange in transcript.exchanges] == [0, 1, 2]
        assert transcript.unused == 0


def test_a_slow_reply_is_seen_by_the_loop_through_both_doors():
    seen = []

    def timing(client, task, tools, functions):
        import time

        start = time.monotonic()
        client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=[{"role": "user", "content": task}])
        seen.append(time.monotonic() - start)
        return "done", []

    for door in ("in_process", "loopback"):
        play(scenario({"message": message(text("fine")), "takes_s": 400}), timing, seed=7, door=door)
    assert [400 <= one < 420 for one in seen] == [True, True]


@pytest.mark.parametrize("door", ["in_process", "loopback"])
def test_the_sdks_tool_runner_works(door):
    def runner(client, task, tools, functions):
        from anthropic import beta_tool

        runnable = [beta_tool(function) for function in functions.values()]
        messages = [{"role": "user", "content": task}]
        options = {"model": "claude-sonnet-5", "max_tokens": 1000, "tools": runnable, "messages": messages}
        last = client.beta.messages.tool_runner(**options).until_done()
        return last.stop_reason, messages

    transcript = play(parallel(), runner, seed=7, door=door)
    assert transcript.crash is None
    assert [exchange.kind for exchange in transcript.exchanges] == ["reply"] * 3
    assert [run.outcome for run in transcript.runs] == ["returned"] * 3
    assert transcript.claim.status == "end_turn"


@pytest.mark.parametrize("make", [in_process.client, lambda player: Loopback(player).__enter__().client()])
def test_other_paths_are_not_found(make):
    from anthropic import NotFoundError

    with pytest.raises(NotFoundError, match="Not found: GET /v1/models/claude"):
        make(Player(one_call(), 1)).models.retrieve("claude")


@pytest.fixture
def door():
    with Loopback(Player(one_call(), 1)) as open_door:
        yield open_door


@pytest.fixture
def connection(door):
    connection = http.client.HTTPConnection(door.base_url.removeprefix("http://"), timeout=5)
    yield connection
    connection.close()


def ask(connection, method, path, sent=None, **headers):
    connection.request(method, path, sent, headers)
    response = connection.getresponse()
    return response, response.read()


def test_it_listens_on_this_machine_only(door):
    assert door.base_url.startswith("http://127.0.0.1:")
    assert door._server.server_address[0] == "127.0.0.1"


def test_http_as_it_should_be(connection):
    response, read = ask(connection, "POST", "/v1/messages?beta=true", body(HELLO))
    assert (response.status, response.version) == (200, 11)
    assert response.headers["content-type"] == "application/json"
    assert int(response.headers["content-length"]) == len(read)
    assert response.headers["request-id"].startswith("req_")
    response, read = ask(connection, "GET", "/")
    assert json.loads(read)["functions"] == ["get_weather"]
    assert connection.sock is not None  # it was kept alive


def test_a_stream_comes_in_chunks(connection):
    response, read = ask(connection, "POST", "/v1/messages", body(HELLO, stream=True))
    assert response.headers["transfer-encoding"] == "chunked"
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["content-length"] is None
    assert read.startswith(b"event: message_start\ndata: {")
    assert read.endswith(b"}\n\n")


def test_a_chunked_request_is_read(connection):
    sent = body(HELLO)
    response, _ = ask(connection, "POST", "/v1/messages", iter([sent[:10], sent[10:]]))
    assert response.status == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/models", 404), ("POST", "/v1/complete", 404), ("PUT", "/v1/messages", 404), ("BREW", "/", 501)],
)
def test_what_there_is_not_is_refused_in_the_apis_shape(connection, method, path, status):
    response, read = ask(connection, method, path)
    assert response.status == status
    answer = json.loads(read)
    assert answer["type"] == "error"
    assert answer["request_id"] == response.headers["request-id"]


def test_too_large_a_request_is_refused_unread(connection):
    connection.putrequest("POST", "/v1/messages")
    connection.putheader("content-length", str(33 * 1024 * 1024))
    connection.endheaders()
    response = connection.getresponse()
    assert response.status == 413
    assert json.loads(response.read())["error"]["type"] == "request_too_large"


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\ncontent-length: -3\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n-5\r\n",
        b"POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"POST /v1/messages HTTP/1.1\r\ncontent-length: 30\r\n\r\n{",
        b"\x00\xff" * 100,
    ],
)
def test_no_client_takes_it_down(door, sent):
    with socket.create_connection(("127.0.0.1", door._server.server_port), timeout=5) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            pass
    connection = http.client.HTTPConnection(door.base_url.removeprefix("http://"), timeout=5)
    assert ask(connection, "GET", "/")[0].status == 200
    connection.close()


def tools_door(*tools):
    return Loopback(Player(scenario(message(text("fine")), tools=list(tools)), 1))


def run_tool(open_door, name, sent):
    connection = http.client.HTTPConnection(open_door.base_url.removeprefix("http://"), timeout=5)
    response, read = ask(connection, "POST", f"/tools/{name}", sent)
    connection.close()
    return response.status, json.loads(read)


def test_tools_for_other_processes():
    missing = {"type": "KeyError", "message": "no Oslo"}
    tools = tool({"returns": "12 C"}), tool({"raises": missing}, name="raise"), tool(name="later", is_async=True)
    with tools_door(*tools) as door:
        oslo = json.dumps({"city": "Oslo"})
        assert run_tool(door, "get_weather", oslo) == (200, {"output": "12 C"})
        assert run_tool(door, "raise", oslo) == (200, {"raised": missing})
        assert run_tool(door, "later", oslo)[1]["output"].startswith("12 C")
        status, unfit = run_tool(door, "get_weather", "{}")
        assert (status, unfit["raised"]["type"]) == (200, "TypeError")
        assert run_tool(door, "ring", "{}")[0] == 404
        assert run_tool(door, "get_weather", "[]")[0] == 400
        assert run_tool(door, "get_weather", "{")[0] == 400
        assert [run.outcome for run in door.player.transcript.runs] == ["returned", "raised", "returned", "unfit"]


def test_the_door_closes_what_it_opened():
    before = threading.active_count()
    with Loopback(Player(one_call(), 1)) as open_door:
        connection = http.client.HTTPConnection(open_door.base_url.removeprefix("http://"), timeout=5)
        ask(connection, "GET", "/")
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(5)
    assert threading.active_count() == before
    with pytest.raises(OSError):
        http.client.HTTPConnection(open_door.base_url.removeprefix("http://"), timeout=1).connect()
    connection.close()
