"""A chapter's cells as the cells of a notebook: sources, cell ids, tags and nbgrader's metadata.

Notebooks are plain dicts in nbformat 4.5 here: importing nbformat takes seconds where a Jupyter server is
installed, and comparing files doesn't need it.
"""

import ast
import hashlib
from collections import Counter

from grader.course.chapters import Chapter, CourseError, Exercise
from grader.course.percent import Cell, check_python
from grader.course.stubs import solved, stubbed

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def make_notebook(chapter: Chapter, cells: list[Cell], *, solution: bool) -> dict:
    """Make the learner's notebook of a chapter, or the solved one (not executed yet).

    Out: a notebook as a dict, without outputs. Raises CourseError where the cells and course.toml disagree.
    """
    check_exercises(chapter, cells)
    ids = _cell_ids(chapter, cells)
    summaries = _hint_summaries(cells)
    made = [
        _notebook_cell(chapter, cell, cell_id, summary, solution)
        for cell, cell_id, summary in zip(cells, ids, summaries, strict=True)
    ]
    return {"cells": made, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}


def _notebook_cell(chapter: Chapter, cell: Cell, cell_id: str, summary: str | None, solution: bool) -> dict:
    source = cell.source
    if summary is not None:
        source = f"<details>\n<summary>{summary}</summary>\n\n{source}\n\n</details>"
    if "exercise" in cell.tags:
        source = solved(source) if solution else _stub(chapter, cell)
    metadata = {"tags": list(cell.tags)} if cell.tags else {}
    nbgrader = _nbgrader(cell, cell_id, chapter.find(cell.exercise) if cell.exercise else None)
    if nbgrader:
        metadata["nbgrader"] = nbgrader
    made = {"cell_type": cell.kind, "id": cell_id, "metadata": metadata, "source": source}
    return made if cell.kind == "markdown" else {**made, "execution_count": None, "outputs": []}


def _stub(chapter: Chapter, cell: Cell) -> str:
    source = stubbed(cell.source, _where(chapter, cell))
    check_python(source, f"{chapter.stem}.py, the stub", cell.line)
    return source


def _nbgrader(cell: Cell, cell_id: str, exercise: Exercise | None) -> dict | None:
    """nbgrader's metadata, schema version 3: exercise cells are the learner's, check cells carry the points, prose is
    read-only.

    A demo cell has none: the learner may change it. Source of the schema: nbgrader 0.9, nbgraderformat/v3.json.
    """
    if cell.kind == "code" and exercise is None:
        return None
    check = "check" in cell.tags
    made = {
        "schema_version": 3,
        "grade_id": cell_id,
        "grade": check,
        "solution": "exercise" in cell.tags,
        "locked": "exercise" not in cell.tags,
        "task": False,
    }
    return {**made, "points": exercise.points} if check else made


def _cell_ids(chapter: Chapter, cells: list[Cell]) -> list[str]:
    """Cell ids that stay when other cells come, go or change: from the exercise's id, else from a hash of the
    cell's own text."""
    ids, seen = [], Counter()
    for cell in cells:
        if cell.id:
            base = cell.id
        elif cell.exercise:
            base = f"{'check' if 'check' in cell.tags else 'exercise'}-{cell.exercise}"
        else:
            digest = hashlib.sha256(f"{cell.kind}\n{cell.source}".encode()).hexdigest()
            base = f"{chapter.n:02d}-{digest[:10]}"
        seen[base] += 1
        if seen[base] > 1 and cell.id:
            raise CourseError(f"{_where(chapter, cell)}: the cell id {cell.id!r} is used twice")
        ids.append(base if seen[base] == 1 else f"{base}-{seen[base]}")
    return ids


def _hint_summaries(cells: list[Cell]) -> list[str | None]:
    """The folded line of each hint: its own, or "Hint N", counted from the last exercise on."""
    summaries, count = [], 0
    for cell in cells:
        if "exercise" in cell.tags:
            count = 0
        if "hint" in cell.tags and cell.summary is None:
            count += 1
        summaries.append((cell.summary or f"Hint {count}") if "hint" in cell.tags else None)
    return summaries


def check_exercises(chapter: Chapter, cells: list[Cell]) -> None:
    """Hold a chapter's cells to course.toml: each exercise has one exercise cell and after it one check cell.
    Raises CourseError."""
    for cell in cells:
        if cell.exercise and chapter.find(cell.exercise) is None:
            raise CourseError(f"{_where(chapter, cell)}: course.toml has no exercise {cell.exercise!r} in this chapter")
    for exercise in chapter.exercise:
        mine = [cell for cell in cells if cell.exercise == exercise.id]
        kinds = ["exercise" if "exercise" in cell.tags else "check" for cell in mine]
        if kinds != ["exercise", "check"]:
            raise CourseError(
                f"{chapter.stem}.py: exercise {exercise.id!r} needs one exercise cell, then one check cell; "
                f"there are: {', '.join(kinds) or 'none'}"
            )
        write, check = mine
        if exercise.name not in _defined_names(write.source):
            raise CourseError(f"{_where(chapter, write)}: exercise {exercise.id!r} should define {exercise.name}")
        expected = f'check("{exercise.id}", {exercise.name})'
        if check.source != expected:
            raise CourseError(f"{_where(chapter, check)}: the check cell should be {expected} and nothing else")


def _defined_names(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _where(chapter: Chapter, cell: Cell) -> str:
    return f"{chapter.stem}.py:{cell.line}"
