"""The ladder for a terminal: plain text in the width that is asked for, arrows in a gutter on the left, no colours,
no control codes.
"""

from dataclasses import dataclass

from rich.cells import cell_len

from grader.course.timeline.folding import Visible, fold, visible_arrows
from grader.course.timeline.model import Ladder, Row
from grader.course.timeline.pairing import lanes
from grader.course.timeline.plain import one_line
from grader.course.timeline.wording import badge, headline
from grader.course.timeline.wrapping import shorten, wrap

_MOST_LANES = 4
_LEAST_WIDTH = 40
_SIGNS = {"refused": "✕", "harmful": "▲", "advice": "ⓘ"}


@dataclass(frozen=True)
class _Track:
    start: int
    end: int | None
    lane: int


def to_text(ladder: Ladder, width: int = 80) -> str:
    """The drawing as lines of at most ``width`` cells (at least 40), with a long middle folded as in the picture."""
    width = max(width, _LEAST_WIDTH)
    seen = fold(ladder)
    tracks = _tracks(ladder, seen)
    depth = max((track.lane + 1 for track in tracks), default=0)
    out = wrap(headline(ladder), width, 3)
    if ladder.outcome:
        out += wrap(ladder.outcome, width, 3)
    for i, row in enumerate(seen.rows):
        if row.kind in ("message", "api", "fold") and (i == 0 or seen.rows[i - 1].panel != row.panel):
            out.append(_gutter(i, tracks, depth, between=True).rstrip())
        first, rest = _gutter(i, tracks, depth), _gutter(i, tracks, depth, after=True)
        lines = _lines(row, width - len(first) - 1)
        out += [f"{first if n == 0 else rest} {line}".rstrip() for n, line in enumerate(lines)]
    return "\n".join(out)


def _tracks(ladder: Ladder, seen: Visible) -> list[_Track]:
    shown = visible_arrows(ladder, seen)
    chosen = lanes([(start, start if end is None else end) for start, end, _ in shown], _MOST_LANES)
    return [_Track(start, end, lane) for (start, end, _), (lane, _) in zip(shown, chosen, strict=True)]


def _gutter(at: int, tracks: list[_Track], depth: int, between: bool = False, after: bool = False) -> str:
    """The arrows beside row ``at``: at its first line, on its further lines (``after``), or on the empty line above
    (``between``).
    """
    if not depth:
        return ""
    cells = [" "] * (2 * depth + 1)
    for track in tracks:
        column = 2 * (depth - 1 - track.lane)
        end = track.start if track.end is None else track.end
        if between or after:
            if track.start < at + after and at < end + between:
                cells[column] = "│"
        elif track.start < at < end:
            cells[column] = "│" if cells[column] == " " else cells[column]
    for track in tracks if not (between or after) else ():
        if at in (track.start, track.end):
            _corner(cells, 2 * (depth - 1 - track.lane), at, track)
    return "".join(cells)


def _corner(cells: list[str], column: int, at: int, track: _Track) -> None:
    cells[column] = "╰" if at == track.end else "╳" if track.end is None else "╭"
    for i in range(column + 1, len(cells)):
        cells[i] = "┼" if cells[i] in "│┼" else "╌" if track.end is None else "─"
    cells[-1] = "▶" if at == track.end else "●"


def _lines(row: Row, width: int) -> list[str]:
    if row.kind == "message":
        return [shorten("  ".join(part for part in (row.head.upper(), row.place, row.title) if part), width)]
    if row.kind == "reply":
        return _hanging(f"stop_reason {row.title}", f"{row.text}", width)
    if row.kind == "fold":
        return [*wrap(f"⋯ {row.head}", width, 2), *(f"  {line}" for line in wrap(row.text, width - 2, 2))]
    if row.kind == "mark":
        lines = wrap(f"{_SIGNS[row.severity]} {row.severity} {row.title}", width, 2)
        texts = [row.text, *(f"{label}: {text}" for label, text in row.notes)]
        return lines + [f"  {line}" for text in texts if text for line in wrap(one_line(text), width - 2, 4)]
    note = badge(row)
    head = " ".join(part for part in (row.head, row.title, f"[{note}]" if note else "") if part)
    return _hanging(head, one_line(row.text), width)


def _hanging(head: str, text: str, width: int) -> list[str]:
    """``head`` with ``text`` on the same line where both fit, or else below it."""
    if cell_len(head) + cell_len(text) + 2 <= width:
        return [f"{head}  {text}".rstrip()]
    return [shorten(head, width), *(f"  {line}" for line in wrap(text, width - 2, 3))]
