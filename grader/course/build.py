"""chapters/ -> notebooks/ and solutions/. One direction, the same bytes each time."""

import io
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course.cells import make_notebook
from grader.course.chapters import Chapter, Course, CourseError, load_course
from grader.course.execute import execute
from grader.course.percent import Cell, parse
from grader.places import CHAPTERS, NOTEBOOKS, SOLUTIONS


@dataclass(frozen=True)
class Folders:
    """Where a course is: the text, and the two folders that are made from it."""

    chapters: Path = CHAPTERS
    notebooks: Path = NOTEBOOKS
    solutions: Path = SOLUTIONS


@dataclass(frozen=True)
class ChapterStats:
    """How long a chapter is. ``code_lines`` leaves out blank lines, comments and check cells."""

    n: int
    slug: str
    words: int
    cells: int
    code_lines: int


def build(check: bool = False, folders: Folders | None = None) -> list[Path]:
    """Make all notebooks from the chapters.

    In: ``check``: write nothing and run nothing, only compare. Out: the files that were written because they
    changed, or, with ``check``, the files that are stale (missing, different, or made from a chapter that is no
    more). A solved notebook is compared without its outputs: nbval holds those. Raises CourseError when a chapter
    is wrong.
    """
    folders = folders or Folders()
    course = load_course(folders.chapters / "course.toml")
    if check:
        return [*_stale(course, folders), *_left_over(course, folders)]
    return [path for path, text in _made(course, folders) if _write(path, text)]


def stats(folders: Folders | None = None) -> list[ChapterStats]:
    """Words, cells and code lines of each chapter. Raises CourseError when a chapter is wrong."""
    folders = folders or Folders()
    return [
        _count(chapter, read_chapter(chapter, folders))
        for chapter in load_course(folders.chapters / "course.toml").chapter
    ]


def read_chapter(chapter: Chapter, folders: Folders) -> list[Cell]:
    """The cells of a chapter's file. Raises CourseError when the file can't be read or parsed."""
    path = folders.chapters / f"{chapter.stem}.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path.name}: cannot be read: {error}") from None
    return parse(text, path.name)


def to_text(notebook: dict) -> str:
    """A notebook as the text of its file, in the form that Jupyter writes: one-space indent, sorted keys, texts as
    lists of lines."""
    cells = [_with_line_lists(cell) for cell in notebook["cells"]]
    return json.dumps({**notebook, "cells": cells}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _made(course: Course, folders: Folders) -> Iterator[tuple[Path, str]]:
    """All files and their texts. Every chapter is made before the first one runs: a slip in a chapter shows at once."""
    chapters = [(chapter, read_chapter(chapter, folders)) for chapter in course.chapter]
    solved = [(chapter, make_notebook(chapter, cells, solution=True)) for chapter, cells in chapters]
    for chapter, cells in chapters:
        yield _path(folders.notebooks, chapter), to_text(_valid(make_notebook(chapter, cells, solution=False)))
    folders.solutions.mkdir(parents=True, exist_ok=True)
    for chapter, notebook in solved:
        path = _path(folders.solutions, chapter)
        yield path, to_text(_valid(execute(notebook, folders.solutions, chapter.stem)))


def _valid(notebook: dict) -> dict:
    import nbformat

    nbformat.validate(nbformat.from_dict(notebook))
    return notebook


def _stale(course: Course, folders: Folders) -> Iterator[Path]:
    for chapter in course.chapter:
        cells = read_chapter(chapter, folders)
        for folder, solution in ((folders.notebooks, False), (folders.solutions, True)):
            path = _path(folder, chapter)
            fresh = to_text(make_notebook(chapter, cells, solution=solution))
            if _committed(path, without_outputs=solution) != fresh:
                yield path


def _committed(path: Path, *, without_outputs: bool) -> str | None:
    """The text of a committed notebook; a solved one as it was before it ran, or None when it never ran."""
    try:
        text = path.read_bytes().decode("utf-8")
        if not without_outputs:
            return text
        notebook = json.loads(text)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                if cell["execution_count"] is None:
                    return None
                cell.update(outputs=[], execution_count=None)
        return to_text(notebook)
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _left_over(course: Course, folders: Folders) -> Iterator[Path]:
    """Notebooks of chapters that are no more. A learner's own files have other names."""
    for folder in (folders.notebooks, folders.solutions):
        names = {_path(folder, chapter).name for chapter in course.chapter}
        for path in sorted(folder.glob("*.ipynb")):
            if re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", path.name) and path.name not in names:
                yield path


def _path(folder: Path, chapter: Chapter) -> Path:
    return folder / f"{chapter.stem}.ipynb"


def _write(path: Path, text: str) -> bool:
    """Write the file if it changes. Newlines stay as they are on every system, or the bytes would differ."""
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return True


def _with_line_lists(cell: dict) -> dict:
    made = {**cell, "source": _lines(cell["source"])}
    if "outputs" in cell:
        made["outputs"] = [_output_lines(output) for output in cell["outputs"]]
    return made


def _output_lines(output: dict) -> dict:
    if "text" in output:
        return {**output, "text": _lines(output["text"])}
    if "data" in output:
        return {
            **output,
            "data": {
                mime: _lines(value) if mime.startswith("text/") else value for mime, value in output["data"].items()
            },
        }
    return output


def _lines(text):
    return text.splitlines(keepends=True) if isinstance(text, str) else text


def _count(chapter: Chapter, cells: list[Cell]) -> ChapterStats:
    words = sum(_words(cell.source) for cell in cells if cell.kind == "markdown")
    code = sum(_code_lines(cell.source) for cell in cells if cell.kind == "code" and "check" not in cell.tags)
    return ChapterStats(chapter.n, chapter.slug, words, len(cells), code)


def _words(markdown: str) -> int:
    """Words of prose: what holds a letter or a digit. Code blocks and HTML tags are not prose."""
    prose = re.sub(r"^```.*?^```", " ", markdown, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"<[^>\n]+>", " ", prose)
    return sum(1 for word in prose.split() if re.search(r"\w", word))


def _code_lines(source: str) -> int:
    """Lines that hold code: not blank, not only a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    idle = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines = set()
    for token in tokens:
        if token.type not in idle:
            lines.update(n for n in range(token.start[0], token.end[0] + 1) if token.line)
    return len({n for n in lines if source.split("\n")[n - 1].strip()})
