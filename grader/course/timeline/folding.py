"""Which rows the drawing shows. A long history keeps its ends and every place that needs a look; the table always has
all of it.
"""

from dataclasses import dataclass, replace

from grader.course.timeline.model import Arrow, Ladder, Row

MOST_ROWS = 110  # up to here, everything is drawn
FIRST_PANELS, LAST_PANELS, TROUBLED_PANELS = 5, 10, 8
FIRST_BLOCKS, LAST_BLOCKS, MARKS_IN_PANEL = 7, 3, 6


@dataclass(frozen=True)
class Visible:
    """``rows`` as shown; ``where``: for each row of the ladder its position among them, or its fold's."""

    rows: list[Row]
    where: list[int]


def fold(ladder: Ladder) -> Visible:
    """The rows to draw, with a "fold" row where rows are left out."""
    panels = _panels(ladder.rows)
    kept = _kept_panels(panels, ladder)
    seen = Visible([], [])
    hidden: list[Row] = []
    for number, rows in enumerate(panels):
        if number not in kept:
            hidden += rows
            seen.where.extend([len(seen.rows)] * len(rows))
            continue
        _close(hidden, seen)
        hidden = []
        _panel(rows, seen)
    _close(hidden, seen)
    return seen


def visible_arrows(ladder: Ladder, seen: Visible) -> list[tuple[int, int | None, Arrow]]:
    """(first visible row, last visible row, arrow), from the top; an arrow of which both ends are folded is not
    drawn.
    """
    shown = []
    for arrow in ladder.arrows:
        start, end = seen.where[arrow.start], None if arrow.end is None else seen.where[arrow.end]
        if any(at is not None and seen.rows[at].kind != "fold" for at in (start, end)):
            shown.append((start, end, arrow))
    return shown


def _panels(rows: list[Row]) -> list[list[Row]]:
    panels: list[list[Row]] = []
    for i, row in enumerate(rows):
        if i == 0 or row.panel != rows[i - 1].panel:
            panels.append([])
        panels[-1].append(row)
    return panels


def _kept_panels(panels: list[list[Row]], ladder: Ladder) -> set[int]:
    every = range(len(panels))
    if len(ladder.rows) <= MOST_ROWS or len(panels) <= FIRST_PANELS + LAST_PANELS + 1:
        return set(every)
    kept = {*every[:FIRST_PANELS], *every[-LAST_PANELS:]}
    troubled = [number for number, rows in enumerate(panels) if any(map(_troubled, rows))]
    return kept | set(troubled[:TROUBLED_PANELS])


def _troubled(row: Row) -> bool:
    return row.kind in ("mark", "api") or row.state in ("open", "late", "orphan")


def _close(hidden: list[Row], seen: Visible) -> None:
    """One row for the panels since the last one that is shown."""
    if not hidden:
        return
    messages = [row for row in hidden if row.kind == "message"]
    calls = sum(row.kind == "block" and row.call is not None and row.state in ("answered", "open") for row in hidden)
    places = (
        f"{messages[0].place or messages[0].head} to {messages[-1].place or messages[-1].head}" if messages else "rows"
    )
    loud = [f"{count} {word}" for count, word in _counts(hidden) if count]
    text = ", ".join([f"{len(messages):,} messages", f"{calls:,} calls", *loud])
    seen.rows.append(
        Row("fold", hidden[0].panel, "other", head=f"folded: {places}", text=f"{text}; all of it is in the table")
    )


def _counts(rows: list[Row]) -> list[tuple[int, str]]:
    return [
        (sum(row.kind == "mark" for row in rows), "violations"),
        (sum(row.kind == "block" and row.state == "open" for row in rows), "open"),
    ]


def _panel(rows: list[Row], seen: Visible) -> None:
    """A panel that is shown; of very many blocks only the first and the last, and the places that need a look."""
    keep = _kept_rows(rows)
    skipped: list[Row] = []
    for i, row in enumerate(rows):
        if i in keep:
            _skip(skipped, seen)
            skipped = []
            seen.where.append(len(seen.rows))
            seen.rows.append(row)
        else:
            skipped.append(row)
            seen.where.append(len(seen.rows))
    _skip(skipped, seen)


def _kept_rows(rows: list[Row]) -> set[int]:
    blocks = [i for i, row in enumerate(rows) if row.kind in ("block", "api", "fold")]
    marks = [i for i, row in enumerate(rows) if row.kind == "mark"][:MARKS_IN_PANEL]
    if len(blocks) > FIRST_BLOCKS + LAST_BLOCKS + 1:
        loud = [i for i in blocks if _troubled(rows[i])][:MARKS_IN_PANEL]
        owners = [max((b for b in blocks if b < mark), default=mark) for mark in marks]
        blocks = [*blocks[:FIRST_BLOCKS], *blocks[-LAST_BLOCKS:], *loud, *owners]
    return {*blocks, *marks, *(i for i, row in enumerate(rows) if row.kind in ("message", "reply"))}


def _skip(skipped: list[Row], seen: Visible) -> None:
    if not skipped:
        return
    blocks = sum(row.kind == "block" for row in skipped)
    marks = len(skipped) - blocks
    parts = [f"{blocks:,} more blocks" if blocks else "", f"{marks:,} more violations" if marks else ""]
    text = " and ".join(part for part in parts if part)
    seen.rows.append(
        replace(
            skipped[0],
            kind="fold",
            head="folded",
            title="",
            text=f"{text}; see the table",
            call=None,
            state="",
            notes=(),
        )
    )
