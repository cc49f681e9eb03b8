"""JUnit XML: a suite a learner, a case an exercise. For CI systems, which all read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from grader.classroom.rows import Row

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="class">\n'
TAIL = "</testsuites>\n"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def suite(row: Row) -> str:
    """One learner."""
    cases = [case for label, one in row.kept.items() for case in _cases(row, label, one)]
    failures = sum("<failure" in case for case in cases)
    errors = sum("<error" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    return f" <testsuite name={_attribute(row.owner.learner)} {counts}>\n{''.join(cases)} </testsuite>\n"


def _cases(row: Row, label: str, one: dict) -> Iterator[str]:
    report = one["report"]
    if not report["exercises"]:
        yield _case(row, label, "submission", f"<error message={_attribute(report['message'])}/>")
    for exercise in report["exercises"]:
        yield _case(row, label, exercise["id"], _inside(exercise, report))


def _inside(exercise: dict, report: dict) -> str:
    if exercise["verdict"] == "passed":
        return ""
    if exercise["verdict"] == "not_attempted":
        return f"<skipped message={_attribute(exercise['message'] or 'not attempted yet')}/>"
    if exercise["verdict"] == "error":
        return f"<error message={_attribute(exercise['message'] or report['message'] or 'could not be graded')}/>"
    found = exercise["violations"][:1]
    if not found:
        return f"<failure message={_attribute(exercise['message'] or 'not yet')}/>"
    first = found[0]
    text = f"{first['rule']} {first['name']} at {first['where']}: {first['saw']} {first['help']}"
    return f"<failure type={_attribute(first['rule'])} message={_attribute(text)}/>"


def _case(row: Row, label: str, name: str, inside: str) -> str:
    head = f"  <testcase classname={_attribute(f'{row.owner.learner}.{label}')} name={_attribute(name)}"
    return f"{head}>{inside}</testcase>\n" if inside else f"{head}/>\n"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
