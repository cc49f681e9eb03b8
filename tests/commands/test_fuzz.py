"""``grader fuzz``, and ``check`` with drawn conversations and with scenario files of one's own."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from judging import loops

from grader.cli import main
from grader.replay import load_scenario

LOOPS = Path(loops.__file__)
WRONG = ("--function", "forgets_the_reply")
RIGHT = ("--function", "right")


@pytest.fixture
def run(monkeypatch):
    from grader import cli

    def leave(code):
        raise SystemExit(code)

    monkeypatch.setattr(cli.loops, "_leave", leave)
    return lambda *words: CliRunner().invoke(main, [*map(str, words)])


def test_all_hold(run):
    done = run("fuzz", LOOPS, *RIGHT, "--level", "parallel", "--examples", 20, "--seed", 5)
    assert done.exit_code == 0, done.output
    assert "20 drawn conversations, level parallel" in done.output and "seed 5" in done.output


def test_the_smallest_is_written_and_check_plays_it_again(run, tmp_path):
    out = tmp_path / "smallest.json"
    done = run("fuzz", LOOPS, *WRONG, "--level", "pairing", "--examples", 20, "--seed", 5, "--out", out)
    assert done.exit_code == 1 and f"--scenario {out}" in done.output
    scenario = load_scenario(out)
    assert (scenario.provenance.kind, scenario.provenance.source) == ("authored", "fuzz seed 5")
    again = run("check", LOOPS, *WRONG, "--scenario", out)
    assert again.exit_code == 1 and "L16" in again.output  # its last reply is missing
    assert run("check", LOOPS, *RIGHT, "--scenario", out).exit_code == 0


def test_without_out_the_scenario_is_printed(run, tmp_path):
    done = run("fuzz", LOOPS, *WRONG, "--level", "loop", "--seed", 5, "--examples", 20)
    printed = done.output[done.output.index("\n{") :]
    path = tmp_path / "fuzz-5.json"
    path.write_text(printed, encoding="utf-8")
    assert load_scenario(path).level == "loop"


def test_as_json(run):
    done = run("fuzz", LOOPS, *WRONG, "--level", "loop", "--seed", 5, "--examples", 20, "--format", "json")
    found = json.loads(done.output)
    assert done.exit_code == 1
    assert (found["report"]["verdict"], found["report"]["seed"], found["scenario"]["name"]) == ("failed", 5, "fuzz-5")


def test_a_stub_is_not_attempted(run):
    done = run("fuzz", LOOPS, "--function", "stub")
    assert done.exit_code == 1 and "not attempted yet" in done.output


def test_check_plays_drawn_conversations_after_the_public_ones(run):
    words = ("check", LOOPS, "--contract", "--level", "pairing", "--fuzz", 10, "--seed", 6, "--format", "json")
    good, bad = (json.loads(run(*words, *which).output) for which in (RIGHT, WRONG))
    assert [exercise["id"] for exercise in good["exercises"]] == ["loop", "pairing", "fuzz"]
    assert (good["verdict"], good["points"]) == ("passed", 30)
    assert bad["exercises"][-1]["points"] == 0 and "broke the loop" in bad["exercises"][-1]["message"]


def test_check_draws_for_a_chapter_too(run):
    done = run("check", LOOPS, "--chapter", 3, "--exercise", "loop", *RIGHT, "--fuzz", 10, "--format", "json")
    assert [exercise["id"] for exercise in json.loads(done.output)["exercises"]] == ["loop", "fuzz"]


def test_scenarios_of_the_course_can_be_named(run):
    done = run(
        "check", LOOPS, *RIGHT, "--scenario", "weather-one-call", "--scenario", "dice-twins", "--level", "parallel"
    )
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fuzz", "nowhere.py"], "cannot be read"),
        (["fuzz", LOOPS], "there is no run_agent"),
        (["fuzz", LOOPS, *RIGHT, "--out", "Bad Name.json"], "small letters"),
        (["fuzz", LOOPS, *WRONG, "--examples", 5, "--seed", 5, "--out", "nowhere/a.json"], "cannot be written"),
        (["fuzz", LOOPS, "--examples", 0], "0"),
        (["fuzz", LOOPS, "--level", "nope"], "nope"),
        (["check", LOOPS, "--scenario", "nope"], "there is no such scenario"),
        (["check", LOOPS, "--scenario", "weather-one-call"], "there is no run_agent"),
        (["check", LOOPS, "--scenario", "weather-one-call", "--contract"], "Give either"),
        (["check", LOOPS, "--scenario", "weather-one-call", "--fuzz", 5], "--fuzz goes with"),
        (["check", LOOPS, "--chapter", 1, *RIGHT, "--fuzz", 5], ""),
    ],
)
def test_what_cannot_be_played_exits_with_2_and_says_why(run, words, told):
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert told in done.output and "Traceback" not in done.output
