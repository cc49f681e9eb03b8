"""The course with nothing installed: built as a static site, served from this machine, used in a real Chromium."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="no Playwright; requirements-dev.txt has it")
pytest.importorskip("jupyterlite_core", reason="no JupyterLite; requirements-site.txt has it")
pytest.importorskip("jupyterlite_pyodide_kernel", reason="no Pyodide kernel; requirements-site.txt has it")

from browser.lab import find_chromium  # noqa: E402
from playwright.sync_api import expect  # noqa: E402
from static_site.served import SiteLab, chromium_behind, proxy, served  # noqa: E402

TESTS = Path(__file__).parents[1]
# A thread a call, a pool, and coroutines. (multiprocessing, also its thread pool, is not there in a browser.)
SOME_STYLES = ("thread_per_call", "thread_pool", "job_queue", "async_gather", "asyncio_inside")
WRONG = """\
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": plain(reply.content)})
        if reply.stop_reason != "tool_use":
            return "done", messages
"""
RIGHT = (
    WRONG
    + """\
        call = reply.content[-1]
        output = functions[call.name](**call.input)
        result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
        messages.append({"role": "user", "content": [result]})
"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as the README says."""
    if shutil.which("npm") is None:
        pytest.skip("no npm here: Pyodide comes from there")
    out = tmp_path_factory.mktemp("site") / "out"
    done = subprocess.run([sys.executable, "-m", "grader", "site", str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def outside():
    """The proxy that stands for the rest of the world."""
    with proxy() as (address, asked):
        yield address, asked


@pytest.fixture(scope="module")
def lab(site, outside):
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium)")
    with served(site) as address, chromium_behind(outside[0], chromium) as started:
        yield SiteLab(started.new_page(viewport={"width": 1280, "height": 1000}), address)


def test_a_chapter_runs_and_its_loop_fails_and_passes(lab, outside, shots):
    requested = []
    lab.page.context.on("request", lambda request: requested.append(request.url))
    lab.choose("The while loop")
    lab.run_all()
    loop, check = lab.cell("def run_agent(client"), lab.cell('check("loop", run_agent)')
    expect(check).to_contain_text("not attempted yet")
    # A cell that fails on purpose shows its error, and the cells behind it ran.
    expect(lab.cell("ask(client, [newest]").locator(".jp-OutputArea")).to_contain_text("unexpected `tool_use_id` found")

    lab.type_into(loop, WRONG)
    lab.run(loop)
    lab.run(check)
    expect(check).to_contain_text("P01")
    lab.type_into(loop, RIGHT)
    lab.run(loop)
    lab.run(check)
    expect(check).to_contain_text("Write the while loop: passed")

    lab.page.screenshot(path=shots / "no-install.png")
    assert [url for url in requested if not url.startswith((lab.address, "blob:", "data:"))] == []
    assert any(url.endswith("pyodide.asm.wasm") for url in requested)  # what workers ask for is among them
    assert outside[1] == []


def test_the_proxy_would_have_seen_a_request(lab, outside):
    """Without this, the assertion above could hold because nothing ever reaches the list."""
    lab.page.evaluate("() => fetch('http://elsewhere.invalid/x', {mode: 'no-cors'}).catch(() => null)")
    assert any("elsewhere.invalid" in asked for asked in outside[1])
    outside[1].clear()


def test_threads_and_coroutines_get_their_points_in_that_python(site):
    """In Node: the same Python and wheels. Right loops pass; one that waits for a hung tool fails."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js here")
    here = TESTS / "static_site"
    command = [node, str(here / "pyodide.mjs"), str(site / "static" / "pyodide"), str(TESTS)]
    code = f"names = {SOME_STYLES!r}\n" + (here / "grade_styles.py").read_text(encoding="utf-8")
    done = subprocess.run(command, input=code, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    told = json.loads(done.stdout.splitlines()[-1])
    assert told.pop("waits for a hung tool") == ["G05"]
    assert told == {name: [] for name in (*SOME_STYLES, "the reference")}
