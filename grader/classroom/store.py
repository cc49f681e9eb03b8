"""The results of a class run on disk: one JSON a learner, written whole or not at all, so that a run can be killed at
any moment.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMAT = 1
_SAFE = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class ResultsInUse(Exception):
    """Another run writes into the same folder."""


class OtherResults(Exception):
    """The folder holds the results of another assignment. The text says of which."""


class Store:
    """In: the results' folder, which is made. ``learners``: where the pages and the JSON files of the learners are."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.learners = folder / "learners"
        self.learners.mkdir(parents=True, exist_ok=True)
        self._lock: int | None = None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out, until this process ends in whatever way. Raises ResultsInUse."""
        handle = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle, self.folder)
            self._sweep()
            yield
        finally:
            os.close(handle)

    def _sweep(self) -> None:
        """Remove what a killed run was about to write."""
        for folder in (self.folder, self.learners):
            for path in folder.glob(".*.tmp"):
                path.unlink(missing_ok=True)

    @property
    def assignment(self) -> str:
        """What was graded here, in words; empty where nobody has said."""
        title = self._run().get("assignment")
        return title if isinstance(title, str) else ""

    def claim(self, title: str) -> None:
        """Keep this folder for one assignment: the next one's run would drop its results. Raises OtherResults."""
        known = self._run().get("assignment")
        if known is not None and known != title:
            raise OtherResults(
                f'{self.folder} holds the results of "{known}", and this is "{title}". Give another folder as --out.'
            )
        self._note(assignment=title)

    def seed(self, asked: int | None) -> int:
        """The run's seed: the one that is asked for, or that of the run before in this folder, or a fresh one. It is
        written down.
        """
        known = self._run().get("seed")
        seed = asked if asked is not None else known if isinstance(known, int) else secrets.randbelow(2**31)
        self._note(seed=seed)
        return seed

    def _run(self) -> dict:
        return self._read(self.folder / "run.json")

    def _note(self, **what: Any) -> None:
        known = self._run()
        if any(known.get(key) != value for key, value in what.items()):
            write(self.folder / "run.json", as_json(known | {"format": FORMAT} | what))

    def read(self, learner: str) -> dict:
        """What is known of a learner; empty where nothing is, or where the file is damaged."""
        found = self._read(self.path_of(learner))
        return found if found.get("format") == FORMAT and found.get("learner") == learner else {}

    def write(self, learner: str, data: dict) -> None:
        """Replace what is known of a learner."""
        write(self.path_of(learner), as_json({"format": FORMAT, "learner": learner} | data))

    def path_of(self, learner: str, suffix: str = ".json") -> Path:
        return self.learners / f"{file_name(learner)}{suffix}"

    def _read(self, path: Path) -> dict:
        try:
            data = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}


def file_name(learner: str) -> str:
    """A file name for a learner that is safe on every system; different learners have different ones."""
    if _SAFE.fullmatch(learner) and not _RESERVED.fullmatch(learner) and not learner.endswith("."):
        return learner
    letters = "".join(sign for sign in unicodedata.normalize("NFKD", learner) if not unicodedata.combining(sign))
    slug = re.sub(r"[^a-z0-9]+", "-", letters.casefold()).strip("-")[:40] or "learner"
    return f"{slug}--{hashlib.sha256(learner.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def as_json(data: Any) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def write(path: Path, data: bytes) -> None:
    """Write a file so that at every moment either the old one is there, whole, or the new one."""
    with writing(path) as file:
        file.write(data)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Any]:
    """A binary file that takes the place of ``path`` when the block ends well."""
    part = path.with_name(f".{path.name}.tmp")
    try:
        with open(part, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        if isinstance(error, OSError) and not error.filename:  # a full disk does not say where
            error.filename = str(path)
        with contextlib.suppress(OSError):  # a file system that became read-only must not hide what went wrong
            part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: there, the second run is the teacher's to avoid
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ResultsInUse(f"Another run is writing into {folder}.") from None
