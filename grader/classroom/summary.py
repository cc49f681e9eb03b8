"""summary.md: the class on one screen, for a job summary or a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from grader.classroom.assignment import Assignment
from grader.classroom.gradebook import number
from grader.classroom.rows import Row
from grader.classroom.tally import Tally
from grader.history import RULES

_MOST_RULES = 10
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~@:])")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")


def row_line(row: Row) -> str:
    """One learner in the table."""
    points = "?" if row.faulty else number(row.points)
    cells = text(row.owner.name), f"{points} / {number(row.max_points)}", text(row.verdict), text("; ".join(row.notes))
    return f"| {' | '.join(cells)} |\n"


def head(assignment: Assignment) -> str:
    return f"## {text(assignment.title)}\n\n| learner | points | verdict | notes |\n| --- | --- | --- | --- |\n"


def tail(tally: Tally) -> Iterator[str]:
    """Below the table: the rules that most learners broke."""
    worst = tally.rules.most_common(_MOST_RULES)
    if worst:
        yield "\n| rule | learners |\n| --- | --- |\n"
        for code, count in sorted(worst, key=lambda item: (-item[1], item[0])):
            name = RULES[code].name if code in RULES else ""
            yield f"| {code} {text(name)} | {count} |\n"


def text(words: str) -> str:
    """Words of strangers, with nothing in them that Markdown would act on."""
    shown = _CONTROL.sub(" ", words)
    return escape(_MARKUP.sub(r"\\\1", " ".join(shown.split())), quote=False)
