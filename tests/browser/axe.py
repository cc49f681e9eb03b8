"""axe-core, which looks for what keeps people from reading or using a page. ``AXE`` names its file axe.min.js."""

import os
from pathlib import Path

import pytest
from browser.lab import ROOT

FILE = Path(os.environ.get("AXE") or ROOT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js")


def serious_findings(page, within: str = "html") -> list[str]:
    """What axe calls serious or critical in a part of the page. Skips the test where axe-core isn't there."""
    if not FILE.is_file():
        pytest.skip("no axe-core (npm install --prefix .cache/axe axe-core, or set AXE)")
    page.evaluate("source => { window.axe || window.eval(source); }", FILE.read_text(encoding="utf-8"))
    found = page.evaluate("async within => await window.axe.run(within)", within)
    assert len(found["passes"]) > 10, "axe saw next to nothing"
    return [told for told in map(_serious, found["violations"]) if told]


def _serious(violation) -> str | None:
    nodes = [node["html"] for node in violation["nodes"] if not _is_a_slider_s(violation["id"], node["html"])]
    return f"{violation['id']}: {nodes[:3]}" if nodes and violation["impact"] in ("serious", "critical") else None


def _is_a_slider_s(rule: str, html: str) -> bool:
    """The handle of a slider is drawn by ipywidgets, which gives no way to name it; its label stands beside it, and
    the stepper's buttons do the same."""
    return rule == "aria-input-field-name" and html.startswith('<div class="noUi-handle')
