"""The report of one grading: verdict, points, findings. Plain data with a version; its JSON Schema is in fixtures/."""

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from grader.history import Violation
from grader.places import FIXTURES

VERSION = 1
SCHEMA = FIXTURES / "report.schema.json"

Verdict = Literal["passed", "failed", "not_attempted", "error"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CheckReport(_Part):
    """One scenario, case or question of an exercise. ``violations``: the root cause; ``follows``: what came of it; ``notes``: advice."""

    name: str
    title: str
    verdict: Literal["passed", "failed", "not_attempted", "not_played"]
    violations: list[Violation] = []
    follows: list[Violation] = []
    notes: list[Violation] = []


class ExerciseReport(_Part):
    """One exercise. ``message`` says in one line what the verdict rests on where that is not a finding."""

    id: str
    title: str
    verdict: Verdict
    points: float
    max_points: float
    message: str = ""
    why: str = ""
    violations: list[Violation] = []
    checks: list[CheckReport] = []


class Report(_Part):
    """The whole report. ``violations`` holds each root cause once, in the order of the exercises."""

    version: int = VERSION
    verdict: Verdict
    points: float
    max_points: float
    seed: int | None = None
    isolation: str = "none"
    message: str = ""
    violations: list[Violation] = []
    exercises: list[ExerciseReport] = []

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"

    def to_json(self) -> str:
        """The report as JSON text (keys in a fixed order)."""
        text = json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair: JSON's own escape


def share_of(checks: list[CheckReport]) -> float:
    """How much of some checks was passed, from 0 to 1."""
    return sum(check.verdict == "passed" for check in checks) / len(checks) if checks else 0.0


def exercise_report(
    exercise, checks: list[CheckReport], *, message: str = "", why: str = "", share: float | None = None
) -> ExerciseReport:
    """Add up the checks of an exercise: each counts the same share of its points, unless ``share`` (0 to 1) says how much it earned.

    An exercise that counts as a whole has no shares: a loop to mend passes most checks before anything is mended.
    """
    share = share_of(checks) if share is None else share
    if getattr(exercise, "whole", False) and share < 1:
        share = 0
    points = round(exercise.points * share, 2)
    roots = _once(violation for check in checks for violation in check.violations)
    return ExerciseReport(
        id=exercise.id,
        title=exercise.title,
        verdict=verdict_of([check.verdict for check in checks]),
        points=points,
        max_points=exercise.points,
        message=message,
        why=why,
        violations=roots,
        checks=checks,
    )


def whole_report(exercises: list[ExerciseReport], seed: int | None, message: str = "") -> Report:
    """Add up the exercises of one submission."""
    return Report(
        verdict=verdict_of([exercise.verdict for exercise in exercises]),
        points=round(sum(exercise.points for exercise in exercises), 2),
        max_points=sum(exercise.max_points for exercise in exercises),
        seed=seed,
        message=message,
        violations=_once(violation for exercise in exercises for violation in exercise.violations),
        exercises=exercises,
    )


def error_report(message: str, max_points: float = 0) -> Report:
    """The report of a submission that could not be graded."""
    return Report(verdict="error", points=0, max_points=max_points, message=message)


def verdict_of(verdicts: list[str]) -> Verdict:
    """One word for many: passed when all are, not_attempted when none was tried."""
    if "error" in verdicts:
        return "error"
    if verdicts and all(verdict == "passed" for verdict in verdicts):
        return "passed"
    if not verdicts or all(verdict == "not_attempted" for verdict in verdicts):
        return "not_attempted"
    return "failed"


def _once(violations) -> list[Violation]:
    seen, kept = set(), []
    for violation in violations:
        if violation.rule not in seen:
            seen.add(violation.rule)
            kept.append(violation)
    return kept


def schema_text() -> str:
    """The JSON Schema of a report, as text that is the same on each run."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Report.model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schema(path: Path = SCHEMA) -> None:
    """Write the JSON Schema of a report."""
    path.write_text(schema_text(), encoding="utf-8", newline="\n")
