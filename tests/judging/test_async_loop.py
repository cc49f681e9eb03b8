"""An exercise whose loop has to be ``async def``."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutants.mutant import HERE, load  # noqa: E402

from grader.course.chapters import Exercise  # noqa: E402
from grader.judging.exercises import grade_exercise  # noqa: E402

TWIN = Exercise(
    id="twin", kind="loop", name="run_agent_async", level="loop", coroutine=True, points=10, title="The async twin"
)


def reference(name):
    return load((HERE / name).read_text(encoding="utf-8"), name)


def test_an_async_loop_passes():
    assert grade_exercise(TWIN, reference("reference_async.py"), seed=3).verdict == "passed"


def test_an_ordinary_loop_is_told_so():
    report = grade_exercise(TWIN, reference("reference.py"), seed=3)
    assert report.verdict == "failed" and report.points == 0
    [violation] = report.violations
    assert violation.saw == "run_agent_async is an ordinary function." and "async def" in violation.help


@pytest.mark.parametrize("nothing", [..., None])
def test_nothing_is_not_attempted(nothing):
    assert grade_exercise(TWIN, nothing, seed=3).verdict == "not_attempted"


def test_an_async_stub_is_not_attempted():
    async def run_agent_async(client, task, tools, functions):
        raise NotImplementedError("write run_agent_async")

    assert grade_exercise(TWIN, run_agent_async, seed=3).verdict == "not_attempted"
