"""The ladder as one static SVG, to be shown as an image: no script, nothing from elsewhere, light and dark by media
query.

It is as wide as its image and its letters keep their size, so it reads well at 400 px and uses what a wide page
offers. What is cut off in it stands whole in the table beside the image.
"""

from xml.sax.saxutils import escape

from grader.course.timeline.boxes import LINE, MARGIN, WIDTHS, Sheet, sheet
from grader.course.timeline.model import Ladder
from grader.course.timeline.palette import style
from grader.course.timeline.svg_arrows import arrow
from grader.course.timeline.svg_rows import row_of, texts
from grader.course.timeline.wording import summary

_SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif"
_CODE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


def to_svg(ladder: Ladder) -> str:
    """A whole SVG document. Every text of it is clean and escaped."""
    page = sheet(ladder)
    # Shifted left by MARGIN, and what is in it back to the right: so it ends MARGIN before the right edge and cuts off
    # there what is too long.
    window = f'<svg x="-{MARGIN + 1}" width="100%" height="{page.height}"><g transform="translate({MARGIN + 1})">'
    rows = [row_of(box, page.gutter) for box in page.boxes]
    arrows = [arrow(track, page) for track in page.tracks]
    return "".join([_head(page, ladder), _panels(page), window, *rows, "</g></svg>", *arrows, "</svg>"])


def height_of(ladder: Ladder) -> int:
    """The height in px of ``to_svg(ladder)``, whatever its width."""
    return sheet(ladder).height


def _head(page: Sheet, ladder: Ladder) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{page.height}" role="img">'
        f"<title>Timeline of a conversation</title><desc>{escape(summary(ladder))}</desc><style>{_rules(page)}</style>"
        '<defs><linearGradient id="fade"><stop class="g-card" stop-opacity="0"/>'
        '<stop class="g-card" offset="1"/></linearGradient></defs>'
        '<rect class="f-page" width="100%" height="100%" rx="8"/>'
        + texts(page.title, 12, 22, "b f-ink")
        + (texts(page.outcome, 12, 22 + LINE * len(page.title[0]), "f-muted") if page.outcome[0] else "")
    )


def _rules(page: Sheet) -> str:
    """``v0``, ``v1``, ``v2``: shown on a narrow, a middling, a wide picture; what is the same on two has both."""
    return (
        f"text{{font:14px {_SANS}}}.c{{font:13px {_CODE}}}"
        ".b{font-weight:600}.s{font-size:12.5px}.e{text-anchor:end}"
        f".card{{width:calc(100% - {page.gutter + MARGIN}px)}}.frame{{width:calc(100% - 1px)}}"
        ".v1,.v2{display:none}.v0{display:inline}"
        f"@media (min-width:{WIDTHS[1]}px){{.v0,.v2{{display:none}}.v1{{display:inline}}}}"
        f"@media (min-width:{WIDTHS[2]}px){{.v0,.v1{{display:none}}.v2{{display:inline}}}}{style()}"
    )


def _panels(page: Sheet) -> str:
    return "".join(
        f'<rect class="frame f-{tone} s-{tone}_edge" x=".5" y="{top}.5" width="100%" height="{bottom - top}" rx="8"/>'
        for tone, top, bottom in page.panels
    )
