"""Charts: readable without the image, safe in an untrusted notebook, and the same bytes each time."""

import base64
import re
from xml.etree import ElementTree

from grader.course.plots import line_chart
from grader.course.timeline.palette import DARK, LANES, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
SERIES = {"one <request>": [400, 700, 1000], "all so far": [400, 1100, 2100]}


def chart():
    return line_chart("Tokens & turns", SERIES)


def test_the_same_numbers_give_the_same_bytes():
    assert chart()._repr_html_() == chart()._repr_html_()
    assert "<!--" not in chart().svg and "202" not in re.sub(r"[\d.]+ ?[-,LM ]", "", chart().svg.split("</style>")[0])


def test_it_is_an_image_with_words_for_those_who_do_not_see_it():
    page = chart()._repr_html_()
    assert 'alt="Line chart: Tokens &amp; turns. one &lt;request&gt;: from 400 at turn 1 to 1,000 at turn 3' in page
    assert repr(chart()).endswith("all so far: from 400 at turn 1 to 2,100 at turn 3.")
    assert "<td" in page and "2,100" in page


def test_nothing_that_an_untrusted_notebook_drops_and_nothing_from_elsewhere():
    page, svg = chart()._repr_html_(), chart().svg
    assert not re.search(r"<(svg|script|style)|aria-|role=", page)
    assert "<script" not in svg and "href=" not in svg
    data = re.search(r"base64,([^\"]+)", page)[1]
    assert ElementTree.fromstring(base64.b64decode(data)).tag.endswith("svg")


def test_the_lines_differ_in_more_than_their_colour():
    assert "stroke-dasharray" in chart().svg
    legend = [node.text for node in ElementTree.fromstring(chart().svg).iter(f"{SVG}text")]
    assert {"——  one <request>", "– –  all so far"} <= set(legend)


def test_the_legend_stays_in_the_picture():
    many = {f"series {n}": [1, 2] for n in range(4)}
    svg = ElementTree.fromstring(line_chart("Four", many).svg)
    [legends] = [node for node in svg.iter(f"{SVG}g") if node.get("class") == "legends"]
    top = float(legends.get("transform").split(",")[1].strip(" )"))
    lowest = max(float(node.get("y")) for node in legends.iter(f"{SVG}text"))
    assert top + lowest <= float(svg.get("viewBox").split()[3]) - 10


def test_it_has_light_and_dark_colours():
    style = "".join(node.text for node in ElementTree.fromstring(chart().svg).iter(f"{SVG}style"))
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    assert LIGHT["page"] in light and DARK["page"] in dark
    assert all(DARK[f"lane{n}"] in dark for n in range(LANES))
