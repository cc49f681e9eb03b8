"""Gives each visible row its place from top to bottom, and each text its lines at three widths of the picture.

The picture has no fixed width: it is as wide as the page lets it be, and the letters keep their size. Heights are
fixed, so a text gets the lines that it needs on a narrow page; on a wider page it is broken anew and uses as many of
them as it needs.
"""

from dataclasses import dataclass

from grader.course.timeline.folding import Visible, fold, visible_arrows
from grader.course.timeline.model import Arrow, Ladder, Row
from grader.course.timeline.pairing import lanes
from grader.course.timeline.plain import one_line
from grader.course.timeline.wording import headline
from grader.course.timeline.wrapping import shorten, wrap

# px that a text may count on; the second and the third are the breaks of the media queries.
WIDTHS = (372, 560, 800)
# px of one character: of the code type of 13 px, and on average of a wide text type of 14 px and of 12.5 px.
CODE_CELL, PROSE_CELL, SMALL_CELL = 7.9, 7.5, 6.6
LINE, TITLE, INSET = 19, 25, 34  # px of a line of text, of the title above it, and beside the two
GAP = 6  # px between two rows
MOST_LANES = 5
LANE = 13  # px from one lane to the next
MARGIN = 10
_HEADER, _REPLY, _FOLD = 32, 30, 50
_LINES = {"text": 3, "thinking": 2}  # in the drawing; the table has the whole text


@dataclass(frozen=True)
class Box:
    """A visible row from ``top`` on, ``height`` px high with the gap below it; ``lines`` of its text for each of
    ``WIDTHS``.
    """

    row: Row
    top: int
    height: int
    lines: tuple[list[str], ...] = ()

    @property
    def anchor(self) -> int:
        """Where an arrow leaves or arrives: halfway down."""
        return self.top + (self.height - GAP) // 2


@dataclass(frozen=True)
class Track:
    """A visible arrow: between the boxes ``start`` and ``end`` (None: it dangles), in ``lane`` counted from the
    blocks outwards, which it may share.
    """

    arrow: Arrow
    start: int
    end: int | None
    lane: int
    shared: bool


@dataclass
class Sheet:
    """The whole picture: ``gutter`` px on the left belong to the arrows."""

    title: tuple[list[str], ...]
    outcome: tuple[list[str], ...]
    boxes: list[Box]
    panels: list[tuple[str, int, int]]
    tracks: list[Track]
    gutter: int
    height: int


def sheet(ladder: Ladder) -> Sheet:
    """Rows and arrows in px."""
    seen = fold(ladder)
    tracks = _tracks(ladder, seen)
    gutter = MARGIN + 16 + LANE * max((track.lane + 1 for track in tracks), default=0)
    title = tuple(wrap(headline(ladder), int((width - 30) / PROSE_CELL), 3) for width in WIDTHS)
    outcome = tuple(
        wrap(ladder.outcome, int((width - 30) / PROSE_CELL), 3) if ladder.outcome else [] for width in WIDTHS
    )
    top = 16 + LINE * (len(title[0]) + len(outcome[0]))
    boxes: list[Box] = []
    panels: list[tuple[str, int, int]] = []
    for i, row in enumerate(seen.rows):
        opens = i == 0 or row.panel != seen.rows[i - 1].panel
        if opens and i:
            panels[-1] = (*panels[-1][:2], top + 4)
            top += 14
        if opens:
            panels.append((row.tone, top, top))
            top += 0 if row.kind == "message" else 8
        boxes.append(_box(row, top, gutter))
        top += boxes[-1].height
    if panels:
        panels[-1] = (*panels[-1][:2], top + 4)
    return Sheet(title, outcome, boxes, panels, tracks, gutter, top + 4 + MARGIN)


def is_code(row: Row) -> bool:
    """Whether the row's text is set in the code type: what machines write, not what people say."""
    return row.kind == "block" and row.head not in ("text", "thinking", "redacted_thinking")


def _box(row: Row, top: int, gutter: int) -> Box:
    if row.kind == "message":
        return Box(row, top, _HEADER)
    if row.kind == "reply":
        return _reply(row, top, gutter)
    cell = CODE_CELL if is_code(row) else PROSE_CELL
    room = [int((width - gutter - INSET) / cell) for width in WIDTHS]
    if row.kind == "fold":
        return Box(row, top, _FOLD, tuple([shorten(row.text, width)] for width in room))
    text = one_line(row.text)
    most = len(wrap(text, room[0], _LINES.get(row.head, 3 if row.kind in ("mark", "api") else 2)))
    return Box(row, top, TITLE + LINE * most + 6 + GAP, tuple(wrap(text, width, most) for width in room))


def _reply(row: Row, top: int, gutter: int) -> Box:
    """The tokens have a line of their own on a narrow page where they don't fit beside the stop_reason."""
    needed = (len(row.head) + len(row.title) + len(row.text) + 2) * SMALL_CELL
    own_line = needed > WIDTHS[0] - gutter - 14 - MARGIN - 3
    return Box(row, top, _REPLY + LINE * own_line, ([row.text] if own_line else [], [], []))


def _tracks(ladder: Ladder, seen: Visible) -> list[Track]:
    shown = visible_arrows(ladder, seen)
    chosen = lanes([(start, start if end is None else end) for start, end, _ in shown], MOST_LANES)
    return [Track(arrow, start, end, *lane) for (start, end, arrow), lane in zip(shown, chosen, strict=True)]
