"""Small classes to grade. A run with the sandbox costs seconds, so the loops are short and the level is the first."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from grader.commands.class_ import assignment_for
from grader.places import NOTEBOOKS, SOLUTIONS

RIGHT = """
def run_agent(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model="m", max_tokens=1000, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)} for call in calls
        ]
        messages.append({"role": "user", "content": results})
"""
WRONG = RIGHT.replace('        messages.append({"role": "assistant", "content": reply.content})\n', "")
LOOP = assignment_for(chapter=None, level="loop", function="run_agent", fuzz=0, keep="best")


def needs_linux() -> None:
    if sys.platform != "linux":
        pytest.skip("the sandbox needs Linux")


@pytest.fixture
def folder(tmp_path) -> Path:
    """A class of nine: right, wrong, copied, empty, untouched, gone wrong in every way that is cheap."""
    root = tmp_path / "class"
    root.mkdir()
    (root / "ada.py").write_text(RIGHT, encoding="utf-8")
    (root / "bo.py").write_text(WRONG, encoding="utf-8")
    (root / "cy.py").write_text(RIGHT + "\n\n", encoding="utf-8")
    (root / "di.py").write_text("", encoding="utf-8")
    (root / "ed.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    (root / "flo").mkdir()
    (root / "flo" / "first.py").write_text(WRONG + "# 1", encoding="utf-8")
    (root / "flo" / "second.py").write_text(RIGHT + "# 2", encoding="utf-8")
    (root / "flo" / "third.py").write_text(WRONG + "# 3", encoding="utf-8")
    (root / "flo" / "helper.py").write_text("x = 1", encoding="utf-8")
    (root / "gus.ipynb").write_text("{not json", encoding="utf-8")
    (root / "=hal").mkdir()
    (root / "=hal" / "loop.py").write_text(
        "def run_agent(client, task, tools, functions):\n    raise NotImplementedError\n", encoding="utf-8"
    )
    (root / "ivy").mkdir()
    (root / "ivy" / "notes.txt").write_text("I will do it later", encoding="utf-8")
    return root


@pytest.fixture
def solved(tmp_path):
    """``solved(n)``: a copy of a chapter's solved notebook, and its data."""

    def copy(n: int, name: str = "ada.ipynb", kind=SOLUTIONS):
        (source,) = kind.glob(f"{n:02d}_*.ipynb")
        target = tmp_path / "chapter" / name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(source, target)
        return target, json.loads(target.read_text(encoding="utf-8"))

    copy.handed_out = lambda n, name: copy(n, name, NOTEBOOKS)
    return copy
