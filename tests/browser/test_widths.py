"""What we draw, on a page as narrow as a telephone and on a wide one: nothing sticks out, nothing is cut off or written
over, and the letters keep a size that can be read.

The drawing is an image, and nothing looks into an image: so its SVG is also opened as a page, as wide as the image is.
"""

import base64
import re

import pytest

pytest.importorskip("playwright", reason="no Playwright; requirements-dev.txt has it")

from browser.lab import browser, find_chromium  # noqa: E402

from grader import check, show  # noqa: E402
from grader.course import TokenBill, line_chart, our_loop, progress, steps, what_next  # noqa: E402
from grader.course.live import scenario  # noqa: E402

WIDTHS = (400, 1600)
LEAST_PX = 12  # of a letter
PAGE = """<!doctype html><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<body style="margin:8px;font:14px/1.4 sans-serif">"""
STICKS_OUT = "() => document.documentElement.scrollWidth - window.innerWidth"
TEXTS = """() => [...document.querySelectorAll('text')].map(text => {
  const box = text.getBoundingClientRect();
  const sizes = [text, ...text.querySelectorAll('tspan')].map(part => parseFloat(getComputedStyle(part).fontSize));
  return {words: text.textContent, size: Math.min(...sizes), left: box.left, right: box.right, top: box.top,
          bottom: box.bottom};
}).filter(text => text.right > text.left)"""


def split(client, task, tools, functions):
    """Answers each call in a message of its own, and the second one never."""
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model="m", max_tokens=1024, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        output = functions[calls[0].name](**calls[0].input)
        result = {"type": "tool_result", "tool_use_id": calls[0].id, "content": output}
        messages.append({"role": "user", "content": [result, {"type": "text", "text": "One is enough. " * 20}]})


def odd_names():
    """Long names and texts, and a call that is answered too late."""
    call = {
        "type": "tool_use",
        "id": "toolu_01MwQ46yLPSsP1YKYrWG",
        "name": "read_the_whole_ledger_of_" + "m" * 40,
        "input": {},
    }
    answer = {"type": "tool_result", "tool_use_id": call["id"], "content": "MW" * 200, "is_error": True}
    return [
        {"role": "user", "content": "Move the hay. " * 30},
        {"role": "assistant", "content": [{"type": "text", "text": "x" * 300}, call]},
        {"role": "user", "content": "Later."},
        {"role": "user", "content": [answer]},
    ]


DRAWN = {
    "failed": lambda: show(check("parallel", split, seed=7)),
    "passed": lambda: scenario("ch05-three-huts").play(our_loop),
    "odd": lambda: show(odd_names()),
}
TABLES = {
    "stepper": lambda: steps(our_loop, "ch03-bakery"),
    "bill": TokenBill,
    "cards": lambda: what_next("ch02-rye-stock"),
    "progress": progress,
    "chart": lambda: line_chart("Input tokens", {"this request": [400, 700], "all requests so far": [400, 1100]}),
}


@pytest.fixture(scope="module")
def chromium():
    found = find_chromium()
    if found is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium)")
    with browser(found) as started:
        yield started


@pytest.mark.parametrize("name", [*DRAWN, *TABLES])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out_of_the_page(chromium, shots, name, width):
    page = chromium.new_page(viewport={"width": width, "height": 900})
    html = (DRAWN | TABLES)[name]()._repr_html_()
    page.set_content(PAGE + html.replace("<details>", "<details open>"))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=shots / f"width-{width}-{name}-{scheme}.png", full_page=True)
    assert page.evaluate(STICKS_OUT) <= 0
    page.close()


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_drawing_can_be_read(chromium, name, width):
    html = DRAWN[name]()._repr_html_()
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.set_content(PAGE + html)
    image = page.locator("img").bounding_box()
    svg = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1]).decode("utf-8")
    assert image["height"] == float(re.search(r'height="(\d+)"', svg)[1]), "it is not shown at its own size"
    page.set_viewport_size({"width": int(image["width"]), "height": int(image["height"])})
    page.set_content(f'<!doctype html><body style="margin:0">{svg}')
    found = page.evaluate(TEXTS)
    page.close()
    assert len(found) > 10
    assert [text for text in found if text["size"] < LEAST_PX] == []
    assert [text for text in found if text["left"] < 0 or text["right"] > image["width"]] == []
    assert [pair for pair in pairs(found) if overlap(*pair)] == []


def pairs(found):
    return [(one, other) for i, one in enumerate(found) for other in found[i + 1 :]]


def overlap(one, other):
    """Whether two texts are written over each other; lines that touch are not."""
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return wide > 1 and high > 4
