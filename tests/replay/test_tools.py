"""The scripted tools as functions: signatures, outcomes, hanging, and what is written down."""

import asyncio
import inspect
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.replay.player import Player
from grader.replay.tools import misfit, signature_of

from .samples import message, scenario, text, tool


def player_with(*tools, coroutines=False, **more):
    return Player(scenario(message(text("fine")), tools=list(tools), **more), 1, coroutines=coroutines)


def run_of(player):
    [run] = player.transcript.runs
    return run


def test_a_function_looks_like_the_tool():
    function = player_with(tool()).functions()["get_weather"]
    assert function.__name__ == "get_weather"
    assert function.__doc__ == "What get_weather does."
    assert str(inspect.signature(function)) == "(*, city: str, unit: str = None)"
    assert not inspect.iscoroutinefunction(function)


def test_it_returns_what_the_scenario_says_with_fresh_words():
    player = player_with(tool())
    output = player.functions()["get_weather"](city="Oslo")
    assert output == f"12 C, {player.fresh.word()}"
    run = run_of(player)
    assert (run.name, run.input, run.outcome, run.output) == ("get_weather", {"city": "Oslo"}, "returned", output)
    assert (run.after, run.started, run.ended, run.error) == (-1, 1, 2, None)


@pytest.mark.parametrize(
    ("behaviour", "output"),
    [
        ({"returns": "line\n", "repeat": 3}, "line\n" * 3),
        ({"returns": [{"type": "text", "text": "x"}]}, [{"type": "text", "text": "x"}]),
        ({"returns": ""}, ""),
        ({"returns_json": {"a": [1]}}, {"a": [1]}),
        ({"returns_json": None}, None),
        ({"when": {"city": "Rome"}, "returns": "x"}, "This scenario has no answer for this input."),
    ],
)
def test_outputs(behaviour, output):
    player = player_with(tool(behaviour))
    assert player.functions()["get_weather"](city="Oslo") == output
    assert run_of(player).output == output


def test_what_the_loop_does_to_an_output_is_not_written_down():
    player = player_with(tool({"returns": [{"type": "text", "text": "x"}]}))
    player.functions()["get_weather"](city="Oslo").clear()
    assert run_of(player).output == [{"type": "text", "text": "x"}]
    assert player.functions()["get_weather"](city="Oslo") == [{"type": "text", "text": "x"}]


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        ({"type": "ValueError", "message": "no {nonce}"}, ValueError, "no "),
        ({"type": "StationDown", "message": "x"}, Exception, "x"),
        ({"type": "TimeoutError", "message": ""}, TimeoutError, "^$"),
        ({"type": "UnicodeDecodeError", "message": "bad byte"}, Exception, "bad byte"),
    ],
)
def test_exceptions(raised, kind, words):
    player = player_with(tool({"raises": raised}))
    with pytest.raises(kind, match=words) as caught:
        player.functions()["get_weather"](city="Oslo")
    assert type(caught.value).__name__ == raised["type"]
    run = run_of(player)
    assert run.outcome == "raised"
    assert run.error == {"type": raised["type"], "message": str(caught.value)}


def real(*, city, unit=None):
    """A function of Python's own with the same signature."""


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((), {}), ((), {"town": "Oslo"}), ((), {"city": "Oslo", "town": 1}), (("Oslo",), {}), ((1, 2), {})],
)
def test_an_input_that_does_not_fit_is_pythons_own_error(args, kwargs):
    player = player_with(tool())
    with pytest.raises(TypeError) as ours:
        player.functions()["get_weather"](*args, **kwargs)
    with pytest.raises(TypeError) as theirs:
        real(*args, **kwargs)
    assert str(ours.value) == str(theirs.value).replace("real", "get_weather")
    run = run_of(player)
    assert (run.outcome, run.input, run.error["type"]) == ("unfit", kwargs, "TypeError")


@given(st.sets(st.sampled_from("abcde")), st.sets(st.sampled_from("abcdef")))
def test_the_complaint_is_pythons_own(required, given_keys):
    schema = {"properties": {name: {} for name in "abcde"}, "required": sorted(required)}
    parameters = ", ".join(name if name in required else f"{name}=None" for name in "abcde")
    names = {}
    exec(f"def tool(*, {parameters}): pass", names)
    kwargs = dict.fromkeys(sorted(given_keys))
    try:
        names["tool"](**kwargs)
        said = None
    except TypeError as error:
        said = str(error)
    assert misfit("tool", signature_of(schema), (), kwargs) == said


def test_names_that_cannot_be_parameters_are_taken_all_the_same():
    player = player_with(tool(required=("from",), **{"from": {}, "max-size": {}, "to": {"type": "integer"}}))
    function = player.functions()["get_weather"]
    assert str(inspect.signature(function)) == "(*, to: int = None, **more)"
    function(**{"from": "x", "max-size": 3})
    assert run_of(player).outcome == "returned"


def test_functions_that_are_missing_and_functions_that_are_extra():
    player = player_with(tool(), tool(name="ring"), missing_functions=["ring"], extra_functions=[tool(name="spare")])
    assert sorted(player.functions()) == ["get_weather", "spare"]
    assert [definition["name"] for definition in player.tools] == ["get_weather", "ring"]


def test_a_hanging_tool_waits_until_it_is_let_go():
    player = player_with(tool({"hangs": True, "returns": "late"}))
    outputs = []
    thread = threading.Thread(target=lambda: outputs.append(player.functions()["get_weather"](city="Oslo")))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    assert (run_of(player).outcome, run_of(player).ended) == ("hung", None)
    player.release()
    thread.join(5)
    assert outputs == ["late"]
    assert (run_of(player).outcome, run_of(player).output, run_of(player).waited_for) == ("hung", "late", False)


def test_a_loop_that_waits_beyond_the_tools_time_is_seen():
    player = player_with(tool({"hangs": True, "returns": "late"}), limits={"tool_timeout_s": 0.05}, level="gates")
    player._hold.patience_s = 0.1
    assert player.functions()["get_weather"](city="Oslo") == "late"
    assert run_of(player).waited_for


def test_the_patience_of_the_player_goes_by_the_limit():
    limits = {"tool_timeout_s": 0.5}
    assert player_with(tool(), limits=limits, level="gates")._hold.patience_s == 5
    assert player_with(tool())._hold.patience_s is None


def test_async_tools():
    player = player_with(tool(is_async=True), coroutines=True)
    function = player.functions()["get_weather"]
    assert inspect.iscoroutinefunction(function)
    assert asyncio.run(function(city="Oslo")).startswith("12 C")
    with pytest.raises(TypeError, match="missing 1 required"):
        asyncio.run(function())


def test_a_loop_that_is_not_async_gets_plain_functions():
    function = player_with(tool(is_async=True)).functions()["get_weather"]
    assert function(city="Oslo").startswith("12 C")


def test_a_hanging_async_tool_can_be_cancelled_and_let_go():
    player = player_with(tool({"hangs": True, "returns": "late"}, is_async=True), coroutines=True)
    function = player.functions()["get_weather"]

    async def give_up():
        await asyncio.wait_for(function(city="Oslo"), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert (run_of(player).outcome, run_of(player).ended) == ("hung", None)

    async def wait():
        task = asyncio.create_task(function(city="Oslo"))
        await asyncio.sleep(0.02)
        player.release()
        return await task

    assert asyncio.run(wait()) == "late"


def test_many_threads_are_counted_right():
    player = player_with(tool({"returns": "x"}))
    threads = [
        threading.Thread(target=player.functions()["get_weather"], kwargs={"city": str(number)}) for number in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    runs = player.transcript.runs
    assert [run.index for run in runs] == list(range(20))
    assert sorted(count for run in runs for count in (run.started, run.ended)) == list(range(1, 41))
    assert {run.input["city"] for run in runs} == {str(number) for number in range(20)}


class Liar(dict):
    """Says of itself what it likes."""

    __class__ = str

    def __eq__(self, other):
        time.sleep(60)
        return True

    __hash__ = None


def test_inputs_are_written_down_as_plain_data():
    player = player_with(tool({"when": {"city": "Oslo"}, "returns": "Oslo"}, {"returns": "elsewhere"}))
    assert player.functions()["get_weather"](city=Liar(a=object())) == "elsewhere"
    assert run_of(player).input == {"city": {"a": "<object of type object>"}}


def test_what_is_left_over_takes_no_propertys_name():
    player = player_with(tool(**{"more": {}, "a-b": {}, "city": {}}))
    assert str(inspect.signature(player.functions()["get_weather"])) == "(*, more=None, city, **more_)"
