"""Progress over the course, and the solution that is offered after some failed checks."""

import json
import os
import stat
import sys

import pytest

from grader.course import check, progress
from grader.course.progress import NAME, SWITCH, Record, note, place

WRONG = ["b", "b", "b", "b"]
RIGHT = ["c", "b", "a", "b"]  # of recall-1


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / NAME
    monkeypatch.setenv(SWITCH, str(path))
    return path


def test_checks_are_kept_in_a_file_that_can_be_deleted(file):
    check("recall-1", WRONG)
    check("recall-1", RIGHT)
    assert json.loads(file.read_text(encoding="utf-8"))["exercises"]["recall-1"] == {
        "passed": True, "points": 2, "checks": 2, "failed": 0,
    }  # fmt: skip
    assert progress().passed == 1
    assert "1 of 5, 2 points" in repr(progress()) and f"Kept in {NAME}" in repr(progress())
    assert [path.name for path in file.parent.iterdir()] == [NAME]
    file.unlink()
    assert progress().passed == 0


def test_what_was_passed_stays_passed(file):
    check("recall-1", RIGHT)
    check("recall-1", WRONG)
    assert progress().records["recall-1"] == Record(passed=True, points=2, checks=2, failed=1)


def test_the_third_failed_check_offers_the_solution_and_a_pass_starts_anew(file):
    texts = [check("recall-1", WRONG) for _ in range(4)]
    assert ["solutions/01_you_are_the_loop.ipynb" in result.text for result in texts] == [False, False, True, True]
    assert ['href="../solutions/01_you_are_the_loop.ipynb"' in result.html for result in texts] == [
        False, False, True, True,
    ]  # fmt: skip
    assert "solutions/" not in check("recall-1", RIGHT).text
    assert "solutions/" not in check("recall-1", WRONG).text


def test_stubs_demos_and_replays_do_not_count(file):
    def run_agent(client, task, tools, functions):
        raise NotImplementedError

    def almost(client, task, tools, functions):
        return "done", []

    check("loop", run_agent)
    check("loop", almost)
    for _ in range(3):
        check("recall-1", WRONG, seed=3)
    assert not file.exists()
    almost.__name__ = "run_agent"
    check("loop", almost)
    assert progress().records["loop"].failed == 1


def test_nothing_is_kept_where_there_is_no_notebook(monkeypatch, tmp_path):
    monkeypatch.delenv(SWITCH)
    assert place() is None
    monkeypatch.setenv(SWITCH, "off")
    assert note("loop", "failed", 0) == 0
    assert "Nothing is kept here" in repr(progress())


class _IPython:
    @staticmethod
    def get_ipython():
        return object()


@pytest.mark.parametrize(("folder", "kept"), [("notebooks", True), ("solutions", False)])
def test_solved_notebooks_are_no_progress(monkeypatch, tmp_path, folder, kept):
    monkeypatch.delenv(SWITCH)
    monkeypatch.setitem(sys.modules, "IPython", _IPython)
    monkeypatch.setattr(sys.modules["grader.course.progress"], "_FOLDER", tmp_path / folder)
    assert place() == (tmp_path / folder / NAME if kept else None)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert place() is None


def test_a_folder_that_cannot_be_written_to_is_not_in_the_way(monkeypatch, tmp_path):
    path = tmp_path / "nowhere" / NAME  # a missing folder stands for a read-only one: the tests may run as root
    monkeypatch.setenv(SWITCH, str(path))
    assert [note("recall-1", "failed", 0) for _ in range(3)] == [1, 2, 3]
    assert check("recall-1", RIGHT).passed and progress().passed == 1
    assert "kept until the kernel stops" in repr(progress())


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_not_in_the_way(file):
    file.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert note("recall-1", "failed", 0) == 1
    finally:
        file.parent.chmod(stat.S_IRWXU)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"exercises": 3}', '{"exercises": {"loop": {"passed": "yes"}}}',
     '{"exercises": {"loop": {"stars": 3}}}', '{"exercises": {"loop": null}}', "[" * 5000, "\x00"],
)  # fmt: skip
def test_a_damaged_file_counts_as_empty(file, text):
    file.write_text(text, encoding="utf-8")
    assert progress().passed == 0
    assert note("loop", "passed", 10) == 0
    assert progress().passed == 1


def test_the_table_names_every_chapter_and_escapes(file):
    page = progress()._repr_html_()
    assert page.count("<progress ") == len(progress().rows) >= 9
    assert "<caption" in page and 'scope="row"' in page
