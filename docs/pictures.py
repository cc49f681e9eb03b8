"""Makes the pictures in docs/pictures/: ``python docs/pictures.py``. Needs what the browser tests need.

A notebook with the outputs is run in JupyterLab, in a real Chromium, in the light and in the dark theme. A picture is
the output of one cell, with the cell above it.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.lab import Lab, browser, copy_course, find_chromium, lab_server, write_notebook  # noqa: E402

OUT = ROOT / "docs" / "pictures"
WIDTH = 1180  # px of the page
MARGIN = 14
SCALE = 1.15  # keeps each below 200 KB

# It answers each call with a plain text in place of a tool_result block.
LOOP = """\
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        call = reply.content[-1]
        output = functions[call.name](**call.input)
        messages.append({"role": "user", "content": output})"""
MENDED = LOOP.replace(
    '        messages.append({"role": "user", "content": output})',
    '        result = {"type": "tool_result", "tool_use_id": call.id, "content": output}\n'
    '        messages.append({"role": "user", "content": [result]})',
)
CELLS = {
    "setup": """\
import json
from grader import MODEL, check, show
from grader.course import TokenBill, ToyTerminal, steps, what_next
from grader.places import FIXTURES

def ask(client, messages, tools):
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)

night = json.loads((FIXTURES / "terminals" / "kettle-lane.json").read_text(encoding="utf-8"))
terminal = ToyTerminal(night["files"])""",
    "terminal": "terminal",
    "broken": LOOP,
    "failed-check": 'result = check("loop", run_agent, seed=7)\ndisplay(result, show(result))',
    "mended": MENDED,
    "stepper": 'steps(run_agent, "ch03-bakery")',
    "cards": 'what_next("ch02-rye-stock")',
    "token-bill": "TokenBill(turns=20, cache_share=60)",
}
PICTURES = ("terminal", "failed-check", "stepper", "cards", "token-bill")
# Nothing of JupyterLab in the pictures but the page's colour.
STYLE = """
.jp-Cell-inputWrapper, .jp-OutputPrompt, .jp-cell-toolbar { visibility: hidden }
.jp-Cell-outputWrapper { padding: 24px 0 }
"""
# From where to where something is seen, which is less than the boxes around it.
SEEN = """root => {
  const parts = [...root.querySelectorAll('img, button, input, td, .noUi-base')];
  const places = parts.map(part => part.getBoundingClientRect());
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement.closest('.jp-OutputPrompt')) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    places.push(range.getBoundingClientRect());
  }
  const seen = places.filter(place => place.width > 0);
  return {left: Math.min(...seen.map(place => place.left)), right: Math.max(...seen.map(place => place.right))};
}"""


def main() -> int:
    """Write the pictures. Returns the exit code."""
    chromium = find_chromium()
    if chromium is None:
        print("No Chromium is installed (on Debian: apt install chromium).", file=sys.stderr)
        return 1
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copy_course(root / "root")
        write_notebook(root / "root" / "notebooks" / "pictures.ipynb", list(CELLS.values()))
        with lab_server(root) as address, browser(chromium) as started:
            page = started.new_page(viewport={"width": WIDTH, "height": 2400}, device_scale_factor=SCALE)
            lab = Lab(page, address)
            lab.open("notebooks/pictures.ipynb")
            lab.run_all()
            play_a_little(lab)
            for dark in (False, True):
                lab.use_theme(dark)
                take(lab, "dark" if dark else "light")
    return 0


def play_a_little(lab: Lab) -> None:
    """Bring the widgets into a state that says something."""
    prompt = lab.page.get_by_role("textbox", name="$")
    for command in ("ls", "tail -n 3 orders.log", "cat certs/payment.txt"):
        prompt.fill(command)
        prompt.press("Enter")
        lab.page.locator("pre", has_text=command).wait_for()
    stepper = cell(lab, "stepper")
    for size in (1, 2, 3):
        stepper.get_by_role("button", name="Next message").click()
        stepper.get_by_text(f"messages: {size} message").wait_for()
    cards = cell(lab, "cards")
    cards.get_by_role("button", name="b", exact=True).click()
    cards.get_by_text("Right.").wait_for()


def cell(lab: Lab, name: str):
    """A cell of the notebook, by its place in it."""
    return lab.notebook.locator(".jp-CodeCell").nth(list(CELLS).index(name))


def take(lab: Lab, theme: str) -> None:
    """One picture of each output that has one."""
    lab.page.evaluate("() => { document.activeElement.blur(); }")
    lab.page.add_style_tag(content=STYLE)
    for name in PICTURES:
        output = cell(lab, name).locator(".jp-OutputArea")
        output.evaluate("part => part.scrollIntoView({block: 'center'})")
        box, seen = output.bounding_box(), output.evaluate(SEEN)
        clip = {
            "x": seen["left"] - MARGIN,
            "y": box["y"] - MARGIN,
            "width": seen["right"] - seen["left"] + 2 * MARGIN,
            "height": box["height"] + 2 * MARGIN,
        }
        lab.page.screenshot(path=OUT / f"{name}-{theme}.png", clip=clip)


if __name__ == "__main__":
    sys.exit(main())
