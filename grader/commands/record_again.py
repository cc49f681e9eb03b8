"""``record --scenario``: the course's scenarios once more, with a live model's replies."""

from collections.abc import Iterator
from pathlib import Path

from grader.commands.record import CannotRecord
from grader.judging.submission import UnreadableSubmission, load_submission
from grader.replay import Scenario, ScenarioError, all_scenarios, load_scenario
from grader.replay.record import RecordingError, record_again, why_not, write_scenario

ALL = "all"


def record_scenarios(
    names, loop: Path, folder: Path, *, function: str = "run_agent", upstream: str | None = None
) -> Iterator[str]:
    """Run the loop in ``loop`` live on each scenario, and write what came into ``folder``. Yields one line a scenario.

    ``names``: scenarios, or "all" for every one that a live model can be asked for. Raises CannotRecord before
    anything is sent.
    """
    wanted = _wanted(names)
    if not folder.is_dir():
        raise CannotRecord(f"{folder} is no folder; with --scenario, --out names the folder to write into")
    run_agent = _loop(loop, function)
    for scenario in wanted:
        if reason := why_not(scenario):
            yield f"left out {scenario.name}: {reason}"
            continue
        yield _one(scenario, run_agent, folder, upstream)


def _one(scenario: Scenario, run_agent, folder: Path, upstream: str | None) -> str:
    try:
        made, notes = record_again(scenario, run_agent, upstream=upstream)
    except RecordingError as error:
        return f"failed {scenario.name}: {error}"
    except Exception as error:  # the loop's own, or the API's: a missing key, no credit
        return f"failed {scenario.name}: {type(error).__name__}: {str(error)[:200]}"
    path = folder / f"{scenario.name}.json"
    write_scenario(made, path)
    turns = f"{len(made.replies)} replies, {len(scenario.replies)} in the written one"
    return "; ".join([f"wrote {path} ({turns})", *notes])


def _wanted(names) -> list[Scenario]:
    try:
        return (
            [one for one in all_scenarios() if not one.demo]
            if ALL in names
            else [load_scenario(name) for name in names]
        )
    except ScenarioError as error:
        raise CannotRecord(str(error)) from None


def _loop(path: Path, function: str):
    try:
        submission = load_submission(path)
    except UnreadableSubmission as error:
        raise CannotRecord(str(error)) from None
    if not submission.defines(function):
        raise CannotRecord(submission.why_missing(function))
    return submission.names[function]
