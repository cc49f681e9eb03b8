"""``grader lint``: formats, exit codes, and input that can't be read. Both ways in give the same answer."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from grader.cli import main

GOOD = [{"role": "user", "content": "Hi"}]
OPEN = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]},
    {"role": "user", "content": "Well?"},
]


def lint(*words, text=None):
    return CliRunner().invoke(main, ["lint", *map(str, words)], input=text)


@pytest.fixture
def file(tmp_path):
    def write(content, name="history.json"):
        path = tmp_path / name
        path.write_bytes(
            content
            if isinstance(content, bytes)
            else (content if isinstance(content, str) else json.dumps(content)).encode()
        )
        return path

    return write


def test_a_sound_history(file):
    result = lint(file(GOOD))
    assert result.exit_code == 0 and "1 history read" in result.output


def test_a_refused_history_as_text_and_as_json(file):
    result = lint(file(OPEN))
    assert result.exit_code == 1
    assert "P01 unanswered-call (refused)" in result.output and "toolu_1" in result.output
    found = json.loads(lint(file(OPEN), "--format", "json").output)
    assert found["source"].endswith("history.json:1")
    assert set(found["violations"][0]) == {"rule", "name", "severity", "where", "saw", "help", "api"}


def test_jsonl_and_objects_that_hold_a_request(file):
    lines = "\n".join(
        json.dumps(one) for one in ({"messages": GOOD}, {"request": {"messages": OPEN}, "status": 400}, GOOD)
    )
    result = lint(file(lines, "many.jsonl"), "--format", "json")
    found = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert [one["source"].rsplit(":", 1)[1] for one in found] == ["1", "2", "3"]
    assert [bool(one["violations"]) for one in found] == [False, True, False]


def test_standard_input(file):
    assert lint("-", text=json.dumps(OPEN)).exit_code == 1


def test_select_and_ignore(file):
    path = file(OPEN)
    assert lint(path, "--ignore", "P01").exit_code == 0
    assert lint(path, "--select", "E01").exit_code == 0
    assert lint(path, "--select", "unanswered-call").exit_code == 1
    assert lint(path, "--select", "Z99").exit_code == 2


@pytest.mark.parametrize("content", [b"", b"not json", b'{"messages": [', b"\xff\xfe\xfa", b"[1, 2", b'"text"\n{'])
def test_unreadable_input_exits_with_2_and_one_line(file, content):
    result = lint(file(content))
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1 and "history.json" in result.stderr


def test_a_missing_file(tmp_path):
    result = lint(tmp_path / "none.json")
    assert result.exit_code == 2 and "none.json" in result.stderr


def test_an_unreadable_file_does_not_stop_the_others(file, tmp_path):
    result = lint(tmp_path / "none.json", file(OPEN))
    assert result.exit_code == 2 and "P01" in result.output


def test_the_quick_way_in_gives_the_same_answer_and_loads_no_option_parser(file):
    path = file(OPEN)
    code = (
        "import sys; sys.argv = ['grader', 'lint', sys.argv[1]]\n"
        "import grader.__main__ as m\n"
        "try: m.main()\n"
        "except SystemExit as e: code = e.code\n"
        "assert 'click' not in sys.modules and 'rich' not in sys.modules and 'anthropic' not in sys.modules\n"
        "sys.exit(code)"
    )
    quick = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, encoding="utf-8", check=False)
    assert (quick.returncode, quick.stdout) == (1, lint(path).output)
