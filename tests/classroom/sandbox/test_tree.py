"""What is hidden from submissions, wherever it lies."""

import pytest

from grader.classroom.sandbox import tree

PLACES = ["lib/python3.11/site-packages", "local/lib/python3/dist-packages", "envs/ours/lib/python3.11/site-packages"]


@pytest.mark.parametrize("place", PLACES)
def test_another_installed_copy_of_the_course_is_hidden(tmp_path, monkeypatch, place):
    copy = tmp_path / place / "grader"
    (copy / "_data").mkdir(parents=True)
    monkeypatch.setattr(tree.sys, "prefix", str(tmp_path))
    words = tree.bubblewrap_arguments()
    assert words[words.index(str(copy)) - 1] == "--tmpfs"
    assert words.index(str(copy)) > words.index(str(tmp_path)), "what is laid first is covered by the bind"
    assert not any(str(copy).startswith(path) for path in tree.readable()["read"])
