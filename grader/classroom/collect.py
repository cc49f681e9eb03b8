"""Finds what was handed in below a folder (or in a zip): a list of files with their owners. Nothing is unpacked, no
link is followed.
"""

from __future__ import annotations

import io
import os
import re
import stat
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from grader.classroom import archives
from grader.classroom.learners import Owner, lms_of, owner_of

SUFFIXES = (".ipynb", ".py")
MOST_FILES = 200_000
_MOST_DEPTH = 8
_MOST_ZIP = 64 << 20  # bytes of a zip inside a zip, or inside a learner's folder
_NBGRADER = "submitted"  # the folder in which nbgrader collects
_MOST_NAMED = 3
_OTHER_KIND = "it is neither a .py file nor an .ipynb notebook"
_NOT_HANDED_IN = {"__MACOSX", "__pycache__", "node_modules", "__init__.py", "setup.py", "conftest.py"}


@dataclass(frozen=True)
class Handed:
    """One file that was handed in. ``zip_path``: the names inside zip files on the way to it; empty for a file on disk.

    ``when``: when it was last written, as far as the file system or the zip says. ``shown``: its place below the
    folder, for people.
    """

    owner: Owner
    path: Path
    zip_path: tuple[str, ...] = ()
    when: str = ""
    shown: str = ""

    @property
    def file(self) -> str:
        return self.owner.file

    @property
    def order(self) -> tuple:
        """Sorts the files of one learner: by the school's own count, then by date, then by name (2 before 10)."""
        stem = self.shown.rsplit(".", 1)[0]
        number = [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", stem)]
        return (self.owner.turn, self.when, number)

    def read(self, cap: int) -> bytes:
        """The file's bytes, ``cap + 1`` at most. Raises archives.BadArchive and OSError."""
        if not self.zip_path:
            return _read_ordinary(self.path, cap)
        archive = _open_zip(self.path)
        for name in self.zip_path[:-1]:
            archive = archives.opened(io.BytesIO(archives.read_entry(archive, name, _MOST_ZIP)))
        return archives.read_entry(archive, self.zip_path[-1], cap)


@lru_cache(maxsize=1)
def _open_zip(path: Path) -> zipfile.ZipFile:
    """The zip that was read last stays open: a class in one zip would else be searched anew for each learner."""
    return archives.opened(path)


@dataclass
class Collection:
    """What was found. ``files``: sorted by learner, the oldest first. ``left_out``: (learner or "", place, why), for
    the teacher.

    ``owners``: one for each learner of whom there is any trace, also where nothing can be graded.
    """

    files: list[Handed] = field(default_factory=list)
    left_out: list[tuple[str, str, str]] = field(default_factory=list)
    owners: dict[str, Owner] = field(default_factory=dict)


@dataclass(frozen=True)
class _Found:
    parts: tuple[str, ...]
    path: Path
    zip_path: tuple[str, ...]
    when: str
    fault: str = ""

    @property
    def shown(self) -> str:
        return "/".join(self.parts)


def collect(folder: Path, one: str = "", without: Path | None = None) -> Collection:
    """Find the files below ``folder``, which may itself be a zip. ``one``: all of them are the work of the learner of
    this name.
    ``without``: a folder that is not looked into, such as that of the results.

    Raises OSError when it cannot be read at all, archives.BadArchive.
    """
    collection = Collection()
    if folder.is_file():
        found = list(_in_download(folder))
    else:
        found = list(_on_disk(folder, without.resolve() if without else None))
    if any(
        place.parts[:1] == (_NBGRADER,) for place in found
    ):  # the root of an nbgrader course: the rest is the teacher's own
        found = [place for place in found if place.parts[0] == _NBGRADER]
    elif folder.name == _NBGRADER:
        found = [replace(place, parts=(_NBGRADER, *place.parts)) for place in found]
    stamps = _timestamps(found)
    for place in found:
        _sort_in(place, stamps, collection, one)
    _name_the_rest(found, collection, one)
    collection.files.sort(key=lambda handed: (handed.owner.learner.casefold(), handed.owner.learner, handed.order))
    return collection


def _sort_in(one: _Found, stamps: dict, collection: Collection, learner: str) -> None:
    if not _is_handed_in(one):
        return
    owner = _owner(one, learner)
    if one.fault:
        collection.left_out.append((owner.learner if owner else "", one.shown, one.fault))
    if owner:
        collection.owners.setdefault(owner.learner, owner)
    if owner and not one.fault and one.parts[-1].lower().endswith(SUFFIXES):
        when = stamps.get(one.parts[:-1], one.when)
        collection.files.append(Handed(owner, one.path, one.zip_path, when, one.shown))


def _is_handed_in(one: _Found) -> bool:
    if one.parts[-1] == "timestamp.txt":
        return False
    return bool(one.fault) or not any(part.startswith(".") or part in _NOT_HANDED_IN for part in one.parts)


def _owner(one: _Found, learner: str) -> Owner | None:
    """Whose file it is. None for a file of another kind that lies beside the learners' files and folders."""
    name = one.parts[-1]
    if learner:
        return Owner(learner, learner, name)
    about_a_learner = len(one.parts) > 1 or name.lower().endswith((*SUFFIXES, ".zip")) or lms_of(name)
    return owner_of(one.parts) if about_a_learner else None


def _name_the_rest(found: list[_Found], collection: Collection, learner: str) -> None:
    """Who handed in files, but none that can be graded, must not look like one who handed in nothing. Files that
    belong to nobody are named, too.
    """
    heard_of = {handed.owner.learner for handed in collection.files} | {one for one, _, _ in collection.left_out}
    others: dict[str, list[str]] = {}
    for one in found:
        if not one.fault and _is_handed_in(one) and not one.parts[-1].lower().endswith(SUFFIXES):
            owner = _owner(one, learner)
            others.setdefault(owner.learner if owner else "", []).append(one.shown)
    for whose, places in others.items():
        if whose in heard_of and whose:
            continue
        more = f" (and {len(places) - _MOST_NAMED} more)" if len(places) > _MOST_NAMED else ""
        collection.left_out += [(whose, place, f"{_OTHER_KIND}{more}") for place in places[:_MOST_NAMED]]


def _timestamps(found: list[_Found]) -> dict[tuple[str, ...], str]:
    """What nbgrader wrote beside the collected files."""
    stamps = {}
    for one in found:
        if one.parts[-1] == "timestamp.txt" and not one.zip_path and not one.fault:
            try:
                stamps[one.parts[:-1]] = _read_ordinary(one.path, 100).decode("utf-8", "replace").strip()
            except OSError:
                continue
    return stamps


def _on_disk(folder: Path, without: Path | None) -> Iterator[_Found]:
    for count, (parts, entry) in enumerate(_walk(_names(folder.resolve()), (), without), start=1):
        if count > MOST_FILES:
            raise OSError(f"there are more than {MOST_FILES} files below {folder}")
        yield from _one_on_disk(parts, entry)


def _names(folder: Path) -> list[os.DirEntry]:
    with os.scandir(folder) as listing:
        return sorted(listing, key=lambda entry: entry.name)


def _walk(
    names: list[os.DirEntry], above: tuple[str, ...], without: Path | None
) -> Iterator[tuple[tuple[str, ...], os.DirEntry]]:
    """All files, and the folders that can't be looked into: one learner's must not stop the class."""
    for entry in names:
        parts = (*above, entry.name)
        if not entry.is_dir(follow_symlinks=False):
            yield parts, entry
            continue
        if entry.name.startswith(".") or Path(entry.path) == without:
            continue
        try:
            inside = _names(Path(entry.path)) if len(parts) < _MOST_DEPTH else None
        except OSError:
            inside = None
        if inside is None:
            yield parts, entry
        else:
            yield from _walk(inside, parts, without)


def _one_on_disk(parts: tuple[str, ...], entry: os.DirEntry) -> Iterator[_Found]:
    path = Path(entry.path)
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        yield _Found(parts, path, (), "", f"it cannot be read: {error.strerror}")
        return
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(status.st_mtime))
    if stat.S_ISLNK(status.st_mode):
        yield _Found(parts, path, (), when, "it is a link; links are not followed")
    elif stat.S_ISDIR(status.st_mode):
        yield _Found(parts, path, (), when, "the folder cannot be read, or lies too deep")
    elif not stat.S_ISREG(status.st_mode):
        yield _Found(parts, path, (), when, "it is no ordinary file")
    elif entry.name.lower().endswith(".zip"):
        yield from _zip_of(parts, path, when)
    else:
        yield _Found(parts, path, (), when)


def _in_download(path: Path) -> Iterator[_Found]:
    """A zip of the whole class. Raises archives.BadArchive, which then says what is wanted."""
    try:
        yield from _in_zip(path, (), ())
    except archives.BadArchive as error:
        raise archives.BadArchive(f"{path} is no folder, and as a zip file it cannot be read: {error}") from None


def _zip_of(parts: tuple[str, ...], path: Path, when: str) -> Iterator[_Found]:
    """A zip on disk: the download of a school's system holds files of many, any other one belongs to the learner of
    its name.
    """
    try:
        inside = list(_in_zip(path, (), ()))
    except archives.BadArchive as error:
        yield _Found(parts, path, (), when, str(error))
        return
    is_download = len(parts) == 1 and any(lms_of(one.parts[0]) for one in inside)
    above = () if is_download else parts[:-1] if len(parts) > 1 else _as_folder(parts[-1])
    for one in inside:
        first = _as_folder(parts[-1]) if is_download and one.parts[0] == _NBGRADER else above
        yield _Found((*first, *one.parts), one.path, one.zip_path, one.when, one.fault)


def _as_folder(name: str) -> tuple[str, ...]:
    stem = name.rsplit(".", 1)[0]
    return (stem if stem and stem != _NBGRADER else name,)  # a learner's zip of that name is no course


def _in_zip(path: Path, inner: tuple[str, ...], above: tuple[str, ...], data: bytes | None = None) -> Iterator[_Found]:
    """The files in a zip, and in the zips of learners in it; those are not looked into further. Raises
    archives.BadArchive.
    """
    with archives.opened(path if data is None else io.BytesIO(data)) as archive:
        for entry in archives.entries(archive):
            parts = (*above, *(entry.parts or ("?",)))
            if entry.fault or not entry.path.lower().endswith(".zip") or inner:
                yield _Found(parts, path, (*inner, entry.path), entry.when, entry.fault)
                continue
            if entry.size > _MOST_ZIP:
                yield _Found(parts, path, (entry.path,), entry.when, f"it is larger than {_MOST_ZIP >> 20} MiB")
                continue
            yield from _nested(path, archive, entry, parts)


def _nested(path: Path, archive: zipfile.ZipFile, entry: archives.Entry, parts: tuple[str, ...]) -> Iterator[_Found]:
    above = parts[:-1] or _as_folder(parts[-1])
    try:
        data = archives.read_entry(archive, entry.path, _MOST_ZIP)
        if len(data) > _MOST_ZIP:
            raise archives.BadArchive(f"it is larger than {_MOST_ZIP >> 20} MiB")
        yield from _in_zip(path, (entry.path,), above, data)
    except archives.BadArchive as error:
        yield _Found(parts, path, (entry.path,), entry.when, str(error))


def _read_ordinary(path: Path, cap: int) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("it is no ordinary file")
        return file.read(cap + 1)
