"""The wheels that the site serves: those of the packages that the course needs, and the course's own."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from grader import places
from grader.site.errors import CannotBuild

PACKAGES = Path(__file__).with_name("browser-packages.txt")
_BROWSER = [
    "--only-binary=:all:", "--python-version=3.14", "--implementation=cp", "--abi=cp314", "--abi=none",
    "--platform=pyemscripten_2026_0_wasm32", "--platform=any",
]  # fmt: skip
_FIXED_TIME = (2026, 1, 1, 0, 0, 0)  # so that the same files give the same wheel
_NOT_THERE = {"classroom", "site", "commands"}  # rooms that a browser has no use for
_KERNEL_SIDE = "site/kernel"  # the part of this room that runs in the browser


def download(folder: Path, packages: Path = PACKAGES) -> None:
    """Fetch the pinned wheels with pip, as it is set up on this machine. Raises CannotBuild."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, *_BROWSER, "--dest", str(folder), "--requirement", str(packages)], capture_output=True, text=True
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise CannotBuild("pip could not fetch the packages for the browser: " + " ".join(said[-2:]))


def pure_wheel(name: str, folder: Path) -> Path:
    """A wheel of an installed package without its compiled parts, for one that works without them too.

    Raises CannotBuild if the package is not installed here.
    """
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise CannotBuild(
            f"{name} is not installed beside the grader, and the site needs it: pip install {name}"
        ) from None
    package = found.metadata["Name"].lower().replace("-", "_")
    files = {
        path.as_posix(): Path(found.locate_file(path)).read_bytes()
        for path in found.files or []
        if path.suffix in (".py", ".typed") and path.parts[0] == package
    }
    return _write_wheel(folder, package, found.version, files)


def own_wheel(folder: Path) -> Path:
    """A wheel of the grader with the course's data in it, as far as a browser needs them."""
    package = Path(__file__).resolve().parents[1]
    files = {f"grader/{name}": path.read_bytes() for name, path in _modules(package)}
    for data in (places.FIXTURES, places.CHAPTERS):
        for path in sorted(data.rglob("*")):
            if path.suffix in (".json", ".toml"):  # no chapters: they hold the solutions
                name = path.relative_to(data).as_posix()
                files[f"grader/_data/{data.name}/{name}"] = path.read_bytes()
    return _write_wheel(folder, "agent_loop_by_hand", metadata.version("agent-loop-by-hand"), files)


def _modules(package: Path) -> Iterable[tuple[str, Path]]:
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package)
        if (
            name.parts[0] not in _NOT_THERE
            or name.as_posix().startswith(_KERNEL_SIDE)
            or name.as_posix() == "site/__init__.py"
        ):
            yield name.as_posix(), path


def _write_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    info = f"{name}-{version}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for place, content in files.items():
            wheel.writestr(zipfile.ZipInfo(place, _FIXED_TIME), content, zipfile.ZIP_DEFLATED)
    return path


def _record(files: dict[str, bytes], own: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for place, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([place, f"sha256={digest}", len(content)])
    rows.writerow([own, "", ""])
    return text.getvalue().encode()
