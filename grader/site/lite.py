"""JupyterLite: JupyterLab as static files, and its configuration."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from grader.site.errors import CannotBuild

NAME = "Agent Loop by Hand"
_NEEDED = {
    "jupyterlite_core": "jupyterlite-core",
    "jupyterlite_pyodide_kernel": "jupyterlite-pyodide-kernel",
    "jupyter_server": "jupyter-server",
    "jupyterlab_widgets": "jupyterlab-widgets",
}
_KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
_SETTINGS = {
    # All cells stand in the page: the browser's own search finds them.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none", "autoStartDefaultKernel": True},
}
KERNEL_WHEELS = Path("extensions/@jupyterlite/pyodide-kernel-extension/static/pypi")


def require_tools() -> None:
    """Raises CannotBuild if what builds the site is not installed: a learner doesn't need it."""
    missing = [name for module, name in _NEEDED.items() if find_spec(module) is None]
    if missing:
        raise CannotBuild(
            f"Building the site needs {', '.join(missing)}, not installed here. "
            "Install them with: python -m pip install -r requirements-site.txt"
        )


def build_lab(work: Path, contents: Path, out: Path) -> None:
    """Write JupyterLite with the notebooks of ``contents`` to ``out``. Raises CannotBuild."""
    home = work / "lite"
    home.mkdir()
    (home / "jupyter-lite.json").write_text(json.dumps(_config()), encoding="utf-8")
    (home / "overrides.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
    command = [
        sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", ".", "--output-dir", str(out),
        "--contents", str(contents), "--apps", "lab", "--no-sourcemaps", "--no-unused-shared-packages",
        "--no-libarchive",
    ]  # fmt: skip
    # The settings of the person who builds must not end up in the site.
    env = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTERLITE_")}
    env["JUPYTER_CONFIG_DIR"] = env["JUPYTERLAB_SETTINGS_DIR"] = str(home / "none")
    done = subprocess.run(
        command, cwd=home, env=env, capture_output=True, text=True, encoding="utf-8", errors="replace"
    )
    if done.returncode or not (out / "lab" / "index.html").is_file():
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        raise CannotBuild("JupyterLite could not be built:\n" + "\n".join(said))


def _config() -> dict:
    data = {
        "appName": NAME,
        "exposeAppInBrowser": True,
        "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"],
        "litePluginSettings": {
            _KERNEL: {"pyodideUrl": "./static/pyodide/pyodide.mjs", "disablePyPIFallback": True},
        },
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}


def preload(out: Path, packages: list[str]) -> None:
    """Let the kernel load these packages of the lock file at its start, in place of asking for them one by one."""
    path = out / "jupyter-lite.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    settings = config["jupyter-config-data"]["litePluginSettings"][_KERNEL]
    settings["loadPyodideOptions"] = {"packages": packages}
    path.write_text(json.dumps(config, indent=1), encoding="utf-8", newline="\n")
