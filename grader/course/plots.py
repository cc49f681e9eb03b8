"""Line charts for a notebook: an image with an alternative text, and the same numbers as a table below it.

The image is an SVG inside an ``<img>``, since a notebook that is opened before it runs drops inline SVG. It is made
by a pure-Python library, so it can also be drawn in a browser, and it is the same bytes each time.
"""

import base64
from html import escape
from xml.etree import ElementTree

_WIDTH, _HEIGHT = 720, 340
_COLOURS = ("#0b5cad", "#8a4a00", "#0a6a5c", "#7a3aa5")
_DASHES = ("", "9,5", "2,5", "12,4,2,4")  # a colour never says anything alone
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
        background="#ffffff", plot_background="#ffffff", foreground="#1b1f24", foreground_strong="#1b1f24",
        foreground_subtle="#515a65", colors=_COLOURS, font_family="sans-serif", transition="0s",
        title_font_size=16, stroke_width="3", guide_stroke_color="#d5dae0", major_guide_stroke_color="#aab2bb",
        label_font_size=12, major_label_font_size=12, legend_font_size=14,
    )  # fmt: skip
    count = max(map(len, series.values()))
    every = max(1, -(-count // 10))
    chart = pygal.Line(
        style=style, width=_WIDTH, height=_HEIGHT, title=title, x_title=x, js=(), no_prefix=True, include_x_axis=True,
        legend_at_bottom=True, legend_at_bottom_columns=1, dots_size=2, value_formatter=_number, margin=12,
        show_minor_x_labels=False, truncate_legend=-1,
    )  # fmt: skip
    chart.x_labels = [str(n) for n in range(1, count + 1)]
    chart.x_labels_major = [str(n) for n in range(1, count + 1) if n % every == 0 or n == 1]
    for (name, values), dash in zip(series.items(), _DASHES * len(series), strict=False):
        chart.add(name, values, stroke_style={"width": 3, "dasharray": dash} if dash else {"width": 3})
    return _settled(chart.render(is_unicode=True))


def _settled(svg: str) -> str:
    """Without the comments, which hold the day on which it was drawn, and without the scripts, which an image never
    runs."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)  # drops comments
    for parent in list(root.iter()):
        for child in parent.findall(f"{{{_SVG}}}script"):
            parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


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
