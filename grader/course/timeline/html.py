"""The ladder for a notebook: the drawing as an image, and the same data as a table below it.

An untrusted notebook keeps an ``<img>`` with a data address, tables and ``<details>``; it strips inline SVG, style
and script elements, roles and ARIA attributes. So there is nothing of these here, and no class either.
"""

import base64
import re
from html import escape

from grader.course.timeline.boxes import WIDTHS
from grader.course.timeline.model import Ladder, Row
from grader.course.timeline.plain import one_line
from grader.course.timeline.svg import height_of, to_svg
from grader.course.timeline.wording import badge, count, headline, summary
from grader.course.timeline.wrapping import shorten

MIN_WIDTH = WIDTHS[0]  # px; a narrower page scrolls: the drawing counts on this room
MAX_WIDTH = 880  # px; longer lines read badly
MOST_BYTES = 1_900_000  # of the whole fragment, as near as it can be foreseen
MOST_ROWS = 3_500  # of the table: 500 turns need about 3,000
_ROW_BYTES = 400  # of a row beside its texts
_LIMITS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 240, 120, 60, 30)  # characters of each text
_SHORT = 300  # characters that a cell shows before it folds
_PIECES = re.compile(r"\s*\.?[^\s_.-]{1,16}[_-]*|.", re.DOTALL)  # of a name: a line may break between them
# On each cell, since JupyterLab sets these on cells and they would not inherit.
_CELL = 'style="text-align:left;vertical-align:top"'
_PLACE = f'{_CELL[:-1]};font-weight:normal"'
_TEXT = f'{_CELL[:-1]};overflow-wrap:anywhere"'


def to_html(ladder: Ladder) -> str:
    """A fragment: ``<img>`` and ``<details>``. The texts of the table are cut evenly when all together would be too
    long.
    """
    image = _image(ladder)
    return f"<div>{image}{_table(ladder, MOST_BYTES - len(image))}</div>"


def _image(ladder: Ladder) -> str:
    data = base64.b64encode(to_svg(ladder).encode("utf-8")).decode("ascii")
    height = height_of(ladder)
    return (
        f'<img alt="{escape(summary(ladder))}" width="100%" height="{height}" '
        f'style="width:100%;min-width:{MIN_WIDTH}px;max-width:{MAX_WIDTH}px;height:{height}px" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


def _table(ladder: Ladder, budget: int) -> str:
    rows = _bounded(ladder.rows)
    limit = _limit(rows, budget - _ROW_BYTES * len(rows))
    heads = "".join(
        f'<th scope="col" {_CELL[:-1]};width:{share}%">{head}</th>'
        for head, share in (("Place", 20), ("What", 25), ("Content", 55))
    )
    body = "".join(_row(row, limit) for row in rows)
    return (
        f"<details><summary>The same as a table: {escape(headline(ladder))}</summary>"
        f'<table cellpadding="4" style="width:100%;max-width:{MAX_WIDTH}px;border-collapse:collapse;table-layout:auto">'
        f'<caption style="text-align:left">{_caption(ladder, limit)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def _bounded(rows: list[Row]) -> list[Row]:
    """All rows, or the first and the last of very many, and the violations between them."""
    if len(rows) <= MOST_ROWS:
        return rows
    half = MOST_ROWS * 3 // 8
    marks = [row for row in rows[half:-half] if row.kind == "mark"][: MOST_ROWS - 2 * half]
    left_out = len(rows) - 2 * half - len(marks)
    return [
        *rows[:half],
        Row("fold", 0, "other", head="folded", text=f"{left_out:,} rows, left out"),
        *marks,
        *rows[-half:],
    ]


def _caption(ladder: Ladder, limit: int) -> str:
    cut = "" if limit == _LIMITS[0] else f"Texts are cut after {limit:,} characters."
    what = "Every message, content block and violation from top to bottom."
    return " ".join(part for part in (what, escape(ladder.outcome), cut) if part)


def _limit(rows: list[Row], budget: int) -> int:
    """How many characters of each text keep the table within its budget."""
    sizes = [(len(text), _size(text)) for row in rows for text in (row.text, *(text for _, text in row.notes)) if text]
    for limit in _LIMITS:
        if sum(size if length <= limit else size * limit // length for length, size in sizes) <= budget:
            return limit
    return _LIMITS[-1]


def _size(text: str) -> int:
    """Bytes of the text once it is escaped."""
    return len(text.encode("utf-8")) + 5 * sum(map(text.count, "&<>\"'"))


def _row(row: Row, limit: int) -> str:
    place = _breakable(shorten(row.place, 120) or "—")
    what, content = _what(row), _content(row, limit)
    return f'<tr><th scope="row" {_PLACE}>{place}</th><td {_CELL}>{what}</td><td {_TEXT}>{content}</td></tr>'


def _breakable(name: str) -> str:
    """A long name, escaped, with places at which a narrow page may break it."""
    return "<wbr>".join(map(escape, _PIECES.findall(name)))


def _what(row: Row) -> str:
    head, name = _breakable(row.head), _breakable(shorten(row.title, 120))
    if row.kind == "message":
        return f"<b>{head}</b>{f', {name}' if name else ''}"
    if row.kind == "mark":
        return f"<b>{row.severity}</b>: {name}"
    parts = [f"{head} <b>{name}</b>" if name else head, escape(badge(row))]
    return "; ".join(part for part in parts if part)


def _content(row: Row, limit: int) -> str:
    notes = [f"{escape(label)}: {escape(_cut(text, limit))}" for label, text in row.notes]
    return "<br>".join([_long(_cut(row.text, limit)), *notes] if row.text else notes)


def _long(text: str) -> str:
    shaped = "\n" in text or "  " in text
    whole = f'<span style="white-space:pre-wrap">{escape(text)}</span>' if shaped else escape(text)
    if len(text) <= _SHORT:
        return whole
    start = escape(shorten(one_line(text[:_SHORT]), 120))
    return f"<details><summary>{start} ({count(len(text), 'character')})</summary>{whole}</details>"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more characters)"
