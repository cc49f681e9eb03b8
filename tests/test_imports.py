"""Imports point one way, and linting starts in a blink."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "grader"
LAYERS = {
    "history": set(),
    "replay": {"history"},
    "judging": {"history", "replay"},
    "course": {"history", "replay", "judging"},
    "classroom": {"history", "replay", "judging"},
    "site": {"history", "replay", "judging", "course"},
}
HEAVY = ("anthropic", "IPython", "click", "pydantic", "rich", "jinja2")


def imported_rooms(source: str, module: str) -> set[str]:
    """The sub-packages of grader that a module imports, at any depth of its code."""
    rooms = set()
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*module.split(".")[: -node.level], *([base] if base else [])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        rooms |= {parts[1] for parts in (name.split(".") for name in names) if parts[0] == "grader" and len(parts) > 1}
    return rooms & {*LAYERS, "cli", "commands"}


@pytest.mark.parametrize("room", LAYERS)
def test_imports_point_one_way(room):
    wrong = []
    for path in sorted((PACKAGE / room).rglob("*.py")):
        module = ".".join(["grader", *path.relative_to(PACKAGE).with_suffix("").parts])
        bad = imported_rooms(path.read_text(encoding="utf-8"), module) - LAYERS[room] - {room}
        wrong += [f"{module} imports grader.{name}" for name in sorted(bad)]
    assert wrong == []


def test_the_import_reader_sees_every_form():
    source = (
        "import grader.cli\nfrom grader import course\n"
        "def f():\n    from ..judging import x\n    from grader.replay.play import y"
    )
    assert imported_rooms(source, "grader.history.linter") == {"cli", "course", "judging", "replay"}


def test_importing_history_is_light():
    code = f"import sys, grader.history; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_notebook_names_does_not_load_the_sdk():
    code = "import sys; from grader import check, lint, scenario, show, MODEL; print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
