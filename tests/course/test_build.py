"""chapters/ -> notebooks/ and solutions/: the same bytes each time, valid, and without solutions where learners
look."""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest

from grader.course.build import build, stats, to_text
from grader.course.cells import make_notebook
from grader.course.chapters import CourseError, load_course
from grader.course.execute import refuse_unstable, settle_outputs
from grader.course.percent import parse


def read(folder):
    return nbformat.read(folder / "01_small.ipynb", as_version=4)


def edit(folders, old, new):
    path = folders.chapters / "01_small.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_course_is_the_same_bytes_each_time(built):
    first = {path: path.read_bytes() for folder in (built.notebooks, built.solutions) for path in folder.iterdir()}
    assert sorted(path.parent.name for path in first) == ["notebooks", "solutions"]
    for path in first:
        path.unlink()
    build(folders=built)
    assert {path: path.read_bytes() for path in first} == first
    assert build(folders=built) == []
    assert build(check=True, folders=built) == []


def test_the_solved_notebook_ran_and_holds_nothing_of_that_run(built):
    solved = read(built.solutions)
    nbformat.validate(solved)
    code = [cell for cell in solved.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    printed, widget = code[0].outputs
    assert printed.text == "one\ntwo\n"
    assert set(widget.data) == {"text/plain"}
    [error] = code[1].outputs
    assert error.evalue == "as it should"
    assert solved.metadata == {"kernelspec": solved.metadata.kernelspec, "language_info": {"name": "python"}}
    assert all("execution" not in cell.metadata for cell in solved.cells)


def test_learners_get_stubs_and_no_outputs(built):
    text = (built.notebooks / "01_small.ipynb").read_text(encoding="utf-8")
    assert "secret_word" not in text and "SOLUTION" not in text and "STUB" not in text
    notebook = read(built.notebooks)
    nbformat.validate(notebook)
    assert all(
        cell.outputs == [] and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code"
    )
    sources = {cell.id: cell.source for cell in notebook.cells}
    assert (
        sources["exercise-double"]
        == 'def double(n):\n    """Twice n."""\n    raise NotImplementedError("write double")'
    )
    assert sources["exercise-guess"] == "guess = ...  # a number"


def test_hints_are_folded_and_numbered(built):
    hints = [cell.source for cell in read(built.notebooks).cells if "hint" in cell.metadata.get("tags", [])]
    assert hints == [
        "<details>\n<summary>Hint 1</summary>\n\nWhat is twice?\n\n</details>",
        "<details>\n<summary>Hint 2</summary>\n\nAdd it to itself.\n\n</details>",
    ]


def test_cell_ids_are_the_same_in_both_and_stay_when_a_cell_is_added(built):
    before = [cell.id for cell in read(built.notebooks).cells]
    assert before == [cell.id for cell in read(built.solutions).cells]
    assert len(set(before)) == len(before)
    edit(built, "# %% [markdown]\n# # Small", "# %%\nx = 1\n# %%\nx = 1\n\n# %% [markdown]\n# # Small")
    chapter = load_course(built.chapters / "course.toml").chapter[0]
    cells = parse((built.chapters / "01_small.py").read_text(encoding="utf-8"))
    after = [cell["id"] for cell in make_notebook(chapter, cells, solution=False)["cells"]]
    assert after[2:] == before
    assert after[1] == after[0] + "-2"


# What nbgrader 0.9 takes: nbgraderformat/v3.json and MetadataValidatorV3.
ALLOWED = {"schema_version", "grade", "locked", "solution", "task", "grade_id", "points"}


def test_nbgrader_metadata_is_what_nbgrader_takes(built):
    for notebook in (read(built.notebooks), read(built.solutions)):
        seen = {}
        for cell in notebook.cells:
            meta = cell.metadata.get("nbgrader")
            if meta is None:
                assert cell.cell_type == "code" and not {"exercise", "check"} & set(cell.metadata.get("tags", []))
                continue
            assert set(meta) <= ALLOWED and meta.schema_version == 3
            assert re.fullmatch(r"[a-zA-Z0-9_\-]+", meta.grade_id) and meta.grade_id not in seen
            assert ("points" in meta) == meta.grade
            seen[meta.grade_id] = (cell.cell_type, meta.grade, meta.solution, meta.locked, meta.get("points"))
        assert seen.pop("exercise-double") == ("code", False, True, False, None)
        assert seen.pop("check-double") == ("code", True, False, True, 3)
        assert seen.pop("exercise-guess") == ("code", False, True, False, None)
        assert seen.pop("check-guess") == ("code", True, False, True, 1)
        assert set(seen.values()) == {("markdown", False, False, True, None)}


@pytest.mark.parametrize("what", ["notebooks", "solutions"])
@pytest.mark.parametrize("how", ["missing", "other source", "not JSON", "other id"])
def test_a_stale_file_is_named(built, what, how):
    path = getattr(built, what) / "01_small.ipynb"
    text = path.read_text(encoding="utf-8")
    if how == "missing":
        path.unlink()
    else:
        changed = {
            "other source": text.replace("Four words", "4 words"),
            "not JSON": "[",
            "other id": text.replace("check-guess", "x"),
        }
        path.write_text(changed[how], encoding="utf-8")
        assert path.read_text(encoding="utf-8") != text
    assert build(check=True, folders=built) == [path]


def test_a_changed_chapter_makes_both_stale_and_an_old_one_is_left_over(built):
    edit(built, "Four words", "Some words")
    left = built.notebooks / "02_gone.ipynb"
    left.write_text("{}", encoding="utf-8")
    (built.notebooks / "my notes.ipynb").write_text("{}", encoding="utf-8")
    stale = build(check=True, folders=built)
    assert stale == [built.notebooks / "01_small.ipynb", built.solutions / "01_small.ipynb", left]


def test_a_solved_notebook_that_never_ran_is_stale(built):
    path = built.solutions / "01_small.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    path.write_text(to_text(notebook), encoding="utf-8")
    assert build(check=True, folders=built) == [path]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('exercise="guess"\ncheck("guess", guess)', 'exercise="guess"\ncheck("guess", 42)', "should be"),
        ('# %% tags=["check"] exercise="guess"', "# %%", "needs one exercise cell, then one check cell"),
        ('tags=["exercise"] exercise="guess"', 'tags=["exercise"] exercise="gess"', "no exercise 'gess'"),
        ("guess = 42", "gess = 42", "should define guess"),
        ("guess = ...  # a number", "guess = ... = 1", "the stub:\\d+: not Python"),
    ],
)
def test_a_chapter_that_does_not_fit_course_toml_is_refused(small_course, old, new, word):
    edit(small_course, old, new)
    with pytest.raises(CourseError, match=word):
        build(check=True, folders=small_course)


def test_a_solution_that_fails_stops_the_build_and_names_the_error(small_course):
    edit(small_course, "guess = 42", "guess = 42 / 0")
    with pytest.raises(CourseError, match="01_small: '# BEGIN SOLUTION' fails when solved: ZeroDivisionError"):
        build(folders=small_course)
    assert not (small_course.solutions / "01_small.ipynb").exists()


def test_a_raises_cell_that_does_not_raise_stops_the_build(small_course):
    edit(small_course, "\ndeep()\n", "\n")
    with pytest.raises(CourseError, match="raises nothing"):
        build(folders=small_course)


def test_settled_outputs_join_streams_and_drop_foreign_frames():
    stream = {"output_type": "stream", "name": "stdout"}
    error = {"output_type": "error", "ename": "E", "evalue": "e"}
    frames = ["----", "\x1b[0;31mE\x1b[0m", "Cell \x1b[0mIn[3]", "File \x1b[0;32m/home/x.py:3\x1b[0m", "E: e"]
    settled = settle_outputs([{**stream, "text": "a"}, {**stream, "text": "b"}, {**error, "traceback": frames}])
    assert settled == [{**stream, "text": "ab"}, {**error, "traceback": [frames[0], frames[1], frames[2], frames[4]]}]


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "stream", "name": "stdout", "text": "<object at 0x7f3a2b1c>"},
        {"output_type": "error", "ename": "E", "evalue": f"no file {Path.cwd()}/x", "traceback": []},
        {"output_type": "execute_result", "data": {"text/html": f"in {sys.prefix}/lib"}},
    ],
)
def test_an_output_of_one_machine_is_refused(output):
    with pytest.raises(CourseError, match="^here: the output holds"):
        refuse_unstable([output], "here")


def test_an_output_that_only_looks_so_is_fine():
    refuse_unstable([{"output_type": "stream", "name": "stdout", "text": "0x10 is 16; /usr is a folder"}], "here")


def test_stats_count_prose_and_code(small_course):
    [counted] = stats(small_course)
    # Small; Four words of prose and code: 7. What is twice: 3. Add it to itself: 4.
    assert (counted.words, counted.cells) == (14, 9)
    # 4 + 3 of the stand-in, 3, 4 (the markers are comments), 1
    assert counted.code_lines == 15
