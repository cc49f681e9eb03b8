"""SARIF 2.1.0: the findings at the files that they are about, for code hosts that show them there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from grader.classroom.assignment import digest
from grader.classroom.rows import Row
from grader.history import RULES

_LEVELS = {"refused": "error", "harmful": "warning", "advice": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def head() -> str:
    """All up to the results: the tool and its rules."""
    rules = [
        {
            "id": rule.code,
            "name": rule.name,
            "shortDescription": {"text": rule.doc.strip().split("\n")[0]},
            "fullDescription": {"text": rule.doc.strip()},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        }
        for rule in RULES.values()
    ]
    tool = {"driver": {"name": "grader", "rules": rules}}
    opening = json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": tool, "results": []}]}, ensure_ascii=True
    )
    return opening[: -len("]}]}")]


TAIL = "]}]}\n"


def results(row: Row) -> Iterator[str]:
    """One learner's findings, each as JSON text: the root cause of each exercise that is not passed."""
    for label, one in row.kept.items():
        for exercise in one["report"]["exercises"]:
            for violation in exercise["violations"]:
                yield json.dumps(_result(row, label, one, exercise, violation), ensure_ascii=True)


def _result(row: Row, label: str, one: dict, exercise: dict, violation: dict) -> dict:
    place = {"artifactLocation": {"uri": quote(one["place"], errors="replace")}, "region": {"startLine": 1}}
    return {
        "ruleId": violation["rule"],
        "level": _LEVELS[violation["severity"]],
        "message": {"text": f"{exercise['title']}: {violation['where']}: {violation['saw']} {violation['help']}"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {
            "learnerExerciseRule/v1": digest(row.owner.learner, label, exercise["id"], violation["rule"])
        },
    }
