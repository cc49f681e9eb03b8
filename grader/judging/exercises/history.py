"""A messages list that the learner wrote: linted first, then held against the conversation that it should be."""

from grader.history import lint
from grader.history.models import MODEL
from grader.history.plain import plain
from grader.judging.exercises.fixtures import is_blank, read_fixture, squeezed
from grader.judging.pieces import brief, text_of
from grader.judging.report import CheckReport, ExerciseReport, exercise_report
from grader.judging.rules.values import finding
from grader.places import HISTORIES

_IDS = ("id", "tool_use_id")


def grade_history(exercise, value, *, seed: int) -> ExerciseReport:
    """Judge a messages list. ``seed`` is not used: the conversation is the same for everybody."""
    fixture = read_fixture(HISTORIES, exercise.fixture)
    if is_blank(value):
        return exercise_report(exercise, [CheckReport(name="rules", title=exercise.title, verdict="not_attempted")])
    rules = _lint_check(value)
    story = _story_check(plain(value)[0], fixture, sound=rules.verdict == "passed")
    return exercise_report(exercise, [rules, story], why=fixture.get("why", ""))


def _lint_check(messages) -> CheckReport:
    found = lint({"model": MODEL, "messages": messages})
    wrong = [violation for violation in found if violation.severity != "advice"]
    wrong.sort(key=lambda violation: violation.severity != "refused")
    notes = [violation for violation in found if violation.severity == "advice"]
    verdict = "failed" if wrong else "passed"
    return CheckReport(
        name="rules",
        title="the list as a request",
        verdict=verdict,
        violations=wrong[:1],
        follows=wrong[1:],
        notes=notes,
    )


def _story_check(messages, fixture: dict, *, sound: bool) -> CheckReport:
    title = "the conversation"
    if not sound:
        return CheckReport(name="conversation", title=title, verdict="not_played")
    difference = first_difference(messages, fixture["expected"])
    if difference is None:
        return CheckReport(name="conversation", title=title, verdict="passed")
    return CheckReport(name="conversation", title=title, verdict="failed", violations=[finding("X05", *difference)])


def first_difference(messages: list, expected: list) -> tuple[str, str, str] | None:
    """Where, what was seen and what to do, for the first message that is not as expected; None when all are."""
    pairs: dict = {}
    for i, want in enumerate(expected):
        if i >= len(messages):
            saw = f"The list ends after {len(messages)} messages; {len(expected)} were exchanged."
            return f"messages[{i}]", saw, f"Add what the {want['role']} said next."
        got, where = messages[i], f"messages[{i}]"
        if got.get("role") != want["role"]:
            saw = f"The role is {got.get('role')!r}. This was said by the {want['role']}."
            return (
                f"{where}.role",
                saw,
                f"Give it the role {want['role']!r}, or look whether a message is missing before it.",
            )
        if not _same_content(got.get("content"), want["content"], pairs):
            saw = (
                f"The content is “{brief(_readable(got.get('content')), 90)}”. This is not what was said at this point."
            )
            return f"{where}.content", saw, "Copy the text as it stood, all of it, in the order in which it happened."
    if len(messages) > len(expected):
        saw = f"The list goes on after the conversation's {len(expected)} messages."
        return f"messages[{len(expected)}]", saw, "Leave out what was not said."
    return None


def _readable(content) -> str:
    return text_of(content) or str(content)


def _same_content(got, want, pairs: dict) -> bool:
    if isinstance(want, dict) and "$contains" in want:
        return squeezed(want["$contains"]) in squeezed(text_of(got))
    if isinstance(want, str):
        return _is_text(got) and squeezed(text_of(got)) == squeezed(want)
    if not isinstance(got, list) or len(got) != len(want):
        return False
    return all(_same_block(one, other, pairs) for one, other in zip(got, want, strict=True))


def _is_text(content) -> bool:
    return isinstance(content, str) or (
        isinstance(content, list) and all(block.get("type") == "text" for block in content)
    )


def _same_block(got: dict, want: dict, pairs: dict) -> bool:
    for key in want:
        mine, theirs = got.get(key), want[key]
        if key in _IDS:
            if pairs.setdefault(theirs, mine) != mine:
                return False
        elif key == "content" or key == "text":
            if not _same_content(mine, theirs, pairs):
                return False
        elif mine != theirs:
            return False
    return True
