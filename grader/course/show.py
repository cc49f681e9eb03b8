"""``show``: the timeline of a history, a request, a reply, a run or a check; any other value as text.

Static and fully escaped: what is drawn is foreign text (a model's reply, a tool's output), and a notebook that is
opened before it runs keeps images and tables and drops scripts and styles.
"""

import html
import json
from dataclasses import dataclass
from typing import Any

from grader.course.check_drawing import drawing_of
from grader.course.checking import CheckResult
from grader.course.timeline import Timeline
from grader.history import lint
from grader.history.plain import plain
from grader.history.visible import visible
from grader.replay.transcript import Transcript

_LONGEST = 2_000  # characters of one cell
_ELLIPSIS = " […]"


@dataclass(frozen=True, repr=False)
class View:
    """Something shown as it is: a caption, and a text below it where there is one."""

    caption: str
    text: str | None = None

    @classmethod
    def message(cls, text: str) -> "View":
        """A view that is one sentence."""
        return cls(text)

    def __repr__(self) -> str:
        if self.text is None:
            return self.caption
        lines = [self.caption, "", *(f"    {line}" for line in self.text.split("\n") if line)]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        below = "" if self.text is None else f":<br>{_html_text(self.text)}"
        return f"<p>{html.escape(self.caption)}{below}</p>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def show(thing: Any):
    """Draw a messages list, a request, a reply, a transcript or a check result.

    In: any of these, SDK objects allowed at any depth. Out: a Timeline, with what ``lint`` or the check found at its
    place. A check result is drawn as the first run that failed, played again with the same seed; one with nothing to
    draw is returned as it is. What is none of these is a View: its text. Never raises.
    """
    if isinstance(thing, View | Timeline):
        return thing
    if isinstance(thing, CheckResult):
        return drawing_of(thing) or thing
    if isinstance(thing, Transcript):
        return Timeline(thing)
    data, _ = plain(thing)
    if _is_history(data):
        return Timeline(thing, lint(thing))
    if isinstance(data, dict) and "content" in data and "role" in data:
        return Timeline(thing)
    return View("Value", visible(_cut(_as_text(data))))


def _is_history(data: Any) -> bool:
    if isinstance(data, dict):
        return isinstance(data.get("messages"), list)
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) and "role" in item for item in data)


def _html_text(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + _ELLIPSIS


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
