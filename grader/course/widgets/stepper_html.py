"""What the stepper shows, as HTML: the code with a mark at the next line, the messages, a line about the moment.

Colours are see-through greys and inherited ink, so that they fit a light and a dark page; a mark is always a
character too. Nothing scrolls by itself: long code is shown around the marked line.
"""

from html import escape

from grader.course.timeline.plain import clean
from grader.course.widgets.briefly import message_lines, role_of
from grader.course.widgets.recording import Recording, Step

_WINDOW = 30  # lines of code
_SHOWN = 8  # messages
_CODE = "font-family:var(--jp-code-font-family,monospace);font-size:13px;line-height:1.5"
_MARKED = "background:rgba(90,140,220,.28);font-weight:600"
_NEW = "border-left:4px solid rgba(40,150,90,.95)"
_OLD = "border-left:4px solid rgba(128,128,128,.35)"


def code_html(recording: Recording, step: Step) -> str:
    """The function that is running, with ▶ at the line that is about to run."""
    source = recording.sources[step.source]
    if not source.lines:
        return f"<div>{escape(clean(source.name))}, line {step.line}. (Its source is not to be found.)</div>"
    first, last = _window(len(source.lines), step.line)
    rows = [_code_row(number, source.lines[number - 1], step.line) for number in range(first, last + 1)]
    if first > 1:
        rows.insert(0, _code_row(None, "…", step.line))
    if last < len(source.lines):
        rows.append(_code_row(None, "…", step.line))
    return f'<div style="{_CODE}">{"".join(rows)}</div>'


def _window(count: int, line: int) -> tuple[int, int]:
    if count <= _WINDOW:
        return 1, count
    first = min(max(line - _WINDOW // 2, 1), count - _WINDOW + 1)
    return first, first + _WINDOW - 1


def _code_row(number: int | None, text: str, marked: int) -> str:
    here = number is not None and number == marked
    label = "" if number is None else str(number)
    hang = 9 + min(len(text) - len(text.lstrip()), 40)  # what wraps stands deeper than its line
    return (
        f'<div style="white-space:pre-wrap;overflow-wrap:anywhere;padding-left:{hang}ch;text-indent:-{hang}ch;'
        f'{_MARKED if here else ""}">{"▶" if here else " "}{label:>3} {escape(clean(text))}</div>'
    )


def messages_html(recording: Recording, number: int) -> str:
    """``messages`` at step ``number``; what the step before changed is marked with +."""
    steps, snapshots = recording.steps, recording.snapshots
    now = snapshots[steps[number].snapshot]
    before = snapshots[steps[number - 1].snapshot] if number else now
    first = max(len(now) - _SHOWN, 0)
    rows = [
        _message(index, now[index], new=index >= len(before) or now[index] != before[index])
        for index in range(first, len(now))
    ]
    count = f"{len(now)} message{'' if len(now) == 1 else 's'}"
    earlier = f", the last {_SHOWN} of them" if first else ""
    return f'<div style="line-height:1.45"><b>messages</b>: {count}{earlier}{"".join(rows)}</div>'


def _message(index: int, message, new: bool) -> str:
    lines = "".join(f"<div>{escape(line)}</div>" for line in message_lines(message))
    return (
        f'<div style="{_NEW if new else _OLD};margin:4px 0;padding:1px 0 1px 8px;overflow-wrap:anywhere">'
        f"<div>{'<b>+</b> ' if new else ''}[{index}] <b>{escape(role_of(message))}</b></div>"
        f'<div style="{_CODE}">{lines}</div></div>'
    )


def status_text(recording: Recording, number: int) -> str:
    """One line: where we are, and what just happened."""
    step = recording.steps[number]
    place = f"Step {number + 1} of {len(recording.steps)}"
    line = ending(recording) if step.line == 0 else f"{recording.sources[step.source].name}, line {step.line}"
    return ". ".join(part for part in (place, line, happened(recording, number)) if part) + "."


def happened(recording: Recording, number: int) -> str:
    """What the line before this step did, in words; empty where it did nothing that can be seen from outside."""
    if number == 0:
        return ""
    step, before = recording.steps[number], recording.steps[number - 1]
    told = [_answer(exchange) for exchange in recording.transcript.exchanges[before.requests : step.requests]]
    told += [f"Tool {run.name} {run.outcome}" for run in recording.transcript.runs[before.runs : step.runs]]
    grown = len(recording.snapshots[step.snapshot]) - len(recording.snapshots[before.snapshot])
    if step.snapshot != before.snapshot:
        told.append(f"messages grew by {grown}" if grown > 0 else "messages changed")
    return clean("; ".join(told), 400)


def _answer(exchange) -> str:
    which = f"Request {exchange.index + 1}"
    if exchange.kind == "reply" and exchange.reply:
        return f"{which} answered: stop_reason {exchange.reply.get('stop_reason')}"
    return f"{which}: {exchange.status} {(exchange.error or {}).get('message', exchange.kind)}"


def ending(recording: Recording) -> str:
    """How the run ended."""
    run = recording.transcript
    if run.crash is not None:
        return clean(f"The loop raised {run.crash.type}: {run.crash.message}", 300)
    if run.timed_out:
        return "The loop did not return; it was stopped"
    status = run.claim.status if run.claim else None
    if status is None:
        return "The loop returned something else than a status and messages"
    return clean(f"The loop returned {status!r}", 100)
