"""Pyodide's lock file for our own set of wheels. With it, Pyodide asks no other server for packages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path


def canonical(name: str) -> str:
    """A package's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def lock(info: dict, wheels: Iterable[Path]) -> dict:
    """The lock file's content. ``info``: that of the lock file that came with this Pyodide.

    No package names its dependencies: the kernel loads all of them at its start.
    """
    return {"info": info, "packages": {entry["name"]: entry for entry in map(_entry, sorted(wheels))}}


def write_lock(folder: Path, wheels: Iterable[Path]) -> list[str]:
    """Put our lock file in the place of Pyodide's own, in its folder. Out: the packages in it."""
    path = folder / "pyodide-lock.json"
    info = json.loads(path.read_text(encoding="utf-8"))["info"]
    made = lock(info, wheels)
    path.write_text(json.dumps(made, indent=1), encoding="utf-8", newline="\n")
    return list(made["packages"])


def _entry(wheel: Path) -> dict:
    name, version = wheel.name.split("-")[:2]
    return {
        "name": canonical(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": [],
        "depends": [],
        "unvendored_tests": False,
    }
