"""The drawing in words: the line above it, and the text that stands for it where it can't be seen."""

from grader.course.timeline.model import Ladder, Row
from grader.course.timeline.wrapping import shorten

_NAMED = 5  # open calls and violations that the summary names one by one


def headline(ladder: Ladder) -> str:
    """What there is, in one line: "5 messages · 2 calls, 1 open · 1 violation"."""
    calls = count(len(ladder.arrows), "call")
    late = sum(arrow.state == "late" for arrow in ladder.arrows)
    calls += f", {late:,} answered late" if late else ""
    calls += f", {len(ladder.open_calls):,} open" if ladder.open_calls else ""
    parts = [count(ladder.messages, "message"), calls]
    if ladder.replies:
        parts.insert(1, count(ladder.replies, "reply", "replies"))
    if ladder.marks or ladder.checked:
        parts.append(count(len(ladder.marks), "violation") if ladder.marks else "no violation")
    return " · ".join(parts)


def count(number: int, one: str, many: str = "") -> str:
    """``1 call``, ``2 calls``."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def summary(ladder: Ladder) -> str:
    """Two to ten sentences for people who hear the page: turns, calls, open calls, violations, how it ended."""
    parts = [f"Timeline of a conversation: {_turns(ladder)}.", _calls(ladder), *_open(ladder), *_violations(ladder)]
    if ladder.last_stop:
        parts.append(f"The last stop_reason is {shorten(ladder.last_stop, 60)}.")
    if ladder.tokens:
        parts.append(f"Tokens of all replies: {ladder.tokens[0]:,} in, {ladder.tokens[1]:,} out.")
    if ladder.outcome:
        parts.append(shorten(ladder.outcome, 200))
    return " ".join(part for part in parts if part)


def _turns(ladder: Ladder) -> str:
    panels = [row for row in ladder.rows if row.kind == "message"]
    turns = len([row for row in panels if row.tone == "assistant"])
    return f"{count(ladder.messages, 'message')}, {count(turns, 'turn')} of the assistant"


def _calls(ladder: Ladder) -> str:
    if not ladder.arrows:
        return "No tool is called."
    answered = sum(arrow.state == "answered" for arrow in ladder.arrows)
    late = sum(arrow.state == "late" for arrow in ladder.arrows)
    parts = [f"{answered:,} answered"]
    if late:
        parts.append(f"{late:,} answered too late")
    parts.append(f"{len(ladder.open_calls):,} open")
    return f"{count(len(ladder.arrows), 'tool call')}: {', '.join(parts)}."


def _open(ladder: Ladder) -> list[str]:
    return [f"Open: {call_name(row)} in {row.place}." for row in ladder.open_calls[:_NAMED]]


def call_name(row: Row) -> str:
    """``call 2 of get_weather``."""
    return f"call {row.call} of {shorten(row.title, 60)}"


def _violations(ladder: Ladder) -> list[str]:
    if not ladder.marks:
        return ["No violation."] if ladder.checked else []
    named = [
        f"{row.severity}: {shorten(row.title, 80)} at {shorten(row.place, 80) or 'no place'}"
        for row in ladder.marks[:_NAMED]
    ]
    more = len(ladder.marks) - len(named)
    return [f"{count(len(ladder.marks), 'violation')}: {'; '.join(named)}{f'; and {more:,} more' if more > 0 else ''}."]


def badge(row: Row) -> str:
    """What a call or a result is in the pairing: "call 2, open", "answers call 1", "answers no call"."""
    if row.state == "orphan":
        return "answers no call"
    if row.call is None:
        return ""
    if is_result(row):
        return f"answers call {row.call}{', too late' if row.state == 'late' else ''}"
    return f"call {row.call}{_TROUBLE.get(row.state, '')}"


_TROUBLE = {"open": ", open", "late": ", answered late"}


def short_badge(row: Row) -> str:
    """The same where room is scarce."""
    return badge(row).replace("answers call", "answers").replace("answers no call", "no call").replace("answered ", "")


def is_result(row: Row) -> bool:
    return row.kind == "block" and row.head.endswith("_result")
