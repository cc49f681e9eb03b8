"""start.py: parses on an old Python, says what is missing in words, sets up once; the requirements are pinned."""

import ast
import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = (ROOT / "start.py").read_text(encoding="utf-8")


@pytest.fixture
def start(tmp_path, monkeypatch):
    """start.py as a module, in a folder of its own; ``start.ran`` notes the commands that it would run."""
    spec = importlib.util.spec_from_file_location("start_in_test", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "01_first.ipynb").touch()
    venv = tmp_path / ".venv"
    module.ran = []

    def call(command, **options):
        module.ran.append(command[1:])
        python = Path(module.PYTHON)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        return 0

    def run(command):
        module.ran.append(command)
        return module.codes.pop(0) if module.codes else 0

    module.codes = []
    for name, value in {
        "ROOT": str(tmp_path),
        "VENV": str(venv),
        "PYTHON": str(venv / "bin" / "python"),
        "run": run,
    }.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module.subprocess, "call", call)
    return module


def what_ran(start):
    """The second word of each command: venv, pip, pytest or jupyterlab."""
    return [command[1] for command in start.ran]


def test_it_parses_on_python_3_6_and_imports_the_standard_library_only():
    tree = ast.parse(SOURCE, feature_version=(3, 6))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


def test_the_first_time_it_makes_everything_and_then_only_opens(start, capsys):
    assert start.main([]) == 0
    assert what_ran(start) == ["venv", "pip", "jupyterlab"]
    assert capsys.readouterr().out.splitlines()[-1] == "Ready."
    assert start.main(["--no-browser"]) == 0
    assert what_ran(start) == ["venv", "pip", "jupyterlab", "jupyterlab"]
    opened = ["-m", "jupyterlab", str(Path("notebooks", "01_first.ipynb")), "--ServerApp.root_dir=" + start.ROOT]
    assert start.ran[-1] == [*opened, "--no-browser"]
    assert capsys.readouterr().out == ""


def test_test_installs_more_and_passes_on_what_follows_and_the_code(start):
    start.codes = [0, 5]
    assert start.main(["test", "-k", "x"]) == 5
    pip, pytest_command = start.ran[1:]
    assert sum(word.endswith(("requirements.txt", "requirements-dev.txt")) for word in pip) == 2
    assert pytest_command[:2] == ["-m", "pytest"] and pytest_command[-2:] == ["-k", "x"]
    start.ran.clear()
    start.main(["test"])
    start.main([])
    assert what_ran(start) == ["pytest", "jupyterlab"], "what the tests need holds all that a learner needs"


def test_a_changed_requirement_is_installed(start, tmp_path):
    start.main([])
    (tmp_path / "requirements.txt").write_text("y\n", encoding="utf-8")
    start.ran.clear()
    start.main([])
    assert what_ran(start) == ["pip", "jupyterlab"]


def test_an_install_that_failed_is_said_and_tried_again(start, capsys):
    start.codes = [1]
    assert start.main([]) == 1
    assert "Installing failed" in capsys.readouterr().err
    start.ran.clear()
    assert start.main([]) == 0
    assert what_ran(start) == ["pip", "jupyterlab"]


def test_an_old_python_is_told_so(start, monkeypatch, capsys):
    monkeypatch.setattr(start.sys, "version_info", (3, 8, 1, "final", 0))
    monkeypatch.setattr(start, "newer_python", lambda: "python3.12")
    assert start.main([]) == 2
    assert capsys.readouterr().err == (
        "This course needs Python 3.11 or newer. This is Python 3.8.\nTry: python3.12 start.py\n"
    )
    assert start.ran == []


@pytest.mark.parametrize(("platform", "word"), [("linux", "apt install python3-venv"), ("darwin", "python.org")])
def test_a_python_without_venv_is_told_what_to_do(start, monkeypatch, capsys, platform, word):
    monkeypatch.setitem(sys.modules, "ensurepip", None)  # importing it now raises ImportError
    monkeypatch.setattr(start.sys, "platform", platform)
    assert start.main([]) == 2
    assert word in capsys.readouterr().err


def test_help(start, capsys):
    assert start.main(["--help"]) == 0
    assert "start.py test" in capsys.readouterr().out


def pins(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned(name):
    assert pins(name)
    assert [line for line in pins(name) if not re.fullmatch(r"[a-z0-9_-]+==[0-9][0-9a-z.]*", line)] == []


def test_the_packages_own_requirements_are_among_them():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[A-Za-z0-9_-]+", line)[0].lower() for line in project["dependencies"]}
    assert needed <= {line.split("==")[0] for line in pins("requirements.txt")}
