"""The first page of the site: readable in light and dark, on a telephone and on a wide screen."""

import pytest

pytest.importorskip("playwright", reason="no Playwright; requirements-dev.txt has it")

from browser.axe import serious_findings  # noqa: E402
from browser.lab import browser, find_chromium  # noqa: E402

from grader.course.chapters import load_course  # noqa: E402
from grader.site.contents import write_welcome  # noqa: E402


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium is installed (on Debian: apt install chromium)")
    folder = tmp_path_factory.mktemp("welcome")
    write_welcome(folder)
    with browser(chromium) as started:
        page = started.new_page()
        page.goto((folder / "index.html").as_uri())
        yield page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1600])
def test_the_first_page_can_be_read(page, shots, width, theme):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.screenshot(path=shots / f"welcome-{width}-{theme}.png", full_page=True)
    dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    assert dark == (theme == "dark")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.get_by_role("main").get_by_role("link").count() == len(load_course().chapter)
    assert serious_findings(page) == []
