"""Pyodide itself: CPython for the browser. Its core comes from npm, pinned and checked."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

from grader.site.errors import CannotBuild

VERSION = "314.0.7"  # CPython 3.14.2; the wheels in browser-packages.txt are built for it
_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
_CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def fetch(folder: Path) -> Path:
    """Download Pyodide's npm package into ``folder``, with npm as it is set up on this machine. Raises CannotBuild."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBuild(
            f"Pyodide comes from npm, which is not here. Install Node.js, or give --pyodide pyodide-{VERSION}.tgz."
        )
    command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    path = folder / f"pyodide-{VERSION}.tgz"
    if done.returncode or not path.is_file():
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise CannotBuild(f"npm could not fetch pyodide {VERSION}: {said[-1] if said else 'it gave no reason'}")
    return path


def unpack_core(package: Path, folder: Path) -> None:
    """Put the files that a browser loads into ``folder``. Raises CannotBuild for another package than the pinned."""
    try:
        content = package.read_bytes()
    except OSError as error:
        raise CannotBuild(f"{package} can't be read: {error.strerror}") from None
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != _SHA512:
        raise CannotBuild(f"{package.name} is not npm's package of pyodide {VERSION}: its checksum differs.")
    folder.mkdir(parents=True)
    with tarfile.open(package) as archive:
        for name in _CORE:
            (folder / name).write_bytes(archive.extractfile(f"package/{name}").read())
