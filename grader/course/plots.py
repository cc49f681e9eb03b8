"""Line charts for a notebook: an image with an alternative text, and the same numbers as a table below it.

The image is an SVG inside an ``<img>``, since a notebook that is opened before it runs drops inline SVG. It is made
by a pure-Python library, so it can also be drawn in a browser, and it is the same bytes each time. It has a ground of
its own, light or dark by media query.
"""

import base64
from html import escape
from xml.etree import ElementTree

from grader.course.timeline.palette import DARK, LIGHT

_WIDTH, _HEIGHT = 720, 340
_LANES = ("lane0", "lane3", "lane1", "lane2")
# A colour never says anything alone: the lines differ, and the legend shows how.
_DASHES = (("", "——"), ("9,5", "– –"), ("2,5", "····"), ("12,4,2,4", "—·—"))
_SVG = "http://www.w3.org/2000/svg"
_CELL = 'style="text-align:right"'


class Picture:
    """An image as a notebook shows it; where there are no images, its alternative text."""

    def __init__(self, svg: str, alt: str, table: str = ""):
        self.svg, self.alt, self._table = svg, alt, table

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg.encode("utf-8")).decode("ascii")
        image = (
            f'<img alt="{escape(self.alt)}" width="{_WIDTH}" style="max-width:100%" '
            f'src="data:image/svg+xml;base64,{data}">'
        )
        return f"<div>{image}{self._table}</div>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def line_chart(title: str, series: dict[str, list[float]], *, x: str = "turn") -> Picture:
    """Draw lines over 1, 2, 3, … .

    In: a title; name -> values, all lists of the same length and not empty; what is counted along the bottom. Out: the
    picture.
    """
    return Picture(_svg(title, series, x), _alt(title, series, x), _table(title, series, x))


def _svg(title: str, series: dict[str, list[float]], x: str) -> str:
    import pygal
    from pygal.style import Style

    style = Style(
        background=LIGHT["page"], plot_background=LIGHT["page"], foreground=LIGHT["ink"],
        foreground_strong=LIGHT["ink"], foreground_subtle=LIGHT["muted"], colors=[LIGHT[lane] for lane in _LANES],
        font_family="sans-serif", transition="0s",
        title_font_size=16, stroke_width="3", guide_stroke_color="#d5dae0", major_guide_stroke_color="#aab2bb",
        label_font_size=12, major_label_font_size=12, legend_font_size=14,
    )  # fmt: skip
    count = max(map(len, series.values()))
    every = max(1, -(-count // 10))
    chart = pygal.Line(
        style=style, width=_WIDTH, height=_HEIGHT, title=title, x_title=x, js=(), no_prefix=True, include_x_axis=True,
        legend_at_bottom=True, legend_at_bottom_columns=1, dots_size=2, value_formatter=_number, margin=12,
        margin_bottom=24,  # the last line of the legend reaches into it
        show_minor_x_labels=False, truncate_legend=-1,
    )  # fmt: skip
    chart.x_labels = [str(n) for n in range(1, count + 1)]
    chart.x_labels_major = [str(n) for n in range(1, count + 1) if n % every == 0 or n == 1]
    for (name, values), (dash, sample) in zip(series.items(), _DASHES * len(series), strict=False):
        chart.add(f"{sample}  {name}", values, stroke_style={"width": 3, "dasharray": dash} if dash else {"width": 3})
    return _settled(chart.render(is_unicode=True))


def _settled(svg: str) -> str:
    """Without the comments, which hold the day on which it was drawn, and without the scripts, which an image never
    runs; with the rules for a dark page."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)  # drops comments
    for parent in list(root.iter()):
        for child in parent.findall(f"{{{_SVG}}}script"):
            parent.remove(child)
    ElementTree.SubElement(root, f"{{{_SVG}}}style").text = _dark()
    return ElementTree.tostring(root, encoding="unicode")


def _dark() -> str:
    """What the library's own rules say, once more in the dark colours."""
    ink, page, guide = DARK["ink"], DARK["page"], DARK["user_edge"]
    lanes = "".join(f".color-{n}{{stroke:{DARK[lane]};fill:{DARK[lane]}}}" for n, lane in enumerate(_LANES))
    return (
        "@media (prefers-color-scheme:dark){"
        f".graph > .background,.plot > .background{{fill:{page}}}"
        f".title,.axis text,.axis text.major,.legends .legend text{{fill:{ink}}}"
        f".axis .line,.axis .major.line{{stroke:{ink}}}"
        f".axis .guide.line,.axis .major.guide.line{{stroke:{guide}}}{lanes}}}"
    )


def _alt(title: str, series: dict[str, list[float]], x: str) -> str:
    lines = [
        f"{name}: from {_number(values[0])} at {x} 1 to {_number(values[-1])} at {x} {len(values)}"
        for name, values in series.items()
    ]
    return f"Line chart: {title}. {'; '.join(lines)}."


def _table(title: str, series: dict[str, list[float]], x: str) -> str:
    heads = "".join(f'<th scope="col" {_CELL}>{escape(name)}</th>' for name in (x, *series))
    rows = []
    for n, values in enumerate(zip(*series.values(), strict=True), 1):
        cells = "".join(f"<td {_CELL}>{_number(value)}</td>" for value in values)
        rows.append(f'<tr><th scope="row" {_CELL}>{n}</th>{cells}</tr>')
    return (
        f"<details><summary>The same as a table</summary><table><caption>{escape(title)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}"
