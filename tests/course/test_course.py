"""The real course: fresh, whole, solvable, and without solutions in the learner's notebooks."""

import ast
import asyncio
import inspect
import json

import pytest

import grader.course
from grader.course.build import Folders, build, read_chapter, stats
from grader.course.chapters import load_course
from grader.places import CHAPTERS, NOTEBOOKS, ROOT, SOLUTIONS

COURSE = load_course()
CHAPTERS_OF_IT = pytest.mark.parametrize("chapter", COURSE.chapter, ids=lambda chapter: chapter.slug)


def code_cells(folder, chapter):
    notebook = json.loads((folder / f"{chapter.stem}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_committed_notebooks_are_fresh():
    stale = [str(path.relative_to(ROOT)) for path in build(check=True)]
    assert stale == [], (
        "run: python -m grader build (or, if you solved a notebook in this folder: put it back with git)"
    )


def test_every_chapter_file_is_in_course_toml():
    assert sorted(path.stem for path in CHAPTERS.glob("*.py")) == [chapter.stem for chapter in COURSE.chapter]


@CHAPTERS_OF_IT
def test_exercise_cells_and_course_toml_name_the_same_exercises(chapter):
    cells = read_chapter(chapter, Folders())
    declared = [exercise.id for exercise in chapter.exercise]
    assert sorted(cell.exercise for cell in cells if "exercise" in cell.tags) == sorted(declared)
    assert sorted(cell.exercise for cell in cells if "check" in cell.tags) == sorted(declared)


@CHAPTERS_OF_IT
def test_no_solution_is_in_the_learners_notebook(chapter):
    learners = {cell["id"]: "".join(cell["source"]) for cell in code_cells(NOTEBOOKS, chapter)}
    for solved in code_cells(SOLUTIONS, chapter):
        source = "".join(solved["source"])
        if "# BEGIN SOLUTION" not in source:
            continue
        given = learners[solved["id"]]
        assert "SOLUTION" not in given and "STUB" not in given
        secret = source.split("# BEGIN SOLUTION")[1].split("# END SOLUTION")[0].strip()
        if "NotImplementedError" in given:
            assert secret and secret not in given
        else:  # code to mend may hold a right line in a wrong place
            unmarked = [
                line for line in source.split("\n") if line.strip() not in ("# BEGIN SOLUTION", "# END SOLUTION")
            ]
            assert given.split("\n") != unmarked


@CHAPTERS_OF_IT
def test_the_learners_notebook_has_no_outputs(chapter):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code_cells(NOTEBOOKS, chapter))


@CHAPTERS_OF_IT
def test_a_check_shows_one_thing(chapter):
    for cell in code_cells(SOLUTIONS, chapter):
        if "check" in cell["metadata"].get("tags", []):
            [output] = cell["outputs"]
            assert set(output["data"]) == {"text/plain", "text/html"}
            assert "passed" in "".join(output["data"]["text/plain"])


def verdicts(folder, chapter, monkeypatch) -> dict[str, str]:
    """Run a notebook's code from top to bottom in this process; the verdict of each check cell."""
    seen = {}

    def noted(exercise_id, value, **options):
        result = check(exercise_id, value, **options)
        seen[cell["id"]] = result.verdict
        return result

    check = grader.course.check
    monkeypatch.setattr(grader.course, "check", noted)
    space = {"__name__": "__main__"}
    for cell in code_cells(folder, chapter):
        code = compile("".join(cell["source"]), cell["id"], "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        try:
            result = eval(code, space)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        except Exception:
            if "raises-exception" not in cell["metadata"].get("tags", []):
                raise
    return {exercise.id: seen[f"check-{exercise.id}"] for exercise in chapter.exercise}


@CHAPTERS_OF_IT
def test_every_solution_passes(chapter, monkeypatch):
    assert set(verdicts(SOLUTIONS, chapter, monkeypatch).values()) <= {"passed"}


@CHAPTERS_OF_IT
def test_every_stub_reads_not_attempted(chapter, monkeypatch):
    """A "fix this" exercise has broken code in place of a stub: it reads failed. No exercise is passed unsolved."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in code_cells(NOTEBOOKS, chapter)}
    for exercise, verdict in verdicts(NOTEBOOKS, chapter, monkeypatch).items():
        given = cells[f"exercise-{exercise}"]
        is_stub = "NotImplementedError" in given or "..." in given
        assert verdict in (("not_attempted",) if is_stub else ("not_attempted", "failed")), exercise


# Chapters whose code is longer, and why.
LONGER = {12: (140, "the whole loop, as async def"), 13: (135, "the whole loop, with all that it holds")}


def test_chapters_keep_their_size():
    """design.md's measure: 25 to 40 cells, 900 to 1,500 words, at most 120 lines of code, or a reason."""
    for chapter in stats():
        assert 25 <= chapter.cells <= 40, chapter
        assert 900 <= chapter.words <= 1_500, chapter
        assert chapter.code_lines <= LONGER.get(chapter.n, (120, ""))[0], chapter
