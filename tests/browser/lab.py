"""A JupyterLab of our own with a real Chromium in front of it, for tests and for the pictures in docs/.

Everything that Jupyter writes is in a folder that is handed in: notebooks are copies, settings are ours.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "course"
START_S = 90
CELL_MS = 60_000
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]  # fmt: skip
_SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none", "autoStartDefaultKernel": True},  # no cell is left out
    "docmanager-extension/plugin": {"autosave": False},
}
_CONNECTED = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const session = panel && panel.sessionContext;
  const kernel = session && session.session && session.session.kernel;
  const connected = kernel && kernel.connectionStatus === 'connected';
  return !!(session && session.isReady && connected && kernel.status === 'idle');
}"""

_IN_FRONT = """path => {
  const panel = window.jupyterapp.shell.currentWidget;
  return !!(panel && panel.context && panel.context.path === path && panel.context.isReady);
}"""
_ALL_RAN = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.widgets;
  return cells.every(cell => cell.model.type !== 'code' || !cell.model.sharedModel.getSource().trim()
    || cell.model.executionCount);
}"""
_RAN = re.compile(r"^\[\d+\]:$")


def find_chromium() -> str | None:
    """The path of a Chromium that is installed, or None. ``CHROMIUM`` names another one."""
    told = os.environ.get("CHROMIUM")
    return told or next((path for path in map(shutil.which, ("chromium", "chromium-browser")) if path), None)


def copy_course(folder: Path) -> None:
    """The notebooks of the course, as a learner has them."""
    for name in ("notebooks", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))


def write_notebook(path: Path, sources: list[str]) -> None:
    """A notebook with these code cells."""
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{n}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for n, source in enumerate(sources)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path.write_text(
        json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8"
    )


@contextmanager
def lab_server(folder: Path):
    """A JupyterLab whose root is ``folder / "root"``. Gives its address; ends the server and its kernels."""
    home = folder / "jupyter"
    for name, values in _SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    env = _environment(home)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--port=0", "--allow-root", "--ip=127.0.0.1",
        f"--ServerApp.root_dir={folder / 'root'}", f"--IdentityProvider.token={TOKEN}",
        "--LabApp.expose_app_in_browser=True", "--LabApp.collaborative=False",
        "--LabApp.extension_manager=readonly", "--LabApp.news_url=",
    ]  # fmt: skip
    log = folder / "lab.log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=folder / "root")
    try:
        yield _address(server, home / "runtime", log)
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _environment(home: Path) -> dict[str, str]:
    own = {
        "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "IPYTHONDIR": "ipython",
    }  # fmt: skip
    kept = {key: value for key, value in os.environ.items() if key != "COURSE_PROGRESS"}
    return {**kept, **{name: str(home / part) for name, part in own.items()}}


def _address(server, runtime: Path, log: Path) -> str:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        for path in runtime.glob("jpserver-*.json"):
            try:
                return json.loads(path.read_text(encoding="utf-8"))["url"]
            except ValueError:  # half written
                pass
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


@contextmanager
def browser(chromium: str):
    """A headless Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        try:
            yield started
        finally:
            started.close()


class Lab:
    """One page with JupyterLab in it, and what a person does there."""

    def __init__(self, page, address: str):
        self.page, self.address = page, address
        page.set_default_timeout(CELL_MS)
        page.goto(f"{address}lab?token={TOKEN}")
        page.wait_for_function("() => window.jupyterapp && window.jupyterapp.restored")
        page.evaluate("() => window.jupyterapp.restored")
        page.evaluate("() => { window.jupyterapp.shell.collapseLeft(); }")

    def use_theme(self, dark: bool) -> None:
        """Switch JupyterLab's theme, and what the page says of the reader's preference."""
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        name = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name)
        light = "false" if dark else "true"
        self.page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'")
        self.page.wait_for_function("() => !document.getElementById('jupyterlab-splash')")  # it veils the page

    @property
    def notebook(self):
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:visible")

    def open(self, path: str) -> None:
        """Open a notebook, or bring it to the front, and wait for its kernel."""
        self.page.evaluate("path => { window.jupyterapp.commands.execute('docmanager:open', {path}); }", path)
        self.wait_for(path)

    def wait_for(self, path: str) -> None:
        """Wait until this notebook is in front and its kernel is connected: a cell that runs before opens a dialog."""
        self.page.wait_for_function(_IN_FRONT, arg=path)
        self.page.wait_for_function(_CONNECTED)

    def run_all(self) -> None:
        """Run all cells, as the menu does, and wait until each has run. Nothing to do where each has."""
        if self.page.evaluate(_ALL_RAN):
            return
        self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
        self.page.wait_for_function(_ALL_RAN)

    def cell(self, text: str):
        """The code cell whose source holds this text."""
        return self.notebook.locator(".jp-CodeCell").filter(
            has=self.page.locator(".jp-InputArea-editor", has_text=text)
        )

    def type_into(self, cell, text: str) -> None:
        """Replace a cell's source as a paste does: the editor indents typed lines and closes brackets by itself."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def run(self, cell) -> None:
        """Click into a cell and run it with Control+Enter; wait until it has run."""
        from playwright.sync_api import expect

        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(_RAN, timeout=CELL_MS)
