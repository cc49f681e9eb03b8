"""Outcomes, faults of the grader's own, and what each isolation promises."""

import os
import signal
import sys
import textwrap

import pytest

from grader.classroom.sandbox import Call, Play, Sandbox, SandboxUnavailable, Value, parse_submission
from grader.judging.judge import judge
from grader.replay.player import Player
from tests.classroom.sandbox.conftest import SMALL, needs_bubblewrap
from tests.classroom.sandbox.hostile_files import FOLDER

RIGHT = (FOLDER / "truth_right_loop.py").read_text(encoding="utf-8")


def submission(code: str):
    return parse_submission("a.py", textwrap.dedent(code).encode())


def passes(job) -> bool:
    return judge(job.transcript, job.job.scenario, "loop").passed


def test_calls_and_values(box):
    code = "def double(x, *, by=2):\n    return [x * by]\n\nanswer = {'a': (1, None)}\n"
    calls = box.run(
        submission(code),
        [Call("double", (4,)), Call("double", (4,), {"by": 3}), Value("answer"), Value("gone"), Call("answer")],
    )
    assert [one.value for one in calls.jobs] == [[8], [12], {"a": [1, None]}, None, None]
    assert [one.missing for one in calls.jobs] == [False, False, False, True, True]
    assert calls.loading.outcome == "finished"


def test_a_call_that_raises(box):
    result = box.run(submission("def f():\n    return 1 / 0\n"), [Call("f")])
    assert (result.jobs[0].outcome, result.jobs[0].ending.detail) == ("crashed", "ZeroDivisionError: division by zero")


def test_frames_of_a_crash_are_the_learners(box, weather):
    result = box.run(
        submission("def run_agent(*a, **k):\n    helper()\n\ndef helper():\n    raise KeyError('x')\n"),
        [Play(weather, 1)],
    )
    crash = result.jobs[0].transcript.crash
    assert crash.type == "KeyError"
    assert [(frame[1:]) for frame in crash.frames] == [
        (2, "run_agent", "helper()"),
        (5, "helper", "raise KeyError('x')"),
    ]


def test_cells_that_fail_cost_only_themselves(box, weather):
    result = box.run(submission("x = 1 / 0\ny = undefined\n" + RIGHT + "\nassert False\n"), [Play(weather, 1)])
    assert passes(result.jobs[0])
    assert [(note["type"], note["line"]) for note in result.notes][:2] == [("ZeroDivisionError", 1), ("NameError", 2)]


def test_stub_is_known_as_one(box, weather):
    result = box.run(
        submission("def run_agent(client, task, tools, functions):\n    raise NotImplementedError\n"),
        [Play(weather, 1)],
    )
    assert judge(result.jobs[0].transcript, weather, "loop").not_attempted


def test_state_lives_from_job_to_job_and_ends_with_a_crash(box):
    code = "import os\nn = 0\n\ndef count():\n    global n\n    n += 1\n    return n\n\ndef leave():\n    os._exit(5)\n"
    result = box.run(submission(code), [Call("count"), Call("count"), Call("leave"), Call("count")])
    assert [one.outcome for one in result.jobs] == ["finished", "finished", "exited", "finished"]
    assert [one.value for one in result.jobs] == [1, 2, None, 1]


def test_restarts_are_bounded(box):
    result = box.run(submission("import os\n\ndef leave():\n    os._exit(5)\n"), [Call("leave")] * 5)
    assert [one.outcome for one in result.jobs] == ["exited"] * (SMALL.restarts + 1) + ["timed_out"] * (
        4 - SMALL.restarts
    )


def test_no_job_still_loads(box):
    result = box.run(submission("print('hi')\nx = 1 / 0"), [])
    assert (result.loading.outcome, result.output, len(result.notes)) == ("finished", "hi\n", 1)


def test_a_dead_zygote_costs_nobody(weather, box):
    starts = box.host.starts
    os.kill(box.host.pid, signal.SIGKILL)
    result = box.run(submission(RIGHT), [Play(weather, 1)])
    assert passes(result.jobs[0])
    assert box.host.starts == starts + 1


def test_a_zygote_that_dies_in_the_middle_costs_nobody(weather, box, monkeypatch):
    respond, killed = Player.respond, []

    def kill_once(self, headers, body):
        if not killed:
            killed.append(True)
            os.kill(box.host.pid, signal.SIGKILL)
        return respond(self, headers, body)

    monkeypatch.setattr(Player, "respond", kill_once)
    result = box.run(submission(RIGHT), [Play(weather, 1)])
    assert killed
    assert result.jobs[0].outcome == "finished"
    assert passes(result.jobs[0])


def test_a_fault_of_the_player_is_the_graders(weather, box, monkeypatch):
    monkeypatch.setattr(Player, "_respond", lambda self, retry, body: 1 / 0)
    result = box.run(submission(RIGHT), [Play(weather, 1), Value("gone")])
    assert result.jobs[0].outcome == "grader_fault"
    assert result.jobs[0].transcript is None
    assert result.jobs[1].outcome != "grader_fault"


def test_requiring_a_sandbox_refuses_less(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailable, match="required.*bubblewrap is not installed"):
        Sandbox(SMALL, require_sandbox=True)
    with pytest.raises(SandboxUnavailable):
        Sandbox(SMALL, require_sandbox=True, mode="process")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_without_bubblewrap_it_says_so(monkeypatch, weather):
    monkeypatch.setenv("PATH", "/nowhere")
    with Sandbox(SMALL) as box:
        assert box.isolation.name == "process"
        assert not box.isolation.is_sandbox
        assert "bubblewrap is not installed" in box.isolation.why_not_stronger
        assert passes(box.run(submission(RIGHT), [Play(weather, 1)]).jobs[0])


@pytest.mark.parametrize("mode", ["bubblewrap", "process", "plain"])
def test_a_fresh_interpreter_for_each(mode, weather, request):
    if mode == "bubblewrap":
        request.getfixturevalue("box")  # skips without bubblewrap
    with Sandbox(SMALL, mode=mode, cold=True) as box:
        assert box.isolation.name == mode
        result = box.run(submission(RIGHT), [Play(weather, 1)])
        assert passes(result.jobs[0]), result.jobs[0].ending
        loop = box.run(submission("def run_agent(*a, **k):\n    while True:\n        pass\n"), [Play(weather, 1)])
        assert loop.jobs[0].outcome == "timed_out"


def test_walls_that_stand(box):
    assert {"namespaces", "rlimits"} <= set(box.isolation.walls)
    assert box.isolation.forks, box.isolation.why_not_stronger


def test_a_busy_machine_gets_no_weaker_walls(monkeypatch):
    needs_bubblewrap()
    monkeypatch.setattr("grader.classroom.sandbox.zygote_host._START_S", 0.001)
    with pytest.raises(SandboxUnavailable, match="too busy"), Sandbox(SMALL):
        pass
