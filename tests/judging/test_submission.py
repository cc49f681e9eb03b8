"""Loading what a learner hands in: files, notebooks, and what is wrong with them."""

import json

import pytest

from grader.judging import submission
from grader.judging.submission import UnreadableSubmission, load_submission, without_magics


def write(tmp_path, name, content):
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def notebook(*sources):
    return {
        "cells": [{"cell_type": "code", "source": source, "metadata": {}} for source in sources],
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
    }


def test_a_python_file(tmp_path):
    loaded = load_submission(
        write(tmp_path, "loop.py", "def run_agent():\n    return 1\nif __name__ == '__main__':\n    run_agent = None\n")
    )
    assert loaded.names["run_agent"]() == 1


def test_a_notebook_whose_broken_cells_do_not_stop_the_rest(tmp_path):
    cells = [
        "x = (",
        "1 / 0",
        ["def run_agent():\n", "    return x\n"],
        "%timeit 1\n!ls\nx = 5",
        "%%bash\nls",
        "await __import__('asyncio').sleep(0)",
    ]
    loaded = load_submission(write(tmp_path, "one.ipynb", notebook(*cells)))
    assert loaded.names["run_agent"]() == 5
    assert len(loaded.failures) == 2
    assert "cell 2 failed with ZeroDivisionError" in loaded.failures[1]


def test_the_last_definition_wins(tmp_path):
    loaded = load_submission(write(tmp_path, "two.ipynb", notebook("def f(): return 1", "def f(): return 2")))
    assert loaded.names["f"]() == 2


def test_a_missing_name_says_which_cell_failed(tmp_path):
    loaded = load_submission(
        write(tmp_path, "bad.ipynb", notebook("import nothing_of_this_name\ndef run_agent(): pass"))
    )
    assert "cell 1 failed with ModuleNotFoundError" in loaded.why_missing("run_agent")


def test_a_file_that_leaves_does_not_take_the_grader_along(tmp_path):
    loaded = load_submission(write(tmp_path, "leaves.py", "raise SystemExit(3)"))
    assert loaded.failures == ["leaves.py failed with SystemExit: 3"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.py", "def f(:\n", "line 1: syntax error"),
        ("a.py", b"\xff\xfe\x00", "not UTF-8"),
        ("a.py", "x = '\0'", "a.py"),
        ("a.ipynb", '{"cells": [', "not a notebook"),
        ("a.ipynb", "[1, 2]", 'no list of "cells"'),
        ("a.ipynb", '{"cells": 3}', 'no list of "cells"'),
        ("a.txt", "hello", "neither a .py file nor a notebook"),
    ],
)
def test_unreadable_files_say_what_is_wrong_in_one_line(tmp_path, name, content, words):
    with pytest.raises(UnreadableSubmission) as caught:
        load_submission(write(tmp_path, name, content))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_missing_files_folders_and_large_files(tmp_path, monkeypatch):
    monkeypatch.setattr(submission, "MAX_BYTES", 10_000)
    (tmp_path / "folder.py").mkdir()
    for path, words in (
        (tmp_path / "none.py", "cannot be read"),
        (tmp_path / "folder.py", "is a folder"),
        (write(tmp_path, "large.py", "x = 1\n" * 2000), "larger than"),
    ):
        with pytest.raises(UnreadableSubmission, match=words):
            load_submission(path)


def test_an_endless_file_is_stopped(tmp_path):
    with pytest.raises(UnreadableSubmission, match="did not end within"):
        load_submission(write(tmp_path, "endless.py", "while True:\n    pass\n"), deadline_s=0.3)


def test_magics_keep_the_line_numbers():
    assert without_magics("x = 1\n  %matplotlib inline\n!ls\nfoo?\ny = 2").splitlines() == [
        "x = 1",
        "  pass",
        "pass",
        "pass",
        "y = 2",
    ]


def test_odd_cells_are_passed_over(tmp_path):
    data = {
        "cells": [
            None,
            3,
            {"cell_type": "code"},
            {"cell_type": "code", "source": [1, "x = 1"]},
            {"cell_type": "raw", "source": "x = 2"},
        ]
    }
    assert load_submission(write(tmp_path, "odd.ipynb", data)).names["x"] == 1
