"""What was handed in, as code cells: a .py file or an .ipynb, read as data."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.sandbox.limits import Limits


class UnreadableSubmission(Exception):
    """The file is no submission. The text is one sentence for the teacher; it holds nothing from the file but its
    name.
    """


@dataclass(frozen=True)
class Submission:
    """A file's code. ``cells`` are (label, source); a .py file is one cell."""

    name: str
    cells: tuple[tuple[str, str], ...]

    @property
    def is_empty(self) -> bool:
        return not any(source.strip() for _, source in self.cells)


def read_submission(path: Path | str, limits: Limits | None = None) -> Submission:
    """Read a .py or .ipynb file. Raises UnreadableSubmission for a link, a device, a file over the cap, or one that is
    neither.
    """
    path, limits = Path(path), limits or Limits()
    return parse_submission(path.name, _bytes(path, limits.source), limits)


def parse_submission(name: str, data: bytes, limits: Limits | None = None) -> Submission:
    """The same from a file's name and bytes."""
    limits = limits or Limits()
    shown = repr(name[:200])
    if len(data) > limits.source:
        raise UnreadableSubmission(f"{shown} is larger than {limits.source // (1 << 20)} MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableSubmission(f"{shown} is not UTF-8 text.") from None
    if name.lower().endswith(".py"):
        return Submission(name, (("submission.py", text),))
    if name.lower().endswith(".ipynb"):
        return Submission(name, _cells(shown, text, limits.cells))
    raise UnreadableSubmission(f"{shown} is neither a .py file nor an .ipynb notebook.")


def _bytes(path: Path, cap: int) -> bytes:
    """The file's bytes. A link is not followed, and nothing is opened that could block or never end."""
    shown = repr(path.name[:200])
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        if path.is_symlink():  # where there is no O_NOFOLLOW
            raise UnreadableSubmission(f"{shown} is a link; links are not followed.")
        handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise UnreadableSubmission(f"{shown} cannot be opened: {getattr(error, 'strerror', error)}.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnreadableSubmission(f"{shown} is not an ordinary file.")
    with os.fdopen(handle, "rb") as file:
        return file.read(cap + 1)


def _cells(shown: str, text: str, most: int) -> tuple[tuple[str, str], ...]:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableSubmission(f"{shown} is no notebook: its JSON cannot be read.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise UnreadableSubmission(f"{shown} is no notebook: it has no list of cells.")
    if len(cells) > most:
        raise UnreadableSubmission(f"{shown} has more than {most} cells.")
    found = []
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            found.append((f"cell {number}", _source(cell.get("source"))))
    return tuple(found)


def _source(source: object) -> str:
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
