"""``grader check``: reports, exit codes, and every kind of bad input."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from judging import loops

from grader.cli import main

LOOPS = Path(loops.__file__)


@pytest.fixture
def run(monkeypatch):
    from grader import cli

    class Left(Exception):
        pass

    def leave(code):
        raise SystemExit(code)

    monkeypatch.setattr(cli.loops, "_leave", leave)
    return lambda *words: CliRunner().invoke(main, ["check", *map(str, words)])


def test_a_right_loop(run):
    result = run(LOOPS, "--contract", "--level", "pairing", "--function", "right", "--seed", 3)
    assert result.exit_code == 0
    assert "20 of 20 points" in result.output


def test_a_wrong_loop_as_json(run):
    result = run(
        LOOPS, "--contract", "--level", "loop", "--function", "forgets_the_reply", "--seed", 3, "--format", "json"
    )
    report = json.loads(result.output)
    assert result.exit_code == 1
    assert (report["version"], report["verdict"], report["seed"]) == (1, "failed", 3)
    assert set(report["violations"][0]) == {"rule", "name", "severity", "where", "saw", "help", "api"}
    assert [exercise["id"] for exercise in report["exercises"]] == ["loop"]


def test_a_stub_is_graded_and_not_passed(run):
    result = run(LOOPS, "--contract", "--level", "loop", "--function", "stub")
    assert result.exit_code == 1 and "not attempted yet" in result.output


def test_a_chapter(run):
    result = run(LOOPS, "--chapter", 3, "--exercise", "loop", "--function", "right")
    assert result.exit_code == 0, result.output


def test_all_levels_are_named_by_default(run):
    report = json.loads(run(LOOPS, "--contract", "--function", "stub", "--format", "json").output)
    assert [exercise["id"] for exercise in report["exercises"]] == [
        "loop",
        "pairing",
        "parallel",
        "errors",
        "stop_reasons",
        "gates",
        "resume",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([LOOPS, "--contract"], "there is no run_agent in it"),
        (["nowhere.py", "--contract"], "cannot be read"),
        ([LOOPS, "--chapter", 99], "no chapter 99"),
        ([LOOPS, "--chapter", 3, "--exercise", "nope"], "no exercise 'nope'"),
        ([LOOPS], "Give either"),
        ([LOOPS, "--chapter", 3, "--contract"], "Give either"),
        ([LOOPS, "--chapter", 3, "--level", "loop"], "--level goes with"),
        ([LOOPS, "--contract", "--exercise", "loop"], "--exercise goes with"),
        ([LOOPS, "--contract", "--level", "nope"], "nope"),
    ],
)
def test_what_cannot_be_graded_exits_with_2_and_says_why(run, words, told):
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.output
    assert "Traceback" not in result.output
