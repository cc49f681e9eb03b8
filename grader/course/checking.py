"""``check``: judges one exercise from inside a notebook. Whatever the learner hands in, it answers with a report
and does not raise."""

import difflib
import html
import os
from dataclasses import dataclass
from traceback import format_exception_only  # also where the exception's own text fails
from types import FunctionType
from typing import Any

from grader.course.chapters import load_course
from grader.course.offers import offer_html, offer_text
from grader.course.progress import OFFER_AFTER, note
from grader.history.visible import visible


@dataclass(frozen=True, repr=False)
class CheckResult:
    """The answer of ``check``; a notebook draws it as HTML, everything else shows its text.

    ``verdict``: "passed", "failed", "not_attempted" or "error". ``report``: the judge's report, None where there
    was nothing to judge. ``value``: what was handed in, for ``show``.
    """

    exercise: str
    verdict: str
    points: float
    max_points: float
    report: Any
    text: str
    html: str
    value: Any = None

    @property
    def passed(self) -> bool:
        """True when the exercise has all its points."""
        return self.verdict == "passed"

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        # nbgrader takes the text output of a check cell as its points where it is a number, and gives full points for
        # any other output that isn't an error (nbgrader 0.9, utils.determine_grade). So in its runs it is the number.
        text = f"{self.points:g}" if os.environ.get("NBGRADER_EXECUTION") else self.text
        return {"text/plain": text, "text/html": self.html}


def check(exercise_id: str, value: Any, *, seed: int | None = None) -> CheckResult:
    """Judge what the learner made for one exercise.

    In: the exercise's id; the function or value; a seed to play the same run again (default: a new one each time).
    Out: the result, which a notebook shows by itself. Never raises for a learner's mistake: a wrong id, a crash in
    the learner's code and a stub each give a result that says so. Its verdict goes into ``progress()``, unless a seed
    is given: that plays an old run again.
    """
    try:
        exercise = load_course().find(exercise_id)
        if exercise is None:
            return _unknown(exercise_id)
        return _graded(exercise, value, seed)
    except Exception as error:  # a fault of the grader's own: it must not look like one of the learner's
        return _message(
            exercise_id,
            "The grader itself failed here",
            f"This is not about your code. The grader stopped with {format_exception_only(error)[-1].strip()}",
        )


def _graded(exercise, value, seed) -> CheckResult:
    from grader.judging import grade_value, render_html, render_text
    from grader.judging.submission import is_loading

    if is_loading():
        return CheckResult(exercise.id, "not_attempted", 0, exercise.points, None, "", "")
    report = grade_value(exercise, value, seed=seed)
    stuck = seed is None and _counted(exercise, value, report) >= OFFER_AFTER
    return CheckResult(
        exercise=exercise.id,
        verdict=report.verdict,
        points=report.points,
        max_points=report.max_points,
        report=report,
        text=render_text(report).rstrip() + (offer_text(exercise.id) if stuck else ""),
        html=render_html(report) + (offer_html(exercise.id) if stuck else ""),
        value=value,
    )


def _counted(exercise, value, report) -> int:
    """How many checks of the exercise failed since it last passed. A function of another name is a demo."""
    name = value.__name__ if type(value) is FunctionType else exercise.name
    return note(exercise.id, report.verdict, report.points) if name == exercise.name else 0


def _unknown(exercise_id) -> CheckResult:
    known = [exercise.id for exercise in load_course().exercises]
    close = difflib.get_close_matches(exercise_id, known, n=1) if isinstance(exercise_id, str) else []
    hint = f'Did you mean "{close[0]}"?' if close else f"There are: {', '.join(known)}."
    name = (
        f'called "{exercise_id}"'
        if isinstance(exercise_id, str)
        else "of that name; the first argument is the exercise's id, a string"
    )
    return _message(exercise_id, "No such exercise", f"There is no exercise {name}. {hint}")


def _message(exercise_id, heading: str, body: str) -> CheckResult:
    body = visible(body)
    page = f"<p><strong>{html.escape(heading)}.</strong> {html.escape(body)}</p>"
    name = exercise_id if isinstance(exercise_id, str) else ""
    return CheckResult(name, "error", 0, 0, None, f"{heading}. {body}", page)
