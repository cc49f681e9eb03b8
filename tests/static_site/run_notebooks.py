"""Run notebooks of a built site in a browser, and list what failed.

    PYTHONPATH=tests python -m static_site.run_notebooks SITE [solutions/03_the_while_loop.ipynb ...]

Default: all solved notebooks. Exit codes: 0 all ran and all checks passed that pass elsewhere, 1 something did not.
"""

import json
import sys
import time
from pathlib import Path

from browser.lab import ROOT, find_chromium
from static_site.served import SiteLab, chromium_behind, proxy, served

_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.filter(c => c.model.type === 'code')
    .map(c => ({id: c.model.id, ran: c.model.executionCount, outputs: c.model.outputs.toJSON()}))"""


def words(outputs: list) -> str:
    """The plain text of a cell's outputs."""
    parts = [
        one.get("text") or one.get("data", {}).get("text/plain") or "\n".join(one.get("traceback", []))
        for one in outputs
    ]
    return "".join("".join(part) for part in parts if part)


def faults(path: str, cells: list[dict]) -> list[str]:
    """What went otherwise than in the stored notebook: cells that did not run, errors, checks with another verdict."""
    stored = json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]
    found = []
    for cell, was in zip(cells, [one for one in stored if one["cell_type"] == "code"], strict=True):
        source, now = "".join(was["source"]), words(cell["outputs"])
        if not cell["ran"]:
            found.append(f"did not run: {source[:80]!r}")
        elif any(one["output_type"] == "error" for one in cell["outputs"]):
            found.append(f"failed: {source[:80]!r}: {now[-300:]}")
        elif source.startswith("check(") and now.strip()[:1] != words(was["outputs"]).strip()[:1]:
            found.append(f"another verdict: {source!r}: {now[:600]}")
    return found


def main(site: str, *paths: str) -> int:
    """Run each; print a line for each, and the faults."""
    bad = 0
    paths = paths or sorted(f"solutions/{one.name}" for one in (ROOT / "solutions").glob("*.ipynb"))
    with (
        served(Path(site)) as address,
        proxy() as (through, asked),
        chromium_behind(through, find_chromium()) as browser,
    ):
        for path in paths:
            lab = SiteLab(browser.new_page(), address)  # a context of its own: nothing is restored
            start = time.monotonic()
            lab.visit(path)
            kernel = time.monotonic() - start
            lab.page.evaluate("() => window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
            lab.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
            lab.page.wait_for_function(_DONE)
            found = faults(path, lab.page.evaluate(_CELLS))
            bad += len(found)
            print(
                f"{path}: kernel {kernel:.0f} s, all {time.monotonic() - start:.0f} s, {len(found)} faults", flush=True
            )
            for one in found:
                print("   ", one)
            lab.page.close()
        print(f"requests to elsewhere: {asked or 'none'}")
    return 1 if bad or asked else 0


_DONE = """() => {
    const panel = window.jupyterapp.shell.currentWidget;
    const cells = panel.content.widgets.filter(c => c.model.type === 'code' && c.model.sharedModel.getSource().trim());
    const states = cells.map(c => c.model.executionState);
    return states.every(state => state === 'idle') && cells[0].model.executionCount
        && panel.sessionContext.session.kernel.status === 'idle';
}"""

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
