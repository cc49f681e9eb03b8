"""Functions and variables of a submission are judged in the sandbox as they are at home, and every solved notebook
earns all points.
"""

import linecache
import textwrap

import pytest

from grader.classroom.grade import Task, grade
from grader.classroom.remote import Names
from grader.classroom.sandbox import Limits, Sandbox, parse_submission
from grader.commands.class_ import assignment_for
from grader.course.chapters import load_course
from grader.judging.exercises import grade_exercise
from grader.places import SOLUTIONS
from tests.classroom.conftest import needs_linux

CHAPTERS = load_course().chapter
EXERCISES = {exercise.id: exercise for exercise in load_course().exercises}


@pytest.fixture(scope="module")
def box():
    needs_linux()
    with Sandbox(Limits(restarts=2)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)
def test_a_solved_notebook_has_all_points(box, chapter):
    path = SOLUTIONS / f"{chapter.stem}.ipynb"
    (sheet,) = (
        one
        for one in assignment_for(chapter=None, level=None, function="run_agent", fuzz=0, keep="best").sheets
        if one.stem == chapter.stem
    )
    result = grade(box, Task(path.name, path.read_bytes(), sheet, 5))
    report = result["report"]
    wrong = [(one["id"], one["violations"]) for one in report["exercises"] if one["verdict"] != "passed"]
    assert wrong == [] and report["points"] == report["max_points"] > 0 and result["state"] == "graded"


CASES = {
    "stub": ("unanswered", "def unanswered(messages):\n    raise NotImplementedError('write it')"),
    "none": ("unanswered", "def unanswered(messages):\n    pass"),
    "tuple": ("unanswered", "def unanswered(messages):\n    return ()"),
    "set": ("unanswered", "def unanswered(messages):\n    return {'toolu_1'}"),
    "changes its argument": (
        "unanswered",
        "def unanswered(messages):\n    messages.append({'role': 'user', 'content': 'x'})\n    return []",
    ),
    "raises": ("unanswered", "def unanswered(messages):\n    return messages[99]"),
    "raises a class of its own": (
        "unanswered",
        "class Oh(Exception):\n    pass\n\ndef unanswered(messages):\n    raise Oh('no')",
    ),
    "no function": ("unanswered", "unanswered = 3"),
    "not there": ("unanswered", "x = 3"),
    "calls nothing": (
        "answer",
        "def answer(block, functions):\n    return {'type': 'tool_result', 'tool_use_id': block.id, 'content': '7'}",
    ),
    "positional": (
        "answer",
        """
        def answer(block, functions):
            text = functions[block.name](*block.input.values())
            return {'type': 'tool_result', 'tool_use_id': block.id, 'content': text}
        """,
    ),
    "wrong id": (
        "answer",
        """
        def answer(block, functions):
            return {'type': 'tool_result', 'tool_use_id': 'x', 'content': functions[block.name](**block.input)}
        """,
    ),
    "history with a tuple": ("by-hand", "messages = ({'role': 'user', 'content': 'Hello'},)"),
    "history that is refused": ("by-hand", "messages = [{'role': 'user', 'content': ''}]"),
    "history of nonsense": ("by-hand", "messages = [1, {2}, object]"),
    "blank": ("by-hand", "messages = ..."),
    "answer": ("carried", "carried = 6.0"),
    "answer in a list": ("recall-1", "recall = ('c', 'b', None, 'x')"),
    "answer that is an object": (
        "carried",
        "class Six:\n    def __str__(self):\n        return '6'\n\ncarried = Six()",
    ),
    "answer that cannot be shown": (
        "carried",
        "class Bad:\n    def __str__(self):\n        raise ValueError\n\ncarried = Bad()",
    ),
    "one after the other": (
        "answer-together",
        """
        async def answer_all(calls, functions, messages):
            results = []
            for call in calls:
                try:
                    text, wrong = await functions[call.name](**call.input), False
                except Exception as error:
                    text, wrong = f"{type(error).__name__}: {error}", True
                results.append({"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": wrong})
            messages.append({"role": "user", "content": results})
        """,
    ),
    "lets no cancellation through": (
        "answer-together",
        """
        import asyncio

        async def answer_all(calls, functions, messages):
            results = []
            tasks = [asyncio.ensure_future(functions[call.name](**call.input)) for call in calls]
            try:
                await asyncio.gather(*tasks, return_exceptions=True)
            except asyncio.CancelledError:
                pass
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_judged_as_at_home(box, name):
    exercise_id, code = CASES[name]
    exercise, code = EXERCISES[exercise_id], textwrap.dedent(code)
    module: dict = {}
    linecache.cache["submission.py"] = (
        len(code),
        None,
        code.splitlines(keepends=True),
        "submission.py",
    )  # where a crash shows its line
    exec(compile(code, "submission.py", "exec"), module)
    home = grade_exercise(exercise, module.get(exercise.name, ...), seed=3)
    with box.open(parse_submission("a.py", code.encode())) as session:
        away = grade_exercise(exercise, Names(session).get(exercise.name, ...), seed=3)
    assert said(away) == said(home)


def said(report) -> tuple:
    checks = [(one.name, one.verdict, [(v.rule, v.where, v.saw) for v in one.violations]) for one in report.checks]
    return report.verdict, report.points, checks


def test_a_function_that_never_returns_costs_seconds_not_the_class(box):
    code = "def unanswered(messages):\n    while True:\n        pass\n"
    with box.open(parse_submission("a.py", code.encode())) as session:
        report = grade_exercise(EXERCISES["unanswered"], Names(session).get("unanswered", ...), seed=3)
        assert session.result.cpu_s < 25
    assert report.points == 0 and report.violations[0].rule == "X03"


def test_what_a_scripted_function_saw_cannot_be_forged(box):
    """The log of the calls is not in the submission's process."""
    code = """
        import gc

        def answer(block, functions):
            for thing in gc.get_objects():
                if type(thing).__name__ == "Calls":
                    thing.made.append({"name": block.name, "kwargs": block.input})
            return {"type": "tool_result", "tool_use_id": block.id, "content": "7"}
    """
    with box.open(parse_submission("a.py", textwrap.dedent(code).encode())) as session:
        report = grade_exercise(EXERCISES["answer"], Names(session).get("answer", ...), seed=3)
    assert report.points == 0


FORGED = """
import sys

asking = sys.modules["guest.asking"]


def bill(*args):
    pass


def forged(names, door, run, order):
    return "returned", {data}


asking.{which} = forged
"""


def test_a_folders_name_cannot_make_texts_grow(box, tmp_path):
    data = {"value": "/" * 100, "folders": [["/" * 1000, "/"], [str(tmp_path), "/"], [1], 2]}
    with box.open(parse_submission("a.py", FORGED.format(which="ask", data=data).encode())) as session:
        assert Names(session).get("bill", None)(tmp_path / "desk") == "/" * 100


@pytest.mark.parametrize("value", [{"$object": []}, {"$object": "x"}, [{"$int": "f" * 3999}], {"$int": "f" * 39_999}])
def test_marks_that_are_filled_wrongly_are_values(box, value):
    data = {"callable": False, "value": value}
    with box.open(parse_submission("a.py", FORGED.format(which="look", data=data).encode())) as session:
        repr(Names(session).get("bill", None))


LOUD = {
    "status": "def run_agent(client, task, tools, functions, **limits):\n    return '<S>' * 900_000, []\n",
    "tools": """
        def run_agent(client, task, tools, functions, **limits):
            tool = {"name": "n" * 2_000_000, "input_schema": {}}
            body = {"model": "m", "max_tokens": 1, "messages": [], "tools": [tool]}
            client.post("/v1/messages", cast_to=object, body=body)
        """,
    "messages": "messages = list(range(20_000))\n",
    "ids": """
        def run_agent(client, task, tools, functions, **limits):
            messages, body = [{"role": "user", "content": task}], {"model": "m", "max_tokens": 1, "messages": [], "tools": 5}
            try:
                client.post("/v1/messages", cast_to=object, body=body)
            except Exception:
                pass
            open_call = {"type": "tool_use", "id": [1], "name": {}, "input": []}
            return "done", [*messages, {"role": "assistant", "content": [open_call]}]
        """,
}


@pytest.mark.parametrize("name", LOUD)
def test_no_report_is_large_and_none_a_fault_of_ours(box, name):
    sheets = assignment_for(chapter=None, level=None, function="run_agent", fuzz=0, keep="best").sheets
    (sheet,) = (one for one in sheets if one.label == ("1" if name == "messages" else "9"))
    result = grade(box, Task("a.py", textwrap.dedent(LOUD[name]).encode(), sheet, 5))
    assert result["state"] == "graded" and result["report"]["points"] == 0
    assert len(repr(result)) < 500_000
