"""The arrows in the gutter: out of a call to the left, down its lane, and into its result."""

from grader.course.timeline.boxes import LANE, Sheet, Track
from grader.course.timeline.palette import LANES

_DANGLE = 25  # px that the arrow of an open call hangs down
_BEND = 6


def colour(call: int | None, state: str) -> str:
    """The colour's name in the palette; an open or a late call, and its result, are drawn as trouble."""
    return "refused" if state in ("open", "late") or call is None else f"lane{(call - 1) % LANES}"


def arrow(track: Track, page: Sheet) -> str:
    """One arrow as SVG, with a halo that lifts it above the ones that it crosses."""
    edge = page.gutter - 1
    x = page.gutter - 12 - LANE * track.lane
    y = page.boxes[track.start].anchor
    name = "plain" if track.shared and track.end is not None else colour(track.arrow.call, track.arrow.state)
    tone = page.boxes[track.start].row.tone
    dot = f'<circle cx="{edge + 1}" cy="{y}" r="4.5" class="f-{name}"/>'
    out = f"M{edge} {y}H{x + _BEND}q-{_BEND} 0 -{_BEND} {_BEND}"
    if track.end is None:
        end = y + _DANGLE
        return (
            _line(f"{out}V{end - 5}", tone, name, dashed=True)
            + dot
            + _line(f"M{x - 4.5} {end - 4.5}l9 9m0-9l-9 9", tone, name)
        )
    end = page.boxes[track.end].anchor
    path = f"{out}V{end - _BEND}q0 {_BEND} {_BEND} {_BEND}H{edge - 6}"
    head = f'<path d="M{edge + 1} {end}l-9-5.5v11z" class="f-{name}"/>'
    return _line(path, tone, name, dashed=track.arrow.state == "late") + dot + head


def _line(path: str, tone: str, name: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<path d="{path}" fill="none" stroke-width="5" stroke-opacity=".7" class="s-{tone}"/>'
        f'<path d="{path}" fill="none" stroke-width="2"{dash} class="s-{name}"/>'
    )
