import io
import json
import subprocess
import sys

import pytest

from grader.history.examples import TASK, request
from grader.history.files import UnreadableInput, read_histories

LIST = [TASK]
REQUEST = request(TASK)


def read(content, tmp_path):
    """The histories of a file with this content."""
    path = tmp_path / "input"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(place.replace(str(path), "input"), history) for place, history in read_histories(path)]


def lines(*values):
    return "\n".join(json.dumps(value) for value in values) + "\n"


@pytest.mark.parametrize(
    "content, expected",
    [
        (json.dumps(LIST), [("input:1", LIST)]),
        (json.dumps(REQUEST, indent=2), [("input:1", REQUEST)]),
        ("\n\n" + json.dumps(LIST, indent=1), [("input:1", LIST)]),
        (json.dumps({"status": 200, "request": REQUEST}), [("input:1", REQUEST)]),
        (json.dumps({"request": REQUEST}, indent=4), [("input:1", REQUEST)]),
        (lines(LIST, REQUEST, {"request": REQUEST}), [("input:1", LIST), ("input:2", REQUEST), ("input:3", REQUEST)]),
        ("\n" + lines(LIST) + "\n\n" + lines(REQUEST), [("input:2", LIST), ("input:5", REQUEST)]),
        (b"\xef\xbb\xbf" + lines(LIST, LIST).encode(), [("input:1", LIST), ("input:2", LIST)]),
        (lines(LIST).replace("\n", "\r\n"), [("input:1", LIST)]),
        ("[]", [("input:1", [])]),
        ('{"messages": null}', [("input:1", {"messages": None})]),
    ],
)
def test_histories(content, expected, tmp_path):
    assert read(content, tmp_path) == expected


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "input: is empty"),
        (" \n\n", "input: is empty"),
        (b"\xef\xbb\xbf", "input:1: ends in the middle of a JSON value"),
        ("hello", "input:1: is not JSON: Expecting value at column 1"),
        ("{'role': 'user'}", "input:1: is not JSON: Expecting property name enclosed in double quotes at column 2"),
        ('[{"role": "user", "content": "Hel', "input:1: ends in the middle of a JSON value"),
        (json.dumps(REQUEST, indent=2)[:-5], "ends in the middle of a JSON value"),
        (
            json.dumps(REQUEST, indent=2).replace('"model":', '"model"'),
            "input:2: is not JSON: Expecting ':' delimiter at column 11",
        ),
        (lines(LIST) + '{"messages": [', "input:2: ends in the middle of a JSON value"),
        (lines(LIST) + "\n" + "oops\n", "input:3: is not JSON: Expecting value at column 1"),
        ('[{"role": "user", "content": "caf\xe9"}]'.encode("latin-1"), "input:1: is not UTF-8 (byte 0xe9)"),
        (lines(LIST).encode() + b"\xff\n", "input:2: is not UTF-8 (byte 0xff)"),
        (json.dumps(LIST).encode("utf-16"), "input:1: is UTF-16, not UTF-8; save it as UTF-8"),
        ("3", "input:1: neither a list of messages nor a request"),
        ('"text"', "input:1: neither a list of messages nor a request"),
        ('{"request": "x"}', "input:1: its `request` is not an object"),
        (
            '{"cells": [], "nbformat": 4}',
            "input:1: an object without `messages` or `request` (it has 'cells', 'nbformat')",
        ),
        ("{}", "input:1: an object without `messages` or `request` (it has no keys)"),
        ('[{"role": "user", "role": "assistant"}]', "input:1: the key 'role' stands twice in one object"),
        ("[" * 100_000, "input:1: is nested too deeply"),
        ("[" + "1" * 5000 + "]", "input:1: Exceeds the limit"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(content, message, tmp_path):
    with pytest.raises(UnreadableInput) as caught:
        read(content, tmp_path)
    assert message in str(caught.value).replace(str(tmp_path / "input"), "input")
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(UnreadableInput, match="can't be read"):
            list(read_histories(path))


def test_text_and_standard_input():
    assert list(read_histories("text", json.dumps(LIST))) == [("text:1", LIST)]
    code = "from grader.history.files import read_histories; print([place for place, _ in read_histories('-')])"
    run = subprocess.run(
        [sys.executable, "-c", code], input=lines(LIST, LIST).encode(), capture_output=True, check=True, timeout=60
    )
    assert run.stdout.decode().strip() == "['-:1', '-:2']"


def test_what_comes_before_a_bad_line_is_read():
    histories = read_histories("text", lines(LIST) + "oops")
    assert next(histories) == ("text:1", LIST)
    with pytest.raises(UnreadableInput, match="text:2"):
        next(histories)


def test_jsonl_is_read_a_line_at_a_time(monkeypatch):
    """A stream of lines without end gives histories, and only as many lines are taken as histories are asked for."""
    taken = []

    class Endless(io.RawIOBase):
        def readline(self, size=-1):
            taken.append(1)
            return lines(LIST).encode()

        def read(self, size=-1):
            raise AssertionError("a JSONL stream is never read as a whole")

    monkeypatch.setattr("builtins.open", lambda *args, **options: Endless())
    histories = read_histories("endless.jsonl")
    for _ in range(1000):
        next(histories)
    assert len(taken) <= 1001
