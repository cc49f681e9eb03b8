"""Answers to questions: predictions and recall quizzes."""

from grader.judging.exercises.fixtures import is_blank, read_fixture, squeezed
from grader.judging.pieces import brief, number
from grader.judging.report import CheckReport, ExerciseReport, exercise_report
from grader.judging.rules.values import finding
from grader.places import FUNCTIONS


def grade_answer(exercise, value, *, seed: int) -> ExerciseReport:
    """Compare an answer, or a list of answers, with the fixture's. ``seed`` is not used: a question has one answer."""
    fixture = read_fixture(FUNCTIONS, exercise.fixture)
    questions = fixture.get("questions") or [fixture]
    answers = _as_list(value) if "questions" in fixture else [value]
    checks = [
        _check(i, question, answers[i] if i < len(answers) else ..., len(questions))
        for i, question in enumerate(questions)
    ]
    message = ""
    if not is_blank(value) and len(answers) > len(questions):
        message = f"There are {len(questions)} questions; the list holds {len(answers)} answers. Those beyond are not looked at."
    if "questions" in fixture and not is_blank(value) and type(value) not in (list, tuple):
        message = f'There are {len(questions)} questions. Put the answers into a list, one for each: ["…", "…"].'
    opened = [str(i + 1) for i, check in enumerate(checks) if check.verdict == "not_attempted"]
    if not message and 0 < len(opened) < len(checks):
        numbers = "number" if len(opened) == 1 else "numbers"
        message = f"Still to be answered: {numbers} {', '.join(opened)} of {len(checks)}."
    why = "" if len(questions) > 1 else fixture.get("why", "")
    return exercise_report(exercise, checks, message=message, why=why)


def _as_list(value) -> list:
    if is_blank(value):
        return []
    return list(value) if type(value) in (list, tuple) else [value]


def _check(i: int, question: dict, answer, count: int) -> CheckReport:
    name = f"question {i + 1}" if count > 1 else "answer"
    title = question["question"]
    if is_blank(answer):
        return CheckReport(name=name, title=title, verdict="not_attempted")
    if any(_equal(answer, right) for right in [question["answer"], *question.get("accept", [])]):
        return CheckReport(name=name, title=title, verdict="passed")
    feedback = next((text for wrong, text in question.get("why_wrong", {}).items() if _equal(answer, wrong)), "")
    violation = finding(
        "X01", name, f"Your answer is {_said(answer)}.", feedback or "Not yet. Look at the cells above again."
    )
    return CheckReport(name=name, title=title, verdict="failed", violations=[violation])


def _equal(answer, right) -> bool:
    """Equal as text (case and white space aside), or as numbers."""
    if isinstance(right, list) or type(answer) in (list, tuple):
        return (
            type(answer) in (list, tuple)
            and isinstance(right, list)
            and list(map(_text, answer)) == list(map(_text, right))
        )
    return _text(answer) == _text(right)


def _text(value) -> str:
    if type(value) is float and value.is_integer():
        value = int(value)
    return squeezed(_safe_str(value)).casefold()


def _said(answer) -> str:
    return number(answer) if type(answer) in (int, float, bool) else f"“{brief(_safe_str(answer), 60)}”"


def _safe_str(value) -> str:
    try:
        return str(value)
    except Exception:  # an object of the learner's whose str raises is a wrong answer, no crash
        return f"<{type(value).__name__}>"
