"""Loops and other values, graded: verdicts, points, the order of findings, what a stub reads."""

from types import SimpleNamespace

import pytest

from grader.judging import LEVELS, grade_loop, grade_value, render_html, render_text
from grader.judging.exercises import loop
from judging import loops


def test_a_right_loop_passes_with_all_points():
    report = grade_loop(loops.right, level="parallel", seed=1)
    assert (report.verdict, report.points, report.max_points) == ("passed", 30, 30)
    assert report.violations == []


def test_a_stub_is_not_attempted():
    report = grade_loop(loops.stub, level="loop", seed=1)
    assert (report.verdict, report.points) == ("not_attempted", 0)
    assert "not attempted yet" in render_text(report)


def test_the_root_cause_comes_first_and_what_follows_is_folded():
    check = grade_loop(loops.forgets_the_reply, level="loop", seed=1).exercises[0].checks[0]
    assert check.violations[0].rule == "L03"
    assert "P04" in [violation.rule for violation in check.follows]


def test_a_root_cause_is_listed_once_in_the_report():
    codes = [violation.rule for violation in grade_loop(loops.forgets_the_reply, level="pairing", seed=1).violations]
    assert len(codes) == len(set(codes))


def test_a_loop_of_the_level_before_earns_few_of_the_points():
    exercise = SimpleNamespace(
        id="errors", kind="loop", name="run_agent", level="errors", points=10, title="Errors", fixture=None
    )
    report = grade_value(exercise, loops.right, seed=1)
    own = [
        check
        for check in report.exercises[0].checks
        if check.name in {one.name for one in loop.scenarios_of(["errors"])}
    ]
    passed = sum(check.verdict == "passed" for check in own)
    assert report.points == pytest.approx(10 * passed / len(own), abs=0.01) and report.points < 6


def test_the_same_seed_gives_the_same_report():
    first, second = (grade_loop(loops.forgets_the_reply, level="loop", seed=7).to_json() for _ in range(2))
    assert first == second


def test_a_loop_that_never_comes_back_is_played_once(monkeypatch):
    monkeypatch.setattr(loop, "DEADLINE_S", 0.2)
    exercise = grade_loop(loops.never_comes_back, level="loop", seed=1).exercises[0]
    assert exercise.violations[0].rule == "L18"
    assert [check.verdict for check in exercise.checks][1:] == ["not_played"] * (len(exercise.checks) - 1)


@pytest.mark.parametrize(
    "value", [None, ..., 3, "run_agent", lambda: None, lambda client: ("done", []), print, int, object()]
)
def test_whatever_is_handed_in_there_is_a_report(value):
    report = grade_loop(value, level="loop", seed=1)
    assert report.verdict in ("failed", "not_attempted")
    assert render_text(report) and render_html(report)


@pytest.mark.parametrize("result", [None, "done", ("done",), ("done", [], 1), (1, []), ("done", "x"), ["done", []]])
def test_a_return_that_is_no_status_and_messages(result):
    def run_agent(client, task, tools, functions):
        loops.right(client, task, tools, functions)
        return result

    assert grade_loop(run_agent, level="loop", seed=1).violations[0].rule == "L24"


def test_every_level_has_scenarios_of_its_own():
    for level in LEVELS:
        assert loop.scenarios_of([level]), level


def test_foreign_text_is_escaped():
    def run_agent(client, task, tools, functions):
        raise ValueError("<script>alert(1)</script>[bold]\x1b[31m")

    report = grade_loop(run_agent, level="loop", seed=1)
    assert "<script>" not in render_html(report)
    text = render_text(report)
    assert "[bold]" in text and "\x1b" not in text


def test_a_loop_that_is_stuck_is_not_played_at_the_levels_after(monkeypatch):
    monkeypatch.setattr(loop, "DEADLINE_S", 0.2)
    first, second = grade_loop(loops.never_comes_back, level="pairing", seed=1).exercises
    assert first.violations[0].rule == "L18"
    assert {check.verdict for check in second.checks} == {"not_played"} and second.verdict == "failed"
