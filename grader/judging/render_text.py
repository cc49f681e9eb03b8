"""A report for the terminal, with rich: what was seen first, what follows from it folded into a line."""

import io

from grader.judging.report import CheckReport, ExerciseReport, Report

_WORDS = {"passed": "passed", "failed": "not yet", "not_attempted": "not attempted yet", "error": "could not be graded"}
_MARKS = {
    "passed": ("✓", "green"),
    "failed": ("✗", "red"),
    "not_attempted": ("·", "yellow"),
    "error": ("!", "red"),
    "not_played": ("·", "dim"),
}


def render_text(report: Report, *, width: int = 100, colour: bool = False) -> str:
    """The report as text. ``width`` in columns; ``colour``: with terminal colours."""
    from rich.console import Console

    out = io.StringIO()
    # In a notebook rich would show each line by itself, beside the text that is returned here.
    still = {"highlight": False, "emoji": False, "legacy_windows": False, "force_jupyter": False}
    console = Console(file=out, width=width, force_terminal=colour, no_color=not colour, **still)
    for exercise in report.exercises:
        _exercise(console, exercise)
    if report.message:
        console.print(_plain(report.message))
    if report.exercises:
        points = f"{_number(report.points)} of {_number(report.max_points)} points"
        console.print(_plain(f"{_WORDS[report.verdict].capitalize()}: {points}{_seed(report)}"), style="bold")
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _seed(report: Report) -> str:
    """The seed is of use where something is to be played again."""
    return f"  (seed {report.seed})" if report.verdict == "failed" and report.seed is not None else ""


def _exercise(console, exercise: ExerciseReport) -> None:
    mark, style = _MARKS[exercise.verdict]
    points = f"{_number(exercise.points)}/{_number(exercise.max_points)}"
    console.print(_plain(f"{mark} {exercise.title}  {points}  {_WORDS[exercise.verdict]}"), style=style)
    if exercise.message:
        console.print(_indented(exercise.message))
    failed = [check for check in exercise.checks if check.verdict == "failed"]
    for check in _one_of_each_kind(failed):
        _check(console, check, sum(_root(other) == _root(check) for other in failed))
    notes = {note.rule: note for check in exercise.checks for note in check.notes}
    if exercise.verdict == "passed":
        for note in notes.values():
            console.print(_indented(f"note {note.rule} {note.name}: {note.saw} {note.help}"), style="dim")
    if exercise.verdict == "passed" and exercise.why:
        console.print(_indented(exercise.why))


def _one_of_each_kind(failed: list[CheckReport]) -> list[CheckReport]:
    seen = {}
    for check in failed:
        seen.setdefault(_root(check), check)
    return list(seen.values())


def _root(check: CheckReport) -> str:
    return check.violations[0].rule if check.violations else ""


def _check(console, check: CheckReport, times: int) -> None:
    root = check.violations[0]
    console.print()
    more = f" (and in {times - 1} more)" if times > 1 else ""
    console.print(_indented(f"{root.rule} {root.name}, in “{check.title}”{more}", 2), style="bold")
    console.print(_indented(f"where   {root.where}", 4))
    console.print(_indented(f"saw     {root.saw}", 4))
    if said := api_text(check):
        console.print(_indented(f"API     400 {said}", 4))
    console.print(_indented(f"do      {root.help}", 4))
    if check.follows:
        names = ", ".join(f"{violation.rule} {violation.name}" for violation in check.follows)
        console.print(_indented(f"then    {names} (may well be gone when the first is mended)", 4), style="dim")
    console.print(_indented(f"more    python -m grader explain {root.rule}", 4), style="dim")


def api_text(check: CheckReport) -> str | None:
    """What the API answers: to the root cause, or else to what follows from it at once."""
    refused = [violation.api for violation in [*check.violations, *check.follows] if violation.severity == "refused"]
    return refused[0] if refused else None


def _indented(text: str, columns: int = 2):
    from rich.padding import Padding

    return Padding(_plain(text), (0, 0, 0, columns))


def _plain(text: str):
    """Text of a learner or of the API is never read as rich's markup, and cannot steer the terminal."""
    from rich.text import Text

    return Text("".join(char if char.isprintable() or char == "\n" else "�" for char in text))


def _number(value: float) -> str:
    return f"{value:g}"
