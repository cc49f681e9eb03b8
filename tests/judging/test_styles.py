"""Right loops, written in many ways, pass every level: how a loop is written is its own business."""

import ast
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from mutants.mutant import load  # noqa: E402

from grader.judging import LEVELS, grade_loop  # noqa: E402
from grader.replay import play  # noqa: E402

STYLES = sorted((TESTS / "styles").glob("*.py"))
REFERENCES = sorted((TESTS / "mutants").glob("reference*.py"))

# The rows of "Where the contract leaves room" that a style can read in more than one way, each with its readings.
READINGS = {
    "gate": {"run", "close"},  # the calls of the last reply before a gate: run, or answered with an error
    "siblings": {"run", "skip"},  # the other calls beside one that is repeated for the last time
    "end_turn_call": {"run", "close"},  # a call that comes with end_turn
    "no_call": {"done", "tool_use"},  # a tool_use stop without any call
    "stopped": {"keep", "leave"},  # a truncated, refused or otherwise stopped reply with content
    "content": {"sdk", "to_param", "dump", "plain_dump", "wire", "built"},  # how a reply goes back
    "order": {"call", "completion", "reversed"},  # of the results of parallel calls
    "other": {"json", "str"},  # an output that is neither str nor blocks
    "none": {"empty", "words"},  # an output that is None
}


def readings(path):
    """The readings that a style declares: {row: reading}."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [declared] = [
        node.value.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "READINGS"
    ]
    return dict(pair.split(":") for pair in declared.split())


def explain(report):
    """What a failed report says, for the assertion's message."""
    return "\n".join(
        f"{exercise.id}/{check.name}: {violation.rule} {violation.where}: {violation.saw}"
        for exercise in report.exercises
        for check in exercise.checks
        for violation in check.violations
    )


@pytest.mark.parametrize("path", [*STYLES, *REFERENCES], ids=lambda path: path.stem)
def test_a_right_loop_passes_every_level(path):
    run_agent = load(path.read_text(encoding="utf-8"), path.name)
    report = grade_loop(run_agent, level="resume", seed=11)
    assert report.verdict == "passed", explain(report)
    assert [exercise.id for exercise in report.exercises] == list(LEVELS)
    assert all(exercise.checks for exercise in report.exercises)


@pytest.mark.parametrize("level", list(LEVELS)[:-1])
@pytest.mark.parametrize("name", ["one_big_function", "async_stream", "class_behind_function"])
def test_a_right_loop_passes_the_lower_levels_by_their_own_rules(name, level):
    path = TESTS / "styles" / f"{name}.py"
    report = grade_loop(load(path.read_text(encoding="utf-8"), path.name), level=level, seed=12, own_level_only=True)
    assert report.verdict == "passed", explain(report)


def test_there_are_many_styles_and_each_says_what_it_is():
    assert len(STYLES) >= 20
    lines = [ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in STYLES]
    assert all(lines) and len(set(lines)) == len(lines)


@pytest.mark.parametrize("row", READINGS)
def test_every_reading_that_the_contract_allows_is_held_by_a_style(row):
    assert {readings(path)[row] for path in STYLES} == READINGS[row]


def results_of(transcript, name):
    """The contents of the results of a tool's calls, in the returned history."""
    blocks = [block for message in transcript.claim.messages for block in listed(message["content"])]
    ids = [block["id"] for block in blocks if block["type"] == "tool_use" and block["name"] == name]
    return [block.get("content") for block in blocks if block["type"] == "tool_result" and block["tool_use_id"] in ids]


def listed(content):
    return content if isinstance(content, list) else []


def read_gate(run_agent):
    transcript = play("keys-capped-with-two-open", run_agent, seed=31)
    return "run" if any(run.name == "who_has" for run in transcript.runs) else "close"


def read_siblings(run_agent):
    transcript = play("seats-repeat-among-others", run_agent, seed=32)
    return "run" if len(transcript.runs) > 1 else "skip"


def read_end_turn_call(run_agent):
    return "run" if play("cake-ended-with-call", run_agent, seed=33).runs else "close"


def read_no_call(run_agent):
    return play("bus-tool-use-no-call", run_agent, seed=34).claim.status


def read_stopped(run_agent):
    transcript = play("story-cut-text", run_agent, seed=35)
    return "keep" if transcript.claim.messages[-1]["role"] == "assistant" else "leave"


def read_other(run_agent):
    """json and str write a dict with other quotes."""
    [content] = results_of(play("scale-odd-outputs", run_agent, seed=36), "weigh")
    return "json" if content.startswith('{"') else "str"


def read_none(run_agent):
    [content] = results_of(play("scale-odd-outputs", run_agent, seed=37), "print_labels")
    return "words" if content else "empty"


READERS = {
    "gate": read_gate,
    "siblings": read_siblings,
    "end_turn_call": read_end_turn_call,
    "no_call": read_no_call,
    "stopped": read_stopped,
    "other": read_other,
    "none": read_none,
}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_a_style_reads_the_contract_as_it_says(path):
    run_agent = load(path.read_text(encoding="utf-8"), path.name)
    seen = {row: read(run_agent) for row, read in READERS.items()}
    assert seen == {row: readings(path)[row] for row in READERS}
