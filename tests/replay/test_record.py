"""Recording a live run: what passes the door is the scenario, without keys and account ids, and plays to an equal
transcript.
"""

import json
import re
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.history.models import MODEL
from grader.replay import Player, Scenario, all_scenarios, load_scenario, play
from grader.replay.loopback import Loopback
from grader.replay.record import ForwardingDoor, Passed, RecordingError, record, record_again, scenario_from, why_not
from grader.replay.record.events import EventReader
from grader.replay.record.scrub import scrubbed

KEY = "sk-ant-api03-a-key-that-nobody-may-see"
_ID = re.compile(r"\b(toolu|srvtoolu|msg)_[A-Za-z0-9]+")


def run_agent(client, task, tools, functions, streaming=False):
    """A right loop of the level errors, and what the recording has to keep apart: results, exceptions, names without a
    function.
    """
    messages = [{"role": "user", "content": task}]
    while True:
        wanted = {"model": MODEL, "max_tokens": 1000, "tools": tools, "messages": messages}
        if streaming:
            with client.messages.stream(**wanted) as stream:
                reply = stream.get_final_message()
        else:
            reply = client.messages.create(**wanted)
        content = [block.model_dump(mode="json", exclude_none=True) for block in reply.content]
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if not calls and reply.stop_reason != "pause_turn":
            return reply.stop_reason, messages
        if calls:
            messages.append({"role": "user", "content": [answer(call, functions) for call in calls]})


def stream_agent(client, task, tools, functions):
    return run_agent(client, task, tools, functions, streaming=True)


def answer(call, functions):
    result = {"type": "tool_result", "tool_use_id": call["id"]}
    try:
        return {**result, "content": functions[call["name"]](**call["input"])}
    except Exception as error:
        return {**result, "content": f"{type(error).__name__}: {error}", "is_error": True}


def recorded(name, function, seed=3):
    """The transcript of a run through a forwarding door in front of a loopback door, and the scenario that was
    recorded.
    """
    player = Player(load_scenario(name), seed)
    with Loopback(player) as upstream, record(name, level="resume", upstream=upstream.base_url) as recording:
        function(recording.client(api_key=KEY), player.task, player.tools, player.functions())
        player.finish()
    return player.transcript, recording


def alike(transcript, names=None):
    """The exchanges and tool runs of a transcript with its ids numbered as they come up, and signatures blanked."""
    essence = transcript.essence()
    kept = {key: essence[key] for key in ("task", "tools", "exchanges", "runs", "unused")}
    names = {}
    text = _ID.sub(lambda found: names.setdefault(found[0], f"{found[1]}_{len(names)}"), json.dumps(kept))
    data = json.loads(text)
    data["runs"].sort(key=lambda run: (run["after"], json.dumps(run, sort_keys=True)))
    return json.loads(re.sub(r'"(signature|data)": "[^"]*"', r'"\1": ""', json.dumps(data)))


NAMES = [
    "garden-week",
    "orders-nested-input",
    "blood-sugar-redacted",
    "tiles-thinking-each-turn",
    "trip-words-and-calls",
    "shelves-eight",
    "receipt-with-picture",
    "server-log-whole",
    "ticket-fails-twice",
    "lights-one-of-two",
    "table-wrong-arguments",
    "museum-paused-twice",
    "post-limit-passes",
]


@pytest.mark.parametrize("function", [run_agent, stream_agent])
@pytest.mark.parametrize("name", NAMES)
def test_a_recording_plays_to_an_equal_transcript(name, function):
    first, recording = recorded(name, function)
    scenario = recording.scenario()
    assert recording.notes == []
    again = play(scenario, function, seed=9, limits={})
    assert again.crash is None
    assert alike(again) == alike(first)


def test_a_stream_is_kept_as_events_and_a_message_as_a_message():
    _, streamed = recorded("weather-one-call", stream_agent)
    _, plain = recorded("weather-one-call", run_agent)
    assert {type(reply).__name__ for reply in streamed.scenario().replies} == {"EventsReply"}
    assert {type(reply).__name__ for reply in plain.scenario().replies} == {"MessageReply"}


def test_a_recording_says_where_it_comes_from_and_what_ended_it():
    scenario = recorded("weather-one-call", run_agent)[1].scenario()
    assert scenario.provenance.kind == "recorded"
    assert scenario.expect.status == ["done"]
    assert scenario.replies[0].message["model"] == MODEL


def test_a_stream_that_breaks_off_breaks_off_for_the_program_too_and_is_recorded_so():
    import anthropic
    import httpx2

    player = Player(load_scenario("dam-broken-stream"), 3)
    errors = pytest.raises((httpx2.HTTPError, anthropic.APIError))
    with Loopback(player) as upstream, record("broken", upstream=upstream.base_url) as recording, errors:
        stream_agent(recording.client(api_key=KEY), player.task, player.tools, player.functions())
    last = recording.scenario().replies[-1]
    assert last.cut and last.events[0]["event"] == "message_start" and last.events[-1]["event"] != "message_stop"
    assert recording.scenario().expect.status == ["api_error"]


def test_a_program_that_leaves_a_stream_early_does_not_cut_the_recording():
    """A loop that has seen the call may close the stream; a second one then reads all of it in the same way."""
    player = Player(load_scenario("server-log-whole"), 3)
    with Loopback(player) as upstream, record("left", upstream=upstream.base_url) as recording:
        client = recording.client(api_key=KEY)
        wanted = {"model": MODEL, "max_tokens": 1000, "messages": [{"role": "user", "content": player.task}]}
        with client.messages.create(**wanted, tools=player.tools, stream=True) as stream:
            next(iter(stream))
        for _ in range(100):
            if not recording.door.passed[0].cut:
                break
            time.sleep(0.05)
    assert not recording.door.passed[0].cut
    assert recording.door.passed[0].events[-1]["event"] == "message_stop"


def test_an_error_that_lasts_is_one_error_with_its_times():
    import anthropic

    player = Player(load_scenario("kiosk-overloaded"), 3)
    errors = pytest.raises(anthropic.APIStatusError)
    with Loopback(player) as upstream, record("overloaded", upstream=upstream.base_url) as recording, errors:
        run_agent(recording.client(api_key=KEY), player.task, player.tools, player.functions())
    last = recording.scenario().replies[-1]
    assert (last.error.status, last.times) == (529, 3)


def test_neither_the_key_nor_an_id_of_the_run_is_in_the_file(tmp_path):
    def tells_all(client, task, tools, functions):
        functions = {
            name: lambda **_: f"env: {KEY}, other: sk-ant-oat01-xyz_12, req_011CabcdefghijkLMNOP" for name in functions
        }
        return run_agent(client, task, tools, functions)

    transcript, recording = recorded("weather-one-call", tells_all)
    text = recording.save(tmp_path).read_text(encoding="utf-8")
    assert KEY not in text and "sk-ant-oat01" not in text and "req_011C" not in text
    seen = {found[0] for found in _ID.finditer(json.dumps(transcript.essence()["exchanges"]))}
    assert seen and not any(id in text for id in seen)
    assert load_scenario(tmp_path / "weather-one-call.json") == recording.scenario()


def test_what_headers_said_is_scrubbed_wherever_it_stands():
    assert scrubbed({"a": ["in org-7f3a-secret it is"]}, {"org-7f3a-secret"}) == {"a": ["in scrubbed it is"]}


def test_an_id_is_renamed_in_texts_and_in_results_alike():
    block = {"type": "tool_use", "id": "toolu_01ABC", "name": "f", "input": {"of": "toolu_01ABC"}}
    clean = scrubbed([block, {"tool_use_id": "toolu_01ABC"}], set())
    assert clean[0]["id"] == clean[0]["input"]["of"] == clean[1]["tool_use_id"] == "toolu_recorded01"


def test_events_are_read_whatever_the_pieces():
    ping, other = 'event: ping\r\ndata: {"type": "ping"}\r\n\r\n', 'event: x\ndata: {"type": "x", "t": "é"}\n\n'
    wire = f"{ping}: a comment\n\n{other}".encode()
    for size in (1, 7, len(wire)):
        reader = EventReader()
        for start in range(0, len(wire), size):
            reader.feed(wire[start : start + size])
        assert [event["event"] for event in reader.events] == ["ping", "x"]
        assert reader.events[1]["data"]["t"] == "é"


def message(reason, *content):
    usage = {"input_tokens": 1, "output_tokens": 1}
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
    return {**about, "content": list(content), "stop_reason": reason, "usage": usage}


TOOL = {"name": "f", "description": "F.", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
TASK = {"role": "user", "content": "Do it."}


def call(number, **input):
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "f", "input": input}


def round_of(calls, *results):
    return [{"role": "assistant", "content": calls}, {"role": "user", "content": list(results)}]


def result(number, content, **more):
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": content, **more}


def made(*passed):
    return scenario_from(list(passed), name="made", source="a test")


def test_a_wider_input_stands_before_one_that_it_holds():
    calls = [call(1), call(2, a="x")]
    second = {"messages": [TASK, *round_of(calls, result(1, "none"), result(2, "x"))], "tools": [TOOL]}
    scenario, notes = made(
        Passed({"messages": [TASK], "tools": [TOOL]}, 200, body=message("tool_use", *calls)),
        Passed(second, 200, body=message("end_turn", {"type": "text", "text": "Done."})),
    )
    assert notes == []
    assert [scenario.tools[0].behaviour_for(one["input"]).returns for one in calls] == ["none", "x"]


def test_notes_tell_what_a_scenario_cannot_hold():
    calls = [call(1, a="x"), call(2, a="x")]
    second = {"messages": [TASK, *round_of(calls, result(1, "one"), result(2, "two"))]}
    strict = {**TOOL, "strict": True}
    _, notes = made(
        Passed({"messages": [TASK], "tools": [strict]}, 200, body=message("tool_use", *calls)),
        Passed(second, 200, body=message("tool_use", call(3, a="y"))),
        Passed({"messages": [TASK], "tools": []}, 200, body=message("end_turn")),
    )
    told = " ".join(notes)
    assert all(part in told for part in ("2 runs", "different results", "strict", "still wants tools"))


@pytest.mark.parametrize(
    ("content", "type", "text"),
    [
        ("ValueError: no", "ValueError", "no"),
        ("Sorry: no", "ToolError", "Sorry: no"),
        ("SystemExit: 1", "ToolError", "SystemExit: 1"),
    ],
)
def test_an_error_result_becomes_an_exception(content, type, text):
    second = {"messages": [TASK, *round_of([call(1, a="x")], result(1, content, is_error=True))]}
    scenario, _ = made(
        Passed({"messages": [TASK], "tools": [TOOL]}, 200, body=message("tool_use", call(1, a="x"))),
        Passed(second, 200, body=message("end_turn")),
    )
    raised = scenario.tools[0].behaviour[0].raises
    assert (raised.type, raised.message) == (type, text)


@pytest.mark.parametrize(
    ("passed", "told"),
    [
        ([], "no request for a message"),
        ([Passed({"messages": [TASK, TASK]}, 200, body=message("end_turn"))], "more than one message"),
        ([Passed({"messages": [{"role": "user", "content": []}]}, 200, body=message("end_turn"))], "no text"),
        ([Passed({"messages": [TASK]}, 200, body={"odd": 1})], "no scenario"),
    ],
)
def test_what_makes_no_scenario_says_why(passed, told):
    with pytest.raises(RecordingError, match=told):
        made(*passed)


def test_an_upstream_that_is_not_there_is_told_and_not_retried():
    import anthropic

    with ForwardingDoor("http://127.0.0.1:9") as door:
        client = anthropic.Anthropic(api_key=KEY, base_url=door.base_url)
        with pytest.raises(anthropic.APIStatusError, match="cannot reach the API"):
            client.messages.create(model=MODEL, max_tokens=10, messages=[TASK])
    assert len(door.failures) == 1 and door.passed == []


PROGRAM = """
import anthropic, sys
client = anthropic.Anthropic(api_key={key!r})
client.messages.create(model={model!r}, max_tokens=10, messages=[{{"role": "user", "content": {task!r}}}])
sys.exit({code})
"""


@pytest.mark.parametrize("code", [0, 5])
def test_the_command_records_a_program(tmp_path, code):
    player = Player(load_scenario("greeting-no-tool"), 3)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(key=KEY, model=MODEL, task=player.task, code=code), encoding="utf-8")
    out = tmp_path / "said.json"
    with Loopback(player) as upstream:
        words = ["record", "--out", str(out), "--upstream", upstream.base_url, "--", sys.executable, str(program)]
        done = CliRunner().invoke(main, words)
    assert done.exit_code == (1 if code else 0), done.output
    scenario = load_scenario(out)
    assert isinstance(scenario, Scenario) and scenario.task == player.task
    assert KEY not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "Bad Name.json", "--", "true"], "small letters"),
        (["--out", "a.json", "--name", "b", "--", "true"], "needs b.json"),
        (["--out", ".", "--", "true"], "is a folder"),
        (["--out", "nowhere/a.json", "--", "true"], "no folder"),
        (["--out", "a.json", "--upstream", "http://127.0.0.1:9", "--", "no-such-program-here"], "cannot be run"),
        (
            ["--out", "a.json", "--upstream", "http://127.0.0.1:9", "--", sys.executable, "-c", ""],
            "no request for a message",
        ),
        (["--out", "a.json"], "COMMAND"),
    ],
)
def test_what_cannot_be_recorded_exits_with_2_and_says_why(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["record", *words])
    assert done.exit_code == 2 and told in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_scenario_is_recorded_again_with_its_own_tools_and_words():
    """The upstream plays the same scenario, as a model would that says just what was written for it."""
    scenario = load_scenario("weather-one-call")
    with Loopback(Player(scenario, 1)) as upstream:
        made, notes = record_again(scenario, run_agent, upstream=upstream.base_url, api_key=KEY)
    assert notes == [] and made.provenance.kind == "recorded"
    assert (made.tools, made.task, made.title) == (scenario.tools, scenario.task, scenario.title)
    said = [[reply.message["content"][-1].get("text") for reply in one.replies] for one in (made, scenario)]
    assert said[0] == said[1] and "{nonce" in said[0][-1]
    assert play(made, run_agent, seed=8).unused == 0


def test_what_cannot_be_ordered_from_a_model_is_left_out():
    reasons = {scenario.name: why_not(scenario) for scenario in all_scenarios()}
    assert reasons["weather-one-call"] is None
    assert "refusal" in reasons["door-refusal-empty"] and "HTTP error" in reasons["shop-no-credit"]
    assert "gate" in reasons["radio-two-gates"] and "hangs" in reasons["letter-declared-only"]


def test_the_command_records_scenarios_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    player = Player(load_scenario("weather-one-call"), 1)
    with Loopback(player) as upstream:
        names = ["--scenario", "weather-one-call", "--scenario", "shop-no-credit", "--scenario", "greeting-no-tool"]
        loop = Path(__file__).parents[1] / "mutants" / "reference.py"
        words = ["record", "--out", str(tmp_path), "--upstream", upstream.base_url, *names, "--", str(loop)]
        done = CliRunner().invoke(main, words)
    assert done.exit_code == 1  # the upstream has replies for the first one alone
    assert "wrote" in done.output and "left out shop-no-credit" in done.output
    assert "failed greeting-no-tool: the API answered 400" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["weather-one-call.json"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--scenario", "nope", "--", "loop.py"], "no such scenario"),
        (["--scenario", "all", "--", "loop.py"], "cannot be read"),
        (["--scenario", "all", "--", "a.py", "b.py"], "one file"),
    ],
)
def test_what_cannot_be_recorded_again_exits_with_2(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["record", "--out", str(tmp_path), *words])
    assert done.exit_code == 2 and told in done.output
