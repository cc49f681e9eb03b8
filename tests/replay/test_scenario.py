"""Scenario files: what is accepted, what a refusal says, and the published schema."""

import json

import jsonschema
import pytest

from grader.replay.scenario import SCHEMA, ScenarioError, load_scenario, read_scenario, schema_text

from .samples import data, message, one_call, text, tool


def refusal(scenario):
    with pytest.raises(ScenarioError) as caught:
        read_scenario(json.dumps(scenario), "weather.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("weather.json: ")
    return str(caught.value).removeprefix("weather.json: ")


def base(**more):
    return data(message(text("fine")), **more)


def with_reply(reply):
    return base() | {"replies": [reply]}


def without(key):
    scenario = base()
    del scenario[key]
    return scenario


def test_a_scenario_comes_back_as_written():
    scenario = read_scenario(json.dumps(base()), "weather.json")
    assert scenario.replies[0].message == message(text("fine"))
    assert scenario.tools[0].definition.model_dump() == tool()["definition"]
    assert scenario.limits == {}
    assert scenario.runs == 1


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        (without("task"), "task: is missing; add it"),
        (base(tasks="x"), "tasks: is not a key of a scenario here; remove it or correct its spelling"),
        (base(level="last"), "level: Input should be 'loop'"),
        (base(limits={"turns": 3}), "limits.turns"),
        (base(name="Weather in Oslo"), "name: "),
        (base(missing_functions=["ring"]), "missing_functions names ring, which is not in tools"),
        (base(tools=[tool(), tool()]), "two tools are called get_weather; rename one"),
        (base(tools=[tool({"returns": "x", "returns_json": 3})]), "tools[0].behaviour[0]: give exactly one of"),
        (base(tools=[tool({"returns_json": 3, "hangs": True})]), "tools[0].behaviour[0]: a tool that hangs"),
        (base(tools=[tool({"returns": [], "repeat": 2})]), "tools[0].behaviour[0]: repeat needs a text"),
        (base(tools=[tool({"raises": {"type": "SystemExit", "message": ""}})]), "tools[0].behaviour[0].raises: a tool"),
        (base(tools=[tool({"raises": {"type": "print", "message": ""}})]), "tools[0].behaviour[0].raises: a tool"),
        (with_reply({"massage": {}}), "replies[0]: a reply holds one of message, error, events"),
        (with_reply(3), "replies[0]: a reply holds one of message, error, events"),
        (with_reply({"error": {"type": "x", "message": "y"}}), "replies[0].error.status: is missing; add it"),
        (with_reply({"message": message(), "wait": 3}), "replies[0].wait: is not a key"),
        (with_reply({"message": {"type": "message"}}), "replies[0].message: id is missing"),
        (with_reply({"message": message({"text": "x"} | {"type": 3})}), "replies[0].message: content[0] is a block"),
        (with_reply({"message": message({"type": "tool_use", "id": "a", "name": "b"})}), "content[0].input"),
        (with_reply({"message": message(output_tokens="7")}), "replies[0].message: usage.output_tokens"),
        (with_reply({"events": [{"event": "ping", "data": {"type": "ping"}}]}), "replies[0].events: [0] starts"),
        (with_reply({"events": [{"event": "ping", "data": {"type": "x"}}]}), "replies[0].events: [0].data.type"),
        (with_reply({"error": {"status": 529, "type": "x", "message": "y"}}) | {"repeat_last": True}, "repeat_last"),
    ],
)
def test_a_refusal_names_the_place_and_what_to_do(scenario, says):
    assert says in refusal(scenario)


def test_a_call_that_no_behaviour_is_meant_for_is_refused():
    calling = message({"type": "tool_use", "id": "toolu_a", "name": "get_weather", "input": {"city": "Rome"}})
    scenario = data(calling, tools=[tool({"when": {"city": "Oslo"}, "returns": "x"})])
    assert refusal(scenario) == "replies[0] calls get_weather with an input that no behaviour is meant for"


def test_more_faults_are_counted():
    assert refusal(without("task") | {"runs": 9}).endswith("(and 1 more)")


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe{}", b"[" * 100_000])
def test_an_unreadable_file_is_one_line(tmp_path, content):
    path = tmp_path / "weather.json"
    path.write_bytes(content)
    with pytest.raises(ScenarioError, match=r"^weather\.json: [^\n]+$"):
        load_scenario(path)


def test_an_unknown_name_is_one_line():
    with pytest.raises(ScenarioError, match=r"^no-such-weather\.json: there is no such scenario"):
        load_scenario("no-such-weather")


def test_the_name_is_the_files_name(tmp_path):
    path = tmp_path / "wether.json"
    path.write_text(json.dumps(base()), encoding="utf-8")
    with pytest.raises(ScenarioError, match="make it the file's name, 'wether'"):
        load_scenario(path)


def test_a_near_name_is_offered(tmp_path):
    (tmp_path / "weather.json").write_text(json.dumps(base()), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"did you mean weather\?"):
        load_scenario(tmp_path / "wether.json")


def test_the_first_behaviour_that_fits_is_used():
    in_fahrenheit = {"when": {"city": "Oslo", "unit": "F"}, "returns": "54 F"}
    scenario = one_call(tools=[tool(in_fahrenheit, {"when": {"city": "Oslo"}, "returns": "12 C"})])
    found = scenario.tools[0].behaviour_for
    assert found({"city": "Oslo", "unit": "F"}).returns == "54 F"
    assert found({"city": "Oslo", "unit": "C"}).returns == "12 C"
    assert found({"city": "Rome"}) is None


def test_the_schema_is_fresh_and_the_same_each_time():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text() == schema_text()


def test_the_schema_tells_good_from_bad():
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    validator.check_schema(validator.schema)
    assert validator.is_valid(base())
    assert not validator.is_valid(without("task"))
    assert not validator.is_valid(base(tasks="x"))
