"""The parts of the site's build that need no network, and the event loop that runs inside another one."""

import asyncio
import base64
import csv
import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.site import lite, lock, pyodide, wheels
from grader.site.build import build_site
from grader.site.errors import CannotBuild
from grader.site.kernel.event_loop import run_now
from grader.site.kernel.expected_errors import go_on_behind_them, is_expected
from grader.site.kernel.threads import WaitsForEver

ROOT = Path(__file__).parents[2]


def pins(path):
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def read(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_the_course_s_wheel_holds_what_check_needs_and_no_classroom(tmp_path):
    files = read(wheels.own_wheel(tmp_path))
    assert {"grader/__init__.py", "grader/judging/judge.py", "grader/site/kernel/threads.py"} <= set(files)
    assert {"grader/_data/chapters/course.toml", "grader/_data/fixtures/loops/weather-one-call.json"} <= set(files)
    assert not [name for name in files if name.startswith(("grader/classroom/", "grader/commands/"))]


def test_a_wheel_s_record_tells_the_truth(tmp_path):
    files = read(wheels.pure_wheel("MarkupSafe", tmp_path))
    record = next(name for name in files if name.endswith("/RECORD"))
    rows = {row[0]: row[1] for row in csv.reader(files.pop(record).decode().splitlines())}
    assert rows.pop(record) == ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert rows[name] == f"sha256={digest}"
    assert not [name for name in files if name.endswith((".so", ".pyd"))]


def test_the_same_files_give_the_same_wheel(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert wheels.own_wheel(tmp_path / "a").read_bytes() == wheels.own_wheel(tmp_path / "b").read_bytes()


def test_the_lock_file_names_every_wheel_with_its_checksum(tmp_path):
    wheel = wheels.pure_wheel("MarkupSafe", tmp_path)
    made = lock.lock({"python": "3.14.2"}, [wheel])
    entry = made["packages"]["markupsafe"]
    assert (made["info"], entry["file_name"]) == ({"python": "3.14.2"}, wheel.name)
    assert entry["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert lock.canonical("Prompt_Toolkit.x") == "prompt-toolkit-x"


def test_another_package_than_the_pinned_one_is_refused(tmp_path):
    with tarfile.open(tmp_path / "pyodide.tgz", "w:gz"):
        pass
    with pytest.raises(CannotBuild, match="checksum differs"):
        pyodide.unpack_core(tmp_path / "pyodide.tgz", tmp_path / "core")


def test_missing_tools_are_one_message_and_exit_code_2(monkeypatch, tmp_path):
    monkeypatch.setattr(lite, "_NEEDED", {"no_such_module_here": "jupyterlite-core"})
    done = CliRunner().invoke(main, ["site", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "pip install -r requirements-site.txt" in done.output
    assert not (tmp_path / "out").exists()


def test_a_folder_of_something_else_is_not_replaced(monkeypatch, tmp_path):
    monkeypatch.setattr(lite, "_NEEDED", {})
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotBuild, match="not empty"):
        build_site(tmp_path)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_a_coroutine_runs_to_its_end_inside_a_running_loop():
    async def inner():
        first, second = await asyncio.gather(asyncio.sleep(0.01, "a"), asyncio.sleep(0, "b"))
        return first + second

    async def outer():
        before = asyncio.current_task()
        result = run_now(inner())
        await asyncio.sleep(0)  # the outer loop goes on as if nothing had been
        return result, asyncio.current_task() is before

    assert asyncio.run(outer()) == ("ab", True)


def test_what_a_coroutine_raises_comes_out_and_the_loop_around_is_put_back():
    async def fails():
        raise ValueError("no boats")

    async def outer():
        with pytest.raises(ValueError, match="no boats"):
            run_now(fails())
        return asyncio.get_running_loop() is not None

    assert asyncio.run(outer())


def test_a_coroutine_that_waits_for_nothing_is_stopped_at_once():
    async def waits():
        await asyncio.Event().wait()

    with pytest.raises(WaitsForEver):
        run_now(waits())


def test_the_grader_leaves_threads_alone_where_there_are_threads():
    code = "import threading as t; real = t.Thread.start; from grader import check; assert t.Thread.start is real"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"metadata": {"tags": ["raises-exception"]}}, True),
        ({"metadata": {"tags": []}}, False),
        ({"metadata": {}}, False),
        (None, False),
    ],
)
def test_the_tag_is_read_from_the_request(request_, expected):
    assert is_expected(request_) is expected


def test_an_expected_error_is_printed_and_another_one_is_reported(capsys):
    class Shell:
        _last_traceback = None

        class kernel:  # noqa: N801
            _parent_header = {"metadata": {"tags": ["raises-exception"]}}

        def _showtraceback(self, kind, error, lines):
            self._last_traceback = lines

    shell = Shell()
    go_on_behind_them(shell)
    shell._showtraceback(ValueError, "x", ["on purpose"])
    assert (shell._last_traceback, capsys.readouterr().err) == (None, "on purpose\n")
    shell.kernel._parent_header = {"metadata": {}}
    shell._showtraceback(ValueError, "x", ["by accident"])
    assert shell._last_traceback == ["by accident"]


def test_the_browser_gets_the_versions_that_a_learner_gets():
    def named(lines):
        return {lock.canonical(line.split("==")[0]): line.split("==")[1] for line in lines if "==" in line}

    here, there = named(pins("requirements.txt")), named(pins("grader/site/browser-packages.txt"))
    both = set(here) & set(there)
    assert {"anthropic", "httpx2", "hypothesis", "ipywidgets", "pydantic", "rich"} <= both
    assert {name: here[name] for name in both} == {name: there[name] for name in both}


def test_the_tests_build_the_site_with_the_tools_that_are_named_for_it():
    assert pins("requirements-site.txt") <= pins("requirements-dev.txt")
