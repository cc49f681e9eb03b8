"""play: whatever a learner's function does ends in the transcript, and nothing of it stays behind."""

import asyncio
import functools
import json
import sys
import threading
import time
from time import monotonic

import pytest

from grader.replay import bounded
from grader.replay.play import is_async, play
from grader.replay.scenario import ScenarioError
from grader.replay.transcript import Transcript

from . import loops
from .samples import call, message, one_call, parallel, scenario, text, tool


@pytest.fixture(autouse=True)
def nothing_stays_behind():
    before = (time.monotonic, time.sleep, threading.Thread.start, monotonic)
    yield
    assert (time.monotonic, time.sleep, threading.Thread.start, monotonic) == before
    assert [thread.name for thread in threading.enumerate() if thread.name == "learner"] == []


def run(function, one=None, **more):
    return play(one or one_call(), function, seed=3, **more)


def test_a_right_loop():
    transcript = run(loops.create)
    assert transcript.claim.status == "done"
    assert [item["role"] for item in transcript.claim.messages] == ["user", "assistant", "user", "assistant"]
    assert transcript.claim.messages[1]["content"][0]["type"] == "tool_use"
    assert (transcript.crash, transcript.timed_out, transcript.capped, transcript.mutated) == (None, False, False, [])
    assert (transcript.unused, transcript.seed) == (0, 3)


def test_a_transcript_goes_through_json():
    for one in (one_call(runs=2), scenario(message(text(""), call("a", city="Oslo")))):
        transcript = play(one, loops.create, seed=3)
        again = Transcript.from_dict(json.loads(json.dumps(transcript.to_dict())))
        assert again == transcript
        assert again.essence() == transcript.essence()


def test_a_second_run_has_the_next_seed_and_other_words():
    first = run(loops.create, one_call(runs=2))
    [second] = first.later
    assert (first.seed, second.seed) == (3, 4)
    assert first.runs[0].output != second.runs[0].output
    assert second.essence() == play(one_call(), loops.create, seed=4).essence()


def test_state_between_runs_is_in_the_second_transcript():
    kept = []

    def forgetful(client, task, tools, functions):
        kept.append({"role": "user", "content": task})
        client.messages.create(**loops.request(tools, kept))
        return "done", kept

    transcript = run(forgetful, one_call(runs=2))
    assert len(transcript.exchanges[0].request["messages"]) == 1
    assert len(transcript.later[0].exchanges[0].request["messages"]) == 2


def test_limits_are_the_scenarios_unless_given():
    def limited(client, task, tools, functions, *, max_turns=10, timeout_s=300):
        return f"{max_turns} {timeout_s}", []

    gated = one_call(limits={"max_turns": 3}, level="gates")
    assert run(limited, gated).claim.status == "3 300"
    assert run(limited, gated, limits={"timeout_s": 5}).claim.status == "10 5"
    assert run(limited, gated, limits={"timeout_s": 5}).limits == {"timeout_s": 5}


def crash_with(error):
    def crash(client, task, tools, functions):
        raise error

    return crash


class Silent(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (NotImplementedError("write run_agent"), "NotImplementedError", "write run_agent"),
        (SystemExit(1), "SystemExit", "1"),
        (KeyboardInterrupt(), "KeyboardInterrupt", ""),
        (GeneratorExit(), "GeneratorExit", ""),
        (Silent(), "Silent", "<the exception's text cannot be had>"),
        (ValueError("x" * 10_000), "ValueError", "x" * 2000),
        (ValueError("half \ud800"), "ValueError", "half ?"),
    ],
)
def test_a_crash_is_data(error, kind, words):
    transcript = run(crash_with(error))
    assert (transcript.crash.type, transcript.crash.message) == (kind, words)
    assert (transcript.claim, transcript.timed_out, transcript.exchanges) == (None, False, [])
    json.dumps(transcript.to_dict())


def test_a_crash_shows_the_learners_own_frames():
    transcript = run(loops.create, scenario(message(text(""), call("a", city="Oslo"))))
    [(file, line, function, source)] = transcript.crash.frames
    assert (file, function) == (loops.__file__, "create")
    assert "client.messages.create" in source
    assert line > 0


def test_endless_recursion_is_a_short_crash():
    def deeper(client, task, tools, functions):
        return deeper(client, task, tools, functions)

    crash = run(deeper).crash
    assert crash.type == "RecursionError"
    assert 2 <= len(crash.frames) <= 20


def test_another_signature_is_a_crash_of_type_error():
    assert run(lambda client: ("done", [])).crash.type == "TypeError"
    assert run(3).crash.type == "TypeError"


def returning(value):
    return lambda client, task, tools, functions: value


class Liar:
    """Claims to be what it is not, and answers nothing honestly."""

    __class__ = tuple

    def __eq__(self, other):
        raise RuntimeError

    def __len__(self):
        return 2

    def __getattr__(self, name):
        return print

    __hash__ = None


class Masked(type):
    """The type of a type that does not tell its name."""

    @property
    def __name__(cls):
        raise RuntimeError


class Nameless(Exception, metaclass=Masked):
    pass


class Sly(tuple):
    """A pair that shows others what it does not hold."""

    def __iter__(self):
        return iter(("done", []))

    def __getitem__(self, index):
        return "done"

    __class__ = str


@pytest.mark.parametrize(
    ("value", "raw_type"),
    [
        (None, "NoneType"),
        ("done", "str"),
        (("done", [], 3), "tuple of 3"),
        ((3, []), "tuple of int and list"),
        (("done", ()), "tuple of str and tuple"),
        (["done", []], "list"),
        ((item for item in ()), "generator"),
        (("done", Liar()), "tuple of str and Liar"),
    ],
)
def test_a_malformed_return_is_named(value, raw_type):
    claim = run(returning(value)).claim
    assert (claim.status, claim.messages, claim.raw_type) == (None, None, raw_type)


def test_a_return_that_lies_about_itself_is_named():
    """Not parameters of the test above: pytest believes them, and falls over."""
    assert run(returning(Liar())).claim.raw_type == "Liar"
    assert run(returning(Sly((1, 2, 3)))).claim.raw_type == "tuple of 3"
    assert run(returning(Nameless())).claim.raw_type == "Nameless"
    assert run(crash_with(Nameless("x"))).crash.type == "Nameless"


def test_a_generator_function_never_ran():
    def generator(client, task, tools, functions):
        yield "done", []

    assert run(generator).claim.raw_type == "generator"


def test_odd_messages_become_plain_data():
    cyclic = []
    cyclic.append(cyclic)
    odd = [cyclic, {1: Liar(), "x": {3}}, float("nan"), 10**5000, b"x", "half \ud800", [0] * 1_000_000, print]
    claim = run(returning(("done", odd))).claim
    assert len(json.dumps(claim.messages)) < 10_000_000
    assert claim.messages[1] == {"1": "<object of type Liar>", "x": "<object of type set>"}
    assert claim.messages[2:6] == ["<nan>", "<an integer too large>", "<object of type bytes>", "half ?"]


def test_wide_sharing_ends_too():
    wide = ["x"]
    for _ in range(50):
        wide = [wide, wide]
    assert run(returning(("done", wide))).claim.status == "done"


def test_what_the_sdk_made_becomes_what_it_would_send():
    transcript = run(loops.create, parallel())
    replies = [exchange.reply["content"] for exchange in transcript.exchanges]
    claimed = [item["content"] for item in transcript.claim.messages if item["role"] == "assistant"]
    assert claimed == replies


@pytest.mark.parametrize("door", ["in_process", "loopback"])
def test_a_loop_that_never_returns_is_stopped(door):
    def busy(client, task, tools, functions):
        while True:
            try:
                pass
            except Exception:
                pass

    transcript = run(busy, deadline_s=0.2, door=door)
    assert transcript.timed_out
    assert (transcript.claim, transcript.crash) == (None, None)


def test_an_async_loop_that_never_returns_is_stopped():
    async def busy(client, task, tools, functions):
        while True:
            await asyncio.sleep(0.001)

    assert run(busy, deadline_s=0.2).timed_out


def test_a_loop_that_waits_for_a_hanging_tool_is_stopped_and_not_believed():
    def waiting(client, task, tools, functions):
        functions["get_weather"](city="Oslo")
        return "done", []

    transcript = run(waiting, one_call(tools=[tool({"hangs": True, "returns": "late"})]), deadline_s=0.2)
    assert transcript.timed_out
    assert transcript.claim is None
    assert (transcript.runs[0].outcome, transcript.runs[0].ended) == ("hung", None)


def test_a_loop_that_leaves_a_hanging_tool_behind_returns_at_once():
    def leaving(client, task, tools, functions):
        threading.Thread(target=functions["get_weather"], kwargs={"city": "Oslo"}).start()
        return "done", []

    async def leaving_async(client, task, tools, functions):
        asyncio.get_running_loop().run_in_executor(None, functools.partial(functions["get_weather"], city="Oslo"))
        await asyncio.sleep(0.05)
        return "done", []

    hanging = one_call(tools=[tool({"hangs": True, "returns": "late"})])
    for function in (leaving, leaving_async):
        start = time.monotonic()
        transcript = run(function, hanging)
        assert time.monotonic() - start < 5
        assert transcript.claim.status == "done"
        assert [one.outcome for one in transcript.runs] == ["hung"]


@pytest.mark.parametrize("door", ["in_process", "loopback"])
def test_a_loop_that_swallows_every_error_and_asks_on_is_stopped(door):
    def stubborn(client, task, tools, functions):
        while True:
            try:
                client.messages.create(**loops.request(tools, [{"role": "user", "content": task}]))
            except Exception:
                pass

    start = time.monotonic()
    transcript = run(stubborn, door=door)
    assert time.monotonic() - start < 15
    assert transcript.timed_out
    assert transcript.capped
    assert len(transcript.exchanges) == 42


def test_time_is_virtual_for_the_loop_however_it_asks_for_it():
    def timing(client, task, tools, functions):
        start = monotonic()
        client.messages.create(**loops.request(tools, [{"role": "user", "content": task}]))
        time.sleep(100)
        return f"{monotonic() - start:.0f}", []

    slow = scenario({"message": message(text("fine")), "takes_s": 400})
    assert int(run(timing, slow).claim.status) in range(500, 510)


def test_it_works_inside_a_running_event_loop():
    async def cell():
        return run(loops.create), run(loops.create_async)

    assert [transcript.claim.status for transcript in asyncio.run(cell())] == ["done", "done"]


def test_what_counts_as_async():
    class Agent:
        async def __call__(self, client, task, tools, functions):
            return await loops.create_async(client, task, tools, functions)

        async def method(self, client, task, tools, functions):
            return await loops.create_async(client, task, tools, functions)

    @functools.wraps(loops.create_async)
    def wrapped(*args, **kwargs):
        return asyncio.run(loops.create_async(*args, **kwargs))

    for function in (loops.create_async, Agent(), Agent().method, functools.partial(loops.create_async), wrapped):
        assert is_async(function)
        assert run(function).claim.status == "done"
    for function in (loops.create, functools.partial(loops.create), Agent, print, 3, Liar()):
        assert not is_async(function)


def test_a_callable_that_returns_something_to_await():
    async def finish():
        return "done", []

    assert run(lambda client, task, tools, functions: finish()).claim.status == "done"


def test_without_threads_it_is_called_directly(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    here = []

    def where(client, task, tools, functions):
        here.append(threading.current_thread())
        return "done", []

    assert run(where).claim.status == "done"
    assert here == [threading.current_thread()]
    monkeypatch.setattr(bounded, "run_coroutine", lambda coroutine: asyncio.run(coroutine))
    assert run(loops.create_async).claim.status == "done"


def test_an_unusable_scenario_is_the_graders_own_error():
    with pytest.raises(ScenarioError):
        play("no-such-scenario", loops.create, seed=1)


def test_a_reader_who_interrupts_gets_the_interrupt(monkeypatch):
    real = threading.Thread.join

    def join(thread, timeout=None):
        if thread.name == "learner" and timeout == 20.0:
            raise KeyboardInterrupt
        return real(thread, timeout)

    def endless(client, task, tools, functions):
        while True:
            time.sleep(1)

    monkeypatch.setattr(threading.Thread, "join", join)
    with pytest.raises(KeyboardInterrupt):
        run(endless)
