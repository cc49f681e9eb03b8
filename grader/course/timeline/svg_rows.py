"""The rows of the drawing: a message's head, a block's card, a reply's line, a violation, a fold."""

from xml.sax.saxutils import escape

from grader.course.timeline.boxes import GAP, INSET, LINE, MARGIN, PROSE_CELL, TITLE, WIDTHS, Box, is_code
from grader.course.timeline.model import Row
from grader.course.timeline.plain import one_line
from grader.course.timeline.svg_arrows import colour
from grader.course.timeline.wording import badge, short_badge
from grader.course.timeline.wrapping import shorten

_LABEL_CELL = 7.6  # px of one character of the small type of a title line, names in code type included
_SHAPES = {
    "refused": "M5 0h7l5 5v7l-5 5h-7l-5-5v-7z",
    "harmful": "M8.5 0l8.5 16h-17z",
    "advice": "M8.5 0a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17z",
}
_SIGNS = {"refused": "✕", "harmful": "!", "advice": "i"}


def row_of(box: Box, gutter: int) -> str:
    """One row as SVG. ``gutter``: px on the left that belong to the arrows."""
    draw = {"message": _message, "reply": _reply, "fold": _fold, "mark": _mark}
    return draw.get(box.row.kind, _block)(box, gutter)


def texts(lines: tuple[list[str], ...], x: int, y: int, classes: str) -> str:
    """The lines of one text, once for each width at which they differ. ``y``: of the first line at the narrow width.

    A wider picture needs fewer lines in the same room: there they sit lower, by half of what is left.
    """
    return "".join(
        f'<text y="{y + _sink(lines, i)}" class="{shown} {classes}">{_tspans(lines[i], x)}</text>'
        for i, shown in _variants(lines)
    )


def _variants(values) -> list[tuple[int, str]]:
    """(index, classes) of each value that differs from the one before it; the classes cover all that are equal."""
    found: list[tuple[int, str]] = []
    for i, value in enumerate(values):
        if found and values[found[-1][0]] == value:
            found[-1] = (found[-1][0], f"{found[-1][1]} v{i}")
        else:
            found.append((i, f"v{i}"))
    return found


def _sink(lines: tuple[list[str], ...], i: int) -> int:
    return (len(lines[0]) - len(lines[i])) * LINE // 2


def _tspans(lines: list[str], x: int) -> str:
    further = "".join(f'<tspan x="{x}" dy="{LINE}">{escape(line)}</tspan>' for line in lines[1:])
    return f'<tspan x="{x}">{escape(lines[0])}</tspan>{further}'


def _message(box: Box, gutter: int) -> str:
    row, y = box.row, box.top + 21
    return (
        f'<text x="{gutter}" y="{y}" class="b f-ink">{escape(shorten(row.head, 36))}'
        f'<tspan class="c f-muted" dx="10" font-weight="400">{escape(row.place)}</tspan></text>'
        f'<text x="100%" dx="-{MARGIN + 3}" y="{y}" class="s e f-muted">{escape(row.title)}</text>'
    )


def _reply(box: Box, gutter: int) -> str:
    row, x = box.row, gutter + 14
    stop = escape(shorten(row.title, 32))
    drawn = []
    for i, shown in _variants([len(lines) for lines in box.lines]):
        y = box.top + 19 + _sink(box.lines, i)
        place = f'x="{x}" y="{y + LINE}"' if box.lines[i] else f'x="100%" dx="-{MARGIN + 3}" y="{y}" text-anchor="end"'
        drawn.append(
            f'<g class="{shown}"><rect x="{gutter}" y="{y - 9}" width="8" height="8" class="f-plain"/>'
            f'<text x="{x}" y="{y}" class="s f-muted">{escape(row.head)} <tspan class="b f-ink">{stop}</tspan></text>'
            f'<text {place} class="s f-muted">{escape(row.text)}</text></g>'
        )
    return "".join(drawn)


def _fold(box: Box, gutter: int) -> str:
    y = box.top + 18
    head = f'<text x="{gutter + 4}" y="{y}" class="b s f-ink">⋯ {escape(shorten(box.row.head, 44))}</text>'
    return head + texts(box.lines, gutter + 4, y + LINE, "s f-muted")


def _block(box: Box, gutter: int) -> str:
    row, height = box.row, box.height - GAP
    bar = colour(row.call, row.state) if row.call else _bar(row)
    return (
        f'<rect x="{gutter}" y="{box.top}" width="100%" height="{height}" rx="5" class="card f-card"/>'
        f'<rect x="{gutter}" y="{box.top}" width="4" height="{height}" rx="2" class="f-{bar}"/>'
        + "".join(
            _title(box, gutter, i, bar, shown)
            for i, shown in _variants([_title_key(box, gutter, i) for i in range(len(WIDTHS))])
        )
        + texts(box.lines, gutter + 14, box.top + TITLE + 14, f"{'c ' if is_code(row) else ''}f-ink")
        # Covers the end of a line that is longer than its letters let us think.
        + f'<svg x="100%" y="{box.top + TITLE}" overflow="visible">'
        f'<rect x="-30" width="20" height="{height - TITLE - 2}" fill="url(#fade)"/></svg>'
    )


def _bar(row: Row) -> str:
    if row.error or row.kind == "api" or row.state == "orphan":
        return "refused"
    return "thinking" if "thinking" in row.head else "plain"


def _title_key(box: Box, gutter: int, i: int) -> tuple[str, str, str, str, int]:
    """What the title line says at width ``i``: type, name, id, badge; and how far it sinks."""
    row = box.row
    note = short_badge(row) if i == 0 else badge(row)
    room = int((WIDTHS[i] - gutter - INSET) / _LABEL_CELL) - len(note) - 1
    head = shorten(row.head, max(room, 8))
    name = shorten(row.title, min(room - len(head) - 1, 60)) if row.title and room - len(head) > 4 else ""
    ident = next((one_line(text) for label, text in row.notes if label in ("id", "tool_use_id")), "")
    fits = i > 0 and len(head) + len(name) + len(ident) + 3 <= room
    return head, name, ident if fits else "", note, _sink(box.lines, i)


def _title(box: Box, gutter: int, i: int, bar: str, shown: str) -> str:
    head, name, ident, note, sink = _title_key(box, gutter, i)
    y = box.top + 19 + sink
    named = f'<tspan class="c b f-ink" dx="9">{escape(name)}</tspan>' if name else ""
    known = f'<tspan class="c f-muted" dx="12">{escape(ident)}</tspan>' if ident else ""
    tag = f'<text x="100%" dx="-20" y="{y}" class="{shown} s e b f-{bar}">{escape(note)}</text>' if note else ""
    return f'<text x="{gutter + 14}" y="{y}" class="{shown} s f-muted">{escape(head)}{named}{known}</text>{tag}'


def _mark(box: Box, gutter: int) -> str:
    row, x, y = box.row, gutter + 10, box.top
    room = int((WIDTHS[0] - gutter - INSET - 20) / PROSE_CELL) - len(row.head) - 1
    sink = [_sink(box.lines, i) for i in range(len(WIDTHS))]
    heads = "".join(
        f'<g class="{shown}" transform="translate({x} {y + 6 + sink[i]})">'
        f'<path d="{_SHAPES[row.severity]}" class="f-{row.severity}"/>'
        f'<text x="8.5" y="13" text-anchor="middle" class="s b f-chip_ink">{_SIGNS[row.severity]}</text>'
        f'<text x="25" y="13" class="s b f-{row.severity}">{escape(row.head)} '
        f'<tspan class="f-ink">{escape(shorten(row.title, room if i == 0 else 60))}</tspan></text></g>'
        for i, shown in _variants([(step, width == WIDTHS[0]) for step, width in zip(sink, WIDTHS, strict=True)])
    )
    return (
        f'<rect x="{gutter}" y="{y}" width="100%" height="{box.height - GAP}" rx="5" '
        f'class="card f-{row.severity}_card"/>' + heads + texts(box.lines, gutter + 14, y + TITLE + 14, "f-ink")
    )
