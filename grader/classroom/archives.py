"""Zip files of strangers: read in memory, never unpacked to disk, with every size and number bounded.

A name inside is only a name: it is never used as a path of this machine. So ``..``, absolute paths, links and names
with newlines
reach nothing; they are left out all the same, and said.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MOST_ENTRIES = 50_000


class BadArchive(Exception):
    """The file is no zip that can be read. The text is one sentence."""


@dataclass(frozen=True)
class Entry:
    """One file in a zip. ``fault``: why it is not taken, or empty. ``when``: its date there, as text that sorts."""

    path: str
    parts: tuple[str, ...]
    size: int
    when: str
    fault: str = ""


def opened(file: IO[bytes] | Path) -> zipfile.ZipFile:
    """A zip file, its list of contents read. Raises BadArchive."""
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise BadArchive(f"it is no zip file that can be read: {error}") from None


def entries(archive: zipfile.ZipFile) -> list[Entry]:
    """The files in a zip, in its order. Raises BadArchive."""
    infos = archive.infolist()
    if len(infos) > MOST_ENTRIES:
        raise BadArchive(f"it holds more than {MOST_ENTRIES} files")
    return [_entry(info) for info in infos if not info.is_dir()]


def read_entry(archive: zipfile.ZipFile, path: str, cap: int) -> bytes:
    """The bytes of one file in a zip, ``cap + 1`` at most, whatever size it claims. Raises BadArchive."""
    try:
        with archive.open(path) as inner:
            return inner.read(cap + 1)
    except (
        KeyError,
        RuntimeError,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise BadArchive(f"a file in it cannot be read: {error}") from None


def _entry(info: zipfile.ZipInfo) -> Entry:
    path = info.filename
    parts = tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))
    year, *rest = info.date_time
    when = "{:04d}-{:02d}-{:02d} {:02d}:{:02d}:{:02d}".format(year, *rest)
    return Entry(path, parts, info.file_size, when, _fault(info, path, parts))


def _fault(info: zipfile.ZipInfo, path: str, parts: tuple[str, ...]) -> str:
    if not parts:
        return "it has no name"
    if path.startswith(("/", "\\")) or path[1:3] in (":\\", ":/"):
        return "its path is absolute"
    if ".." in parts:
        return 'its path leads upwards ("..")'
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "it is a link or no ordinary file"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    return ""
