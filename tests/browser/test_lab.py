"""A person in front of JupyterLab, in a real Chromium: runs chapters, clicks, fails a check, mends the loop.

Needs a Chromium (Debian: ``apt install chromium``); else the tests say so and are skipped. ``BROWSER_SHOTS`` names a
folder for the screenshots, ``AXE`` the file axe.min.js of axe-core.
"""

import json

import pytest

pytest.importorskip("playwright", reason="no Playwright; requirements-dev.txt has it")
pytest.importorskip("jupyterlab", reason="no JupyterLab; requirements.txt has it")

from browser.axe import serious_findings  # noqa: E402
from browser.lab import Lab, browser, copy_course, find_chromium, lab_server, write_notebook  # noqa: E402
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=30_000)  # a click goes to the kernel and back, on a machine that may be busy

WRONG = """\
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": plain(reply.content)})
        if reply.stop_reason != "tool_use":
            return "done", messages
        call = reply.content[-1]
        output = functions[call.name](**call.input)
        messages.append({"role": "user", "content": output})
"""
ANSWERED = '[{"type": "tool_result", "tool_use_id": call.id, "content": output}]'
RIGHT = WRONG.replace('"content": output})', f'"content": {ANSWERED}}})')

WIDGETS = [
    "from grader import check, lint, show\nfrom grader.course import *",
    'steps(our_loop, "ch03-bakery")',
    'what_next("ch02-rye-stock")',
    "ToyTerminal()",
    "TokenBill()",
    'line_chart("Input tokens", {"this request": [400, 700, 1000], "all so far": [400, 1100, 2100]})',
    "progress()",
    'def run_agent(client, task, tools, functions):\n    return "done", []\n\nfailed = check("loop", run_agent)',
    "failed",
    "show(failed)",
    'show([{"role": "user", "content": "<script>document.title = 1</script>"}])',
    'check("recall-1", ["c", "b", "a", "b"])',
    'check("no-such-exercise", 1)',
]


# Outputs that are wider than their place and can't be scrolled.
STUCK = """() => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output')]
  .filter(part => part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX !== 'auto')
  .map(part => part.innerText.slice(0, 80))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The course as a learner has it, and a notebook with all that we draw."""
    root = tmp_path_factory.mktemp("lab")
    copy_course(root / "root")
    write_notebook(root / "root" / "notebooks" / "widgets.ipynb", WIDGETS)
    return root


@pytest.fixture(scope="module")
def lab(folder):
    """JupyterLab in Chromium, one for all tests: starting both takes longer than most of them."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium)")
    with lab_server(folder) as address, browser(chromium) as started:
        yield Lab(started.new_page(viewport={"width": 1280, "height": 1000}), address)


@pytest.fixture(autouse=True)
def pictured(lab, shots, request):
    """A screenshot of each test's end, passed or failed."""
    yield
    lab.page.screenshot(path=shots / f"{request.node.name}.png")


def picture(cell, shots, name):
    cell.screenshot(path=shots / f"{name}.png")


def test_the_terminal_of_chapter_1_takes_commands(lab, shots):
    lab.open("notebooks/01_you_are_the_loop.ipynb")
    lab.run_all()
    terminal = lab.page.locator(".jp-CodeCell").filter(has=lab.page.get_by_role("textbox", name="$"))
    terminal.get_by_role("textbox", name="$").fill("ls")
    terminal.get_by_role("textbox", name="$").press("Enter")
    expect(terminal.locator("pre", has_text="orders.log")).to_be_visible()
    terminal.get_by_role("textbox", name="$").fill("tail -n 1 orders.log")
    terminal.get_by_role("button", name="Run", exact=True).click()
    expect(terminal.locator("pre", has_text="order 7733 failed")).to_be_visible()
    expect(terminal.get_by_role("textbox", name="$")).to_have_value("")
    picture(terminal, shots, "terminal")


def test_a_loop_is_typed_fails_is_mended_and_passes(lab, folder, shots):
    lab.open("notebooks/03_the_while_loop.ipynb")
    lab.run_all()
    loop, check = lab.cell("def run_agent(client"), lab.cell('check("loop", run_agent)')
    expect(check).to_contain_text("not attempted yet")
    expect(lab.cell("steps(run_agent")).to_contain_text("Not attempted yet")

    lab.type_into(loop, WRONG)
    lab.run(loop)
    lab.run(check)
    expect(check).to_contain_text("P01")
    expect(check).to_contain_text("ids were found without `tool_result` blocks immediately after")
    expect(check.get_by_role("link", name="The solved chapter")).to_have_count(0)
    picture(check, shots, "failed-check")
    lab.run(check)
    lab.run(check)
    expect(check.get_by_role("link", name="The solved chapter")).to_be_visible()

    lab.type_into(loop, RIGHT)
    lab.run(loop)
    lab.run(check)
    expect(check).to_contain_text("Write the while loop: passed")
    expect(check.get_by_role("link", name="The solved chapter")).to_have_count(0)
    kept = json.loads((folder / "root" / "notebooks" / ".progress.json").read_text(encoding="utf-8"))
    assert kept["exercises"]["loop"] == {"passed": True, "points": 10, "checks": 4, "failed": 0}
    walk_through_the_own_loop(lab, shots)


def walk_through_the_own_loop(lab, shots):
    """The stepper shows the function that was just typed, and goes forwards and back."""
    cell = lab.cell("steps(run_agent")
    lab.run(cell)
    status = cell.locator('[role="status"]')
    expect(status).to_contain_text("Step 1 of")
    expect(cell).to_contain_text('messages.append({"role": "assistant", "content": plain(reply.content)})')
    cell.get_by_role("button", name="Next", exact=True).click()
    expect(status).to_contain_text("Step 2 of")
    expect(cell).to_contain_text("messages: 1 message")
    cell.get_by_role("button", name="Next message").click()
    expect(cell).to_contain_text("messages: 2 messages")
    expect(cell).to_contain_text("+ [1] assistant")
    picture(cell, shots, "stepper")
    cell.get_by_role("button", name="Back").click()
    expect(cell).to_contain_text("messages: 1 message")
    cell.locator(".noUi-handle").press("End")
    expect(status).to_contain_text("The loop returned 'done'")
    expect(cell.get_by_role("button", name="Next message")).to_be_disabled()
    cell.get_by_role("button", name="Start").click()
    expect(status).to_contain_text("Step 1 of")


def test_a_prediction_is_typed_key_by_key(lab):
    lab.open("notebooks/03_the_while_loop.ipynb")
    lab.run_all()
    exercise, check = lab.cell("travelled = "), lab.cell('check("messages-sent"')
    exercise.locator(".cm-content").click()
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.type("travelled = 120")
    lab.run(exercise)
    lab.run(check)
    expect(check).to_contain_text("not yet")
    exercise.locator(".cm-content").click()
    lab.page.keyboard.press("ControlOrMeta+End")
    lab.page.keyboard.press("Backspace")
    lab.page.keyboard.type("1")
    lab.run(exercise)
    lab.run(check)
    expect(check).to_contain_text("passed")


def test_the_offered_solution_opens_and_shows_its_outputs_before_it_runs(lab, shots):
    lab.open("notebooks/03_the_while_loop.ipynb")
    lab.run_all()
    loop, check = lab.cell("def run_agent(client"), lab.cell('check("loop", run_agent)')
    lab.type_into(loop, WRONG)
    lab.run(loop)
    for _ in range(3):
        lab.run(check)
    check.get_by_role("link", name="The solved chapter").click()
    lab.wait_for("solutions/03_the_while_loop.ipynb")
    images = lab.notebook.locator('img[alt*="messages"]')
    expect(images.first).to_be_visible()
    assert images.first.evaluate("image => image.complete && image.naturalWidth > 0")
    walk = lab.cell("steps(run_agent")
    expect(walk.get_by_role("table")).to_contain_text("Request 1 answered: stop_reason tool_use")
    expect(walk.get_by_role("button", name="Next message")).to_have_count(0)


def test_cards_check_themselves_and_sliders_count(lab, shots):
    lab.open("notebooks/widgets.ipynb")
    lab.run_all()
    cards = lab.cell("what_next(")
    cards.get_by_role("button", name="a", exact=True).click()
    expect(cards).to_contain_text("Not that.")
    cards.get_by_role("button", name="b", exact=True).click()
    expect(cards).to_contain_text("Right.")
    cards.get_by_role("button", name="Next card").click()
    expect(cards).to_contain_text("card 2 of 4")
    picture(cards, shots, "cards")
    bill = lab.cell("TokenBill()")
    bill.locator(".noUi-handle").nth(2).press("ArrowRight")
    expect(bill).to_contain_text("all 11 requests")
    picture(bill, shots, "token-bill")
    assert lab.page.title() != "1", "a text from a history ran as a script"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_what_we_draw(lab, shots, theme):
    lab.open("notebooks/widgets.ipynb")
    lab.run_all()
    lab.use_theme(dark=theme == "dark")
    found = serious_findings(lab.page, ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea")
    lab.notebook.screenshot(path=shots / f"all-{theme}.png")
    lab.use_theme(dark=False)
    assert found == []


def test_the_drawing_follows_the_theme_of_the_page_whatever_the_system_prefers(lab, shots):
    lab.open("notebooks/widgets.ipynb")
    lab.run_all()
    image = lab.cell("show(failed)").locator("img").first
    seen = {}
    for dark in (False, True):
        for system in ("light", "dark"):
            lab.use_theme(dark)
            lab.page.emulate_media(color_scheme=system)
            name = f"theme-{'dark' if dark else 'light'}-system-{system}.png"
            seen[dark, system] = image.screenshot(path=shots / name, animations="disabled")
    lab.use_theme(dark=False)
    assert seen[False, "light"] == seen[False, "dark"] != seen[True, "light"] == seen[True, "dark"]


@pytest.mark.parametrize("width", [400, 1600])
def test_what_is_wider_than_the_window_scrolls_by_itself(lab, shots, width):
    lab.open("notebooks/widgets.ipynb")
    lab.run_all()
    before = lab.page.viewport_size
    lab.page.set_viewport_size({"width": width, "height": 1000})
    lab.page.wait_for_function("width => window.innerWidth === width", arg=width)
    lab.notebook.screenshot(path=shots / f"lab-{width}.png")
    assert lab.page.evaluate("() => document.documentElement.scrollWidth") == width
    stuck = lab.page.evaluate(STUCK)
    lab.page.set_viewport_size(before)
    assert stuck == []
