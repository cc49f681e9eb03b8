"""scenario("name") in a notebook: a real client, and what the grader sees of it."""

import asyncio

import pytest

from grader import MODEL
from grader.course import UnknownScenario, scenario
from grader.course.timeline import Timeline

NAME = "weather-one-call"


def ask(live, client):
    return client.messages.create(
        model=MODEL, max_tokens=100, tools=live.tools, messages=[{"role": "user", "content": live.task}]
    )


def test_a_real_client_answers_from_the_script_and_is_seen():
    import anthropic

    live = scenario(NAME)
    client = live.client()
    assert isinstance(client, anthropic.Anthropic)
    assert live.requests == []
    reply = ask(live, client)
    [call] = [block for block in reply.content if block.type == "tool_use"]
    assert call.name in live.functions
    assert isinstance(live.functions[call.name](**call.input), str)
    assert [request["messages"] for request in live.requests] == [[{"role": "user", "content": live.task}]]
    assert len(live.transcript.exchanges) == len(live.transcript.runs) == 1
    assert repr(live).startswith(f'scenario "{NAME}": ') and "1 request so far" in repr(live)


def test_a_fixed_seed_gives_the_same_ids_and_another_gives_others():
    ids = [ask(live, live.client()).id for live in (scenario(NAME), scenario(NAME), scenario(NAME, seed=7))]
    assert ids[0] == ids[1] != ids[2]


def test_the_async_client_is_the_same_play():
    live = scenario(NAME)
    reply = asyncio.run(ask(live, live.async_client()))
    other = scenario(NAME)
    assert reply.id == ask(other, other.client()).id


def test_what_the_api_refuses_is_refused_in_its_words():
    import anthropic

    live = scenario(NAME)
    with pytest.raises(anthropic.BadRequestError, match="at least one message is required"):
        live.client().messages.create(model=MODEL, max_tokens=9, messages=[])
    assert live.transcript.exchanges[0].kind == "refused"


@pytest.mark.parametrize("name", ["wether-one-call", "../course", "", None, 3])
def test_an_unknown_name_is_named(name):
    with pytest.raises(UnknownScenario) as caught:
        scenario(name)
    assert str(caught.value).startswith("There is no scenario called ")


def test_the_nearest_name_is_offered():
    with pytest.raises(UnknownScenario, match=f'Did you mean "{NAME}"'):
        scenario("wether-one-call")


def one_request(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    client.messages.create(model=MODEL, max_tokens=9, tools=tools, messages=messages)
    return "done", messages


def crash(client, task, tools, functions):
    raise ZeroDivisionError("mine")


def stub(client, task, tools, functions):
    raise NotImplementedError("write it")


def test_play_is_a_play_of_its_own_and_is_drawn():
    live = scenario(NAME)
    ask(live, live.client())
    view = live.play(one_request)
    assert isinstance(view, Timeline) and view.ladder.replies == 1
    assert len(live.requests) == 1, "play leaves what was sent by hand alone"


def test_play_says_what_stopped_the_function():
    assert repr(scenario(NAME).play(stub)) == "Not attempted yet: the function is still the stub."
    assert "stopped with ZeroDivisionError: mine in line" in repr(scenario(NAME).play(crash))
    assert "returned NoneType, not" in repr(scenario(NAME).play(lambda *a: None))
    assert "The function returned 'done'." in repr(scenario(NAME).play(one_request))


@pytest.mark.parametrize("wrong", [None, 3, "run_agent", lambda: 1, object(), int])
def test_play_never_raises(wrong):
    assert isinstance(scenario(NAME).play(wrong), Timeline)
