"""A loop in the sandbox leaves the transcript that it leaves inside the grader's process."""

import importlib
from pathlib import Path

import pytest

from grader.classroom.sandbox import Play, read_submission
from grader.replay import play
from grader.replay.scenario import all_scenarios

STYLES = sorted(
    path for path in (Path(__file__).parents[2] / "styles").glob("*.py") if not path.stem.startswith(("_", "test"))
)
SEED = 11
BY_NAME = {scenario.name: scenario for scenario in all_scenarios()}
SLOW = {name for name, scenario in BY_NAME.items() if any(b.hangs for tool in scenario.tools for b in tool.behaviour)}
FOR_ALL = (
    "stock-two-one-two",
    "tyres-done-at-the-last-moment",
    "ferry-pauses-count",
    "dam-broken-stream",
    "rates-of-three",
)


def compare(box, path: Path, names) -> None:
    function = importlib.import_module(f"tests.styles.{path.stem}").run_agent
    scenarios = [BY_NAME[name] for name in names]
    result = box.run(read_submission(path), [Play(scenario, SEED) for scenario in scenarios])
    for one in result.jobs:
        here = play(one.job.scenario, function, seed=SEED)
        assert one.transcript is not None, (one.job.scenario.name, one.ending)
        assert in_any_order(one.transcript.essence()) == in_any_order(here.essence()), one.job.scenario.name
        assert times(one.transcript) == pytest.approx(times(here), abs=0.1)


def in_any_order(essence: dict) -> dict:
    """Some styles put the results of parallel calls in the order in which they came."""
    for exchange in essence["exchanges"]:
        for message in exchange["request"]["messages"]:
            if isinstance(message["content"], list):
                message["content"] = sorted(message["content"], key=lambda block: block.get("tool_use_id", ""))
    return essence


def times(transcript) -> list[float]:
    return [seconds for exchange in transcript.exchanges for seconds in (exchange.at_s, exchange.takes_s)]


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_each_style(box, path):
    compare(box, path, [name for name in FOR_ALL if name in BY_NAME])


def test_each_scenario(box):
    path = next(path for path in STYLES if path.stem == "class_behind_function")
    compare(box, path, [name for name in BY_NAME if name not in SLOW])


@pytest.mark.parametrize("stem", ["class_behind_function", "async_gather"])
def test_hanging_tools(box, stem):
    compare(box, next(path for path in STYLES if path.stem == stem), sorted(SLOW))
