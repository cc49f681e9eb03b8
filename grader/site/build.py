"""Builds the site from its parts: JupyterLite, Pyodide, wheels, notebooks.

What is built asks no other server for anything.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.site import contents, lite, lock, pyodide, wheels
from grader.site.errors import CannotBuild

_MARK = "agent-loop-by-hand.site"  # in each site that was built here


@dataclass(frozen=True)
class Built:
    """What was built: the number of notebooks and packages, and the size of all files."""

    notebooks: int
    packages: int
    size: int


def build_site(out: Path, pyodide_package: Path | None = None) -> Built:
    """Build the course as a static site in the folder ``out``; a site that was built there before is replaced.

    ``pyodide_package``: npm's package of Pyodide, where there is no npm to fetch it. Raises CannotBuild, and then
    ``out`` is as it was.
    """
    lite.require_tools()
    out = out.absolute()
    _refuse_foreign(out)
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        work = Path(folder)
        site = work / "site"
        built = _build(work, site, pyodide_package)
        if out.exists():
            shutil.rmtree(out)
        shutil.copytree(site, out)
    return built


def _build(work: Path, site: Path, package: Path | None) -> Built:
    core = work / "pyodide"
    pyodide.unpack_core(package or pyodide.fetch(work), core)
    notebooks = contents.copy_notebooks(work / "contents")
    wheels.download(core)
    wheels.pure_wheel("MarkupSafe", core)
    wheels.own_wheel(core)
    lite.build_lab(work, work / "contents", site)
    for wheel in _kernel_wheels(site):
        shutil.copy(wheel, core)
    shutil.copytree(core, site / "static" / "pyodide")
    packages = lock.write_lock(site / "static" / "pyodide", core.glob("*.whl"))
    lite.preload(site, packages)
    contents.write_welcome(site)
    (site / _MARK).write_text("Built by `grader site`, which may replace this folder.\n", encoding="utf-8")
    return Built(notebooks, len(packages), sum(path.stat().st_size for path in site.rglob("*") if path.is_file()))


def _kernel_wheels(site: Path) -> list[Path]:
    """The wheels that come with the kernel: one for each package, the newest."""
    newest = {}
    for path in sorted((site / lite.KERNEL_WHEELS).glob("*.whl")):
        newest[path.name.split("-")[0]] = path
    return list(newest.values())


def _refuse_foreign(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise CannotBuild(f"{out} is a file.")
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise CannotBuild(f"{out} is not empty, and no site that was built here. Name another folder.")
