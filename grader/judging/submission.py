"""Loading a submission: the names that a .py file or a notebook defines.

A notebook is read as JSON (``import nbformat`` costs seconds) and its code cells are run in order, as Jupyter would; a cell that fails
does not stop the rest, since a broken scratch cell should not cost a learner the function above it.
"""

import ast
import io
import json
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

MAX_BYTES = 20_000_000
DEADLINE_S = 30.0

_loading = 0


def is_loading() -> bool:
    """Whether a submission is being loaded right now: a ``check`` in one of its cells need not judge, the grader will."""
    return _loading > 0


class UnreadableSubmission(Exception):
    """The file cannot be graded. The text is one line: what, where, what to do."""


@dataclass
class Submission:
    """What a file defines: its ``names``, and one line for each cell that failed (``failures``)."""

    path: Path
    names: dict = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @property
    def is_notebook(self) -> bool:
        return self.path.suffix == ".ipynb"

    def defines(self, name: str) -> bool:
        return name in self.names

    def why_missing(self, name: str) -> str:
        """One line for a name that the file should define and does not."""
        because = f" ({self.failures[0]})" if self.failures else ""
        return f"{self.path.name}: there is no {name} in it{because}. Define it, save the file, and check again."


def load_submission(path: Path, deadline_s: float = DEADLINE_S) -> Submission:
    """Run the code of a .py or .ipynb file in this process, bounded in time, and return what it defines.

    Raises UnreadableSubmission: no such file, too large, not UTF-8, no notebook, a syntax error in a .py file, an endless loop.
    """
    from grader.replay.bounded import call_bounded

    submission = Submission(path)
    cells = _cells(path)
    module = types.ModuleType("submission")
    module.__file__ = str(path)
    submission.names = module.__dict__
    global _loading
    _loading += 1
    try:
        outcome = call_bounded(lambda: _run_cells(cells, submission, module), deadline_s)
    finally:
        _loading -= 1
    if outcome.timed_out:
        raise UnreadableSubmission(
            f"{path.name}: running it did not end within {deadline_s:g} seconds. Look for a loop outside of your functions."
        )
    return submission


def _cells(path: Path) -> list[tuple[str, str]]:
    """(title, source) of each piece of code."""
    text = _text(path)
    if path.suffix == ".py":
        _compiled(text, path.name)
        return [(path.name, text)]
    if path.suffix == ".ipynb":
        return _notebook_cells(text, path.name)
    raise UnreadableSubmission(f"{path.name}: is neither a .py file nor a notebook (.ipynb).")


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableSubmission(
                f"{path.name}: is larger than {MAX_BYTES // 1_000_000} MB. Clear the outputs and save it again."
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableSubmission(f"{path.name}: is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None
    except IsADirectoryError:
        raise UnreadableSubmission(f"{path.name}: is a folder. Name a .py file or a notebook.") from None
    except OSError as error:
        raise UnreadableSubmission(f"{path.name}: cannot be read: {error.strerror}.") from None


def _compiled(source: str, title: str):
    """Byte code of a cell or file; a top-level await is allowed, as in Jupyter. Raises UnreadableSubmission."""
    try:
        return compile(source, title, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        raise UnreadableSubmission(f"{title}, line {error.lineno}: syntax error: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableSubmission(f"{title}: is not Python source: {error}.") from None


def _notebook_cells(text: str, name: str) -> list[tuple[str, str]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableSubmission(f"{name}: is not a notebook: the JSON breaks off or is damaged ({error}).") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise UnreadableSubmission(f'{name}: is not a notebook: there is no list of "cells" in it.')
    found = []
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            found.append((f"{name}, cell {number}", without_magics(_source(cell))))
    return found


def _source(cell: dict) -> str:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def without_magics(source: str) -> str:
    """A cell without IPython's own lines (``%timeit``, ``!pip``, ``?``): they mean nothing to a grader. Line numbers stay."""
    lines = source.splitlines()
    if lines and lines[0].lstrip().startswith("%%"):
        return ""
    kept = []
    for line in lines:
        bare = line.strip()
        is_magic = bare.startswith(("%", "!", "?")) or (
            bare.endswith("?") and bare.rstrip("?").replace(".", "").isidentifier()
        )
        kept.append(line[: len(line) - len(line.lstrip())] + "pass" if is_magic else line)
    return "\n".join(kept)


def _run_cells(cells, submission: Submission, module) -> None:
    sys.modules["submission"] = module  # dataclasses and pickle look a class's module up there
    for title, source in cells:
        sink = io.StringIO()
        try:
            code = _compiled(source, title)
            with redirect_stdout(sink), redirect_stderr(sink):
                _run(code, module.__dict__)
        except UnreadableSubmission as error:
            submission.failures.append(str(error).rstrip("."))
        except (Exception, SystemExit) as error:
            submission.failures.append(f"{title} failed with {type(error).__name__}: {str(error)[:200]}")


def _run(code, names: dict) -> None:
    result = eval(code, names)
    if result is not None:  # a cell with a top-level await is a coroutine
        import asyncio

        asyncio.run(result)
