"""``show``: a table of a history, a request, a reply or a transcript, with the same as text.

Static and fully escaped: what is drawn is foreign text (a model's reply, a tool's output), and a notebook that is
opened before it runs keeps tables and drops scripts and styles.
"""

import html
import json
from dataclasses import dataclass
from typing import Any

from grader.course.checking import CheckResult
from grader.history.plain import plain
from grader.replay.transcript import Transcript

_LONGEST = 2_000  # characters of one cell
_ELLIPSIS = " […]"


@dataclass(frozen=True, repr=False)
class View:
    """Something drawn: a caption, column names, and rows of texts. A notebook shows the table, everything else the
    text."""

    caption: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def message(cls, text: str) -> "View":
        """A view that is one sentence."""
        return cls(text)

    def __repr__(self) -> str:
        lines = [self.caption]
        for row in self.rows:
            *head, body = (text for text in row)
            lines.append("  ".join(text for text in head if text))
            lines += [f"    {line}" for line in body.split("\n") if line]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<p>{html.escape(self.caption)}</p>"
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = "\n".join(_html_row(row) for row in self.rows)
        caption = f"<caption>{html.escape(self.caption)}</caption>"
        return f"<table>\n{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def show(thing: Any):
    """Draw a messages list, a request, a reply, a transcript or a check result.

    In: any of these, SDK objects allowed at any depth. Out: a View (a check result is returned as it is). What is none
    of these is shown as text. Never raises.
    """
    if isinstance(thing, View | CheckResult):
        return thing
    if isinstance(thing, Transcript):
        return _transcript(thing)
    data, _ = plain(thing)
    if isinstance(data, dict) and isinstance(data.get("messages"), list):
        return _history(data["messages"], "Request")
    if isinstance(data, dict) and "content" in data and "role" in data:
        return _reply(data)
    if isinstance(data, list) and data and all(isinstance(item, dict) and "role" in item for item in data):
        return _history(data, "History")
    return View("Value", ("value",), ((_cut(_as_text(data)),),))


def _history(messages: list, what: str) -> View:
    rows = tuple(row for i, message in enumerate(messages) for row in _message_rows(f"messages[{i}]", message))
    return View(f"{what}: {_count(len(messages), 'message')}", ("place", "role", "block", "content"), rows)


def _reply(message: dict) -> View:
    usage = message.get("usage") or {}
    told = [f"stop_reason {message['stop_reason']}"] if message.get("stop_reason") else []
    if isinstance(usage, dict) and "input_tokens" in usage and "output_tokens" in usage:
        told.append(f"{usage['input_tokens']} tokens in, {usage['output_tokens']} out")
    caption = "Reply" + (f": {', '.join(told)}" if told else "")
    return View(caption, ("place", "role", "block", "content"), tuple(_message_rows("", message)))


def _transcript(transcript: Transcript) -> View:
    rows = []
    for exchange in transcript.exchanges:
        sent = exchange.request.get("messages")
        sent = f"{_count(len(sent), 'message')} sent" if isinstance(sent, list) else "no messages sent"
        rows.append((f"request {exchange.index + 1}", sent, *_answer(exchange)))
    caption = f"{_count(len(rows), 'request')}, {_count(len(transcript.runs), 'tool run')}"
    columns = ("exchange", "sent", "answer", "content")
    return View(f"{caption}. {_ending(transcript)}".rstrip(), columns, tuple(rows))


def _ending(transcript: Transcript) -> str:
    """How the run ended; empty while it goes on."""
    if transcript.timed_out:
        return "The function did not come to an end and was stopped."
    if transcript.crash:
        frames = transcript.crash.frames
        place = f" in line {frames[-1][1]} of {frames[-1][2]}" if frames else ""
        return _cut(f"The function stopped with {transcript.crash.type}: {transcript.crash.message}{place}.")
    if transcript.claim and transcript.claim.raw_type:
        return f"The function returned {transcript.claim.raw_type}, not (status, messages)."
    return f"The function returned {transcript.claim.status!r}." if transcript.claim else ""


def _answer(exchange: Any) -> tuple[str, str]:
    if exchange.reply is None:
        error = exchange.error or {}
        return f"{exchange.status} {error.get('type', exchange.kind)}", _cut(str(error.get("message", "")))
    blocks = [": ".join(filter(None, _block(block))) for block in _blocks(exchange.reply.get("content"))]
    return f"stop_reason {exchange.reply.get('stop_reason')}", _cut("\n".join(blocks))


def _message_rows(place: str, message: Any):
    if not isinstance(message, dict):
        yield place, "not a message", "", _cut(_as_text(message))
        return
    content = message.get("content")
    blocks = _blocks(content)
    role = str(message.get("role", "no role"))
    if not blocks:
        yield place, role, "", "(empty)"
    for j, block in enumerate(blocks):
        where = place if isinstance(content, str) or not place else f"{place}.content[{j}]"
        yield where if place else f"content[{j}]", role, *_block(block)


def _blocks(content: Any) -> list:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content if isinstance(content, list) else [content]


def _block(block: Any) -> tuple[str, str]:
    """A block's type, and what it says."""
    if not isinstance(block, dict):
        return "not a block", _cut(_as_text(block))
    kind = str(block.get("type", "no type"))
    if kind in ("text", "thinking"):
        return kind, _cut(str(block.get(kind, "")))
    if kind == "tool_use":
        return kind, _cut(f"{block.get('name')}({_as_text(block.get('input'))})\nid {block.get('id')}")
    if kind == "tool_result":
        error = "is_error true\n" if block.get("is_error") else ""
        return kind, _cut(f"{error}{_result_text(block.get('content'))}\ntool_use_id {block.get('tool_use_id')}")
    return kind, _cut(_as_text({key: value for key, value in block.items() if key != "type"}))


def _result_text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(": ".join(filter(None, _block(block))) for block in content)
    return content if isinstance(content, str) else _as_text(content)


def _html_row(row: tuple[str, ...]) -> str:
    first, *rest = row
    cells = "".join(f"<td>{_html_text(text)}</td>" for text in rest)
    return f'<tr><th scope="row">{_html_text(first)}</th>{cells}</tr>'


def _html_text(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + _ELLIPSIS


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
