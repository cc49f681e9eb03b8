"""The special value ``$folder``: a folder on disk with a case's files, gone when the case is over."""

import tempfile
from pathlib import Path, PurePosixPath

NAME = "desk"


class NotHere(Exception):
    """This machine cannot make what a case needs (links, on some systems). The case is left out."""


class Folders:
    """The folders of one case. ``close`` removes them."""

    def __init__(self):
        self._roots: list[tempfile.TemporaryDirectory] = []

    def make(self, files: dict) -> Path:
        """A folder called "desk" that holds ``files``: path -> text, or ``{"$link": "path"}``.

        A path that starts with ``../`` lies beside the folder, not in it. Raises NotHere.
        """
        root = tempfile.TemporaryDirectory(prefix="exercise-", ignore_cleanup_errors=True)
        self._roots.append(root)
        folder = Path(root.name).resolve() / NAME
        folder.mkdir()
        for name, content in files.items():
            path = folder.joinpath(*PurePosixPath(name).parts)
            path = path.parent.resolve() / path.name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict):
                _link(path, content["$link"])
            else:
                path.write_text(content, encoding="utf-8", newline="\n")
        return folder

    def hide(self, text: str) -> str:
        """A text without where the folders were: that differs from run to run, and tells a reader nothing."""
        for root in self._roots:
            for place in {str(Path(root.name).resolve()), root.name}:
                text = text.replace(place, "…").replace(repr(place)[1:-1], "…")
        return text

    def close(self) -> None:
        """Remove the folders and what is in them."""
        for root in self._roots:
            root.cleanup()


def _link(path: Path, target: str) -> None:
    try:
        path.symlink_to(target)
    except (OSError, NotImplementedError) as error:
        raise NotHere(str(error)) from None
