"""The ``fuzz`` command: drawn conversations for the loop in a file."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from grader.judging.fuzz import FuzzExercise
from grader.judging.fuzz.exercise import fuzz_report
from grader.judging.grade import new_seed
from grader.judging.report import Report, error_report, whole_report
from grader.judging.submission import UnreadableSubmission, load_submission
from grader.replay import Scenario
from grader.replay.record import write_scenario

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass
class Fuzzed:
    """The report, and the smallest conversation that broke the loop (None: all hold)."""

    report: Report
    scenario: Scenario | None = None

    def to_json(self) -> str:
        """Both as JSON text."""
        return json.dumps(
            {"report": json.loads(self.report.to_json()), "scenario": self.scenario and _plain(self.scenario)}, indent=2
        )


def fuzz_file(
    path: Path, *, function: str, examples: int, level: str, seed: int | None = None, out: Path | None = None
) -> Fuzzed:
    """Draw ``examples`` conversations of ``level`` and play them to the loop called ``function`` in the file.

    ``out``: where the smallest that breaks the loop is written; it takes the file's name. What cannot be graded is a
    report with the verdict "error" and one line that says why. Raises OSError when ``out`` cannot be written.
    """
    seed = new_seed() if seed is None else seed
    if out is not None and (out.suffix != ".json" or not _NAME.fullmatch(out.stem)):
        return Fuzzed(
            error_report(f"{out.name}: a scenario's file is called NAME.json, with small letters, digits and dashes.")
        )
    if out is not None and not out.parent.is_dir():
        return Fuzzed(error_report(f"{out}: cannot be written: {out.parent} is no folder."))
    try:
        submission = load_submission(path)
    except UnreadableSubmission as error:
        return Fuzzed(error_report(str(error)))
    if not submission.defines(function):
        return Fuzzed(error_report(submission.why_missing(function)))
    report, found = fuzz_report(FuzzExercise(level, examples, name=function), submission.names[function], seed=seed)
    scenario = found.scenario
    if scenario is not None and out is not None:
        scenario = scenario.model_copy(update={"name": out.stem})
        write_scenario(scenario, out)
    return Fuzzed(whole_report([report], seed), scenario)


def told(fuzzed: Fuzzed, file: Path, out: Path | None) -> str:
    """What stands below the report: where the conversation is, or the conversation itself. Empty when all hold."""
    report, scenario = fuzzed.report, fuzzed.scenario
    if scenario is None:
        return f"(seed {report.seed})\n" if report.verdict == "passed" else ""
    if out is not None:
        return f"\nwrote {out}; play it again: python -m grader check {file} --scenario {out}\n"
    return f"\n{scenario.name}.json (--out NAME.json writes it):\n\n{scenario_text(scenario)}\n"


def scenario_text(scenario: Scenario) -> str:
    """The scenario as the text of its file."""
    return json.dumps(_plain(scenario), indent=1, ensure_ascii=False)


def _plain(scenario: Scenario) -> dict:
    return scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)
