"""The ladder for a notebook: the drawing as an image, and the same data as a table below it.

An untrusted notebook keeps an ``<img>`` with a data address, tables and ``<details>``; it strips inline SVG, style and script elements, roles and
ARIA attributes. So there is nothing of these here, and no class either.
"""

import base64
from html import escape

from grader.course.timeline.model import Ladder, Row
from grader.course.timeline.plain import one_line
from grader.course.timeline.svg import height_of, to_svg
from grader.course.timeline.wording import badge, count, headline, summary
from grader.course.timeline.wrapping import shorten

MAX_WIDTH = 880  # px; longer lines read badly
_BUDGET = 900_000  # bytes of cell text
_LIMITS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 240, 120, 60)
_SHORT = 300  # characters that a cell shows before it folds
_CELL = 'style="text-align:left;vertical-align:top;overflow-wrap:anywhere"'


def to_html(ladder: Ladder) -> str:
    """A fragment: ``<img>`` and ``<details>``. The texts of the table are cut evenly when all together would be too long."""
    return f"<div>{_image(ladder)}{_table(ladder)}</div>"


def _image(ladder: Ladder) -> str:
    data = base64.b64encode(to_svg(ladder).encode("utf-8")).decode("ascii")
    height = height_of(ladder)
    return (
        f'<img alt="{escape(summary(ladder))}" width="100%" height="{height}" '
        f'style="width:100%;max-width:{MAX_WIDTH}px;height:{height}px" src="data:image/svg+xml;base64,{data}">'
    )


def _table(ladder: Ladder) -> str:
    limit = _limit(ladder)
    heads = "".join(f'<th scope="col" {_CELL}>{head}</th>' for head in ("Place", "What", "Content"))
    body = "".join(_row(row, limit) for row in ladder.rows)
    return (
        f"<details><summary>The same as a table: {escape(headline(ladder))}</summary>"
        f'<table style="width:100%;max-width:{MAX_WIDTH}px;border-collapse:collapse">'
        f'<caption style="text-align:left">{_caption(ladder, limit)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def _caption(ladder: Ladder, limit: int) -> str:
    cut = "" if limit == _LIMITS[0] else f" Texts are cut after {limit:,} characters."
    outcome = f" {escape(one_line(ladder.outcome))}." if ladder.outcome else ""
    return f"Every message, content block and violation from top to bottom.{outcome}{cut}"


def _limit(ladder: Ladder) -> int:
    """How many characters of each text keep the table within its budget."""
    sizes = [_size(text) for row in ladder.rows for text in (row.text, *(text for _, text in row.notes))]
    for limit in _LIMITS:
        if sum(min(size, limit * 6) for size in sizes) <= _BUDGET:
            return limit
    return _LIMITS[-1]


def _size(text: str) -> int:
    """Bytes of the text once it is escaped; a text may take six bytes a character."""
    return len(escape(text).encode("utf-8"))


def _row(row: Row, limit: int) -> str:
    place = escape(row.place or "—")
    return (
        f'<tr><th scope="row" {_CELL}>{place}</th><td {_CELL}>{_what(row)}</td><td {_CELL}>{_content(row, limit)}</td></tr>'
    )


def _what(row: Row) -> str:
    name = escape(shorten(one_line(row.title), 120))
    if row.kind == "message":
        return f"<b>{escape(row.head)}</b>{f', {name}' if name else ''}"
    if row.kind == "mark":
        return f"<b>{escape(row.severity)}</b>: {name}"
    parts = [f"{escape(row.head)} <b>{name}</b>" if name else escape(row.head), escape(badge(row))]
    return "; ".join(part for part in parts if part)


def _content(row: Row, limit: int) -> str:
    notes = [f"{escape(label)}: {escape(_cut(text, limit))}" for label, text in row.notes]
    return "<br>".join([_long(_cut(row.text, limit)), *notes] if row.text else notes)


def _long(text: str) -> str:
    whole = f'<span style="white-space:pre-wrap">{escape(text)}</span>'
    if len(text) <= _SHORT:
        return whole
    return f"<details><summary>{escape(shorten(one_line(text[:_SHORT]), 120))} ({count(len(text), 'character')})</summary>{whole}</details>"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more characters)"
