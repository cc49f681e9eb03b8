"""What is handed in is read as data, whatever it is."""

import json
import os

import pytest

from grader.classroom.sandbox import Limits, UnreadableSubmission, parse_submission, read_submission


def notebook(cells) -> bytes:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def code(source) -> dict:
    return {"cell_type": "code", "source": source}


def test_cells_of_a_notebook_in_order():
    read = parse_submission(
        "a.ipynb", notebook([code("x = 1"), {"cell_type": "markdown", "source": "no"}, code(["y", " = 2"])])
    )
    assert read.cells == (("cell 1", "x = 1"), ("cell 3", "y = 2"))


def test_a_python_file_is_one_cell():
    assert parse_submission("a.py", b"\xef\xbb\xbfx = 1\r\n").cells == (("submission.py", "x = 1\r\n"),)


@pytest.mark.parametrize("data", [b"", b"  \n", notebook([]), notebook([code(" ")])])
def test_empty(data):
    assert parse_submission("a.ipynb" if data.startswith(b"{") else "a.py", data).is_empty


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.ipynb", b"{", "JSON"),
        ("a.ipynb", b"[" * 100_000, "JSON"),
        ("a.ipynb", b'{"cells": 5}', "list of cells"),
        ("a.ipynb", b"[]", "list of cells"),
        ("a.ipynb", b"PK\x03\x04\xff\xfe", "UTF-8"),
        ("a.zip", b"PK", "neither"),
        ("a.py.exe", b"x = 1", "neither"),
        ("a.ipynb", notebook([code("x")] * 2001), "more than 2000 cells"),
        ("a.ipynb", notebook([code("")] * 1_000_000), "larger"),
        ("a.py", b"#" * (9 << 20), "larger"),
    ],
)
def test_no_submission(name, data, says):
    with pytest.raises(UnreadableSubmission, match=says):
        parse_submission(name, data)


def test_odd_names_are_only_names(tmp_path):
    for name in ("new\nline.py", "<script>alert(1)<script>.py", "=cmd|x.py", "..py", "é\u202e.py"):
        path = tmp_path / name
        path.write_text("x = 1")
        assert read_submission(path).name == name


def test_links_and_devices_are_not_opened(tmp_path):
    secret = tmp_path / "solution.py"
    secret.write_text("x = 1")
    os.symlink(secret, tmp_path / "link.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    for name in ("link.py", "pipe.py", "folder.py", "missing.py"):
        with pytest.raises(UnreadableSubmission):
            read_submission(tmp_path / name)


def test_no_more_than_the_cap_is_read(tmp_path):
    path = tmp_path / "sparse.py"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UnreadableSubmission, match="larger"):
        read_submission(path, Limits(source=1 << 20))
