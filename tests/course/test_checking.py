"""check in a notebook: a report for whatever is handed in, and nothing left behind."""

import re
import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.course import check
from grader.course.chapters import load_course

EXERCISES = [exercise.id for exercise in load_course().exercises]


class Hostile:
    """An object whose every method fails."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def _fail(self, *args, **kwargs):
        raise RuntimeError("no")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __call__ = __getitem__ = _fail


def crash(*args, **kwargs):
    raise ZeroDivisionError("<b>mine</b>")


def leave(*args, **kwargs):
    sys.exit("bye")


def stub(*args, **kwargs):
    raise NotImplementedError("write it")


async def coroutine(*args, **kwargs):
    return 1


VALUES = {
    "nothing": None,
    "dots": ...,
    "number": 3,
    "nan": float("nan"),
    "text": "x",
    "bytes": b"x",
    "empty list": [],
    "deep": {"a": [{}]},
    "object": object(),
    "class": Hostile,
    "hostile": Hostile(),
    "module": sys,
    "lambda": lambda: 1,
    "crash": crash,
    "leave": leave,
    "stub": stub,
    "coroutine": coroutine,
    "generator": (n for n in ()),
    "strange role": [{"role": 3, "content": {1: 2}}],
}


def assert_sound(result):
    """A result that a notebook can draw."""
    assert result.verdict in ("passed", "failed", "not_attempted", "error")
    bundle = result._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert all(isinstance(text, str) and text.strip() for text in bundle.values())
    assert "The grader itself failed" not in result.text


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("name", VALUES)
def test_check_never_raises(exercise, name):
    result = check(exercise, VALUES[name], seed=1)
    assert_sound(result)
    assert not result.passed


async def async_stub(*args, **kwargs):
    raise NotImplementedError("write it")


json_like = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize("exercise", [e.id for e in load_course().exercises if e.kind in ("answer", "history")])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(value=json_like)
def test_check_never_raises_on_data(exercise, value):
    assert_sound(check(exercise, value, seed=1))


@pytest.mark.parametrize("exercise", [e.id for e in load_course().exercises if e.kind in ("loop", "function")])
def test_a_stub_reads_not_attempted(exercise):
    result = check(exercise, async_stub if load_course().find(exercise).coroutine else stub)
    assert (result.verdict, result.points, result.passed) == ("not_attempted", 0, False)
    assert "not attempted yet" in result.text
    assert "not attempted yet" in result.html


def test_a_learners_text_is_no_markup():
    assert "<b>mine" not in check("loop", crash, seed=1).html
    assert "ZeroDivisionError" in check("loop", crash, seed=1).text


EVIL = '<script>alert(1)</script><img src=x>\x1b[31m\x00\ud800\ufffe\u202e\u2066&amp;"]]>'


def crash_evil(*args, **kwargs):
    raise ValueError(EVIL)


def leave_evil(*args, **kwargs):
    sys.exit(EVIL)


def return_evil(*args, **kwargs):
    return EVIL, [{"role": EVIL, "content": EVIL}]


@pytest.mark.parametrize(
    ("exercise", "value"),
    [
        ("loop", crash_evil),
        ("loop", leave_evil),
        ("loop", return_evil),
        ("answer", crash_evil),
        ("answer", lambda *args: EVIL),
        ("by-hand", [{"role": EVIL, "content": EVIL}]),
        ("recall-1", [EVIL]),
        ("messages-sent", EVIL),
        (EVIL, 1),
    ],
)
def test_a_hostile_text_is_seen_and_does_nothing(exercise, value):
    result = check(exercise, value)
    assert result.verdict != "passed"
    for text in (result.html, result.text):
        text.encode("utf-8")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]", text)
    assert "<script" not in result.html and "<img" not in result.html


@pytest.mark.parametrize("name", ["lop", "", None, 3, ["loop"]], ids=repr)
def test_a_wrong_id_says_so(name):
    result = check(name, None)
    assert (result.verdict, result.points) == ("error", 0)
    assert result.text.startswith("No such exercise.")
    assert "Traceback" not in result.text


def test_the_nearest_id_is_offered():
    assert 'Did you mean "loop"?' in check("lopp", None).text


def test_a_fault_of_the_grader_is_not_blamed_on_the_learner(monkeypatch):
    def broken(*args, **kwargs):
        raise KeyError("ours")

    monkeypatch.setattr("grader.judging.grade_value", broken)
    result = check("loop", stub)
    assert result.verdict == "error"
    assert "The grader itself failed here. This is not about your code." in result.text


def test_a_fault_whose_text_fails_is_reported_all_the_same(monkeypatch):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    def broken(*args, **kwargs):
        raise Mute

    monkeypatch.setattr("grader.judging.grade_value", broken)
    assert "Mute" in check("loop", stub).text


def test_nothing_stays_patched():
    before = (
        time.monotonic,
        time.time,
        time.perf_counter,
        time.sleep,
        sys.stdout,
        sys.excepthook,
        threading.excepthook,
    )
    for value in (crash, stub, leave):
        check("loop", value, seed=1)
    assert (
        time.monotonic,
        time.time,
        time.perf_counter,
        time.sleep,
        sys.stdout,
        sys.excepthook,
        threading.excepthook,
    ) == before


def test_a_seed_plays_the_same_run_again():
    def impatient(client, task, tools, functions):
        return "done", [{"role": "user", "content": task}]

    first, second = check("loop", impatient, seed=7), check("loop", impatient, seed=7)
    assert first.verdict == "failed" and "seed 7" in first.text
    assert first._repr_mimebundle_() == second._repr_mimebundle_()


def test_what_check_shows_does_not_hang_on_the_seed_when_all_is_well():
    exercise = next(e for e in load_course().exercises if e.kind == "loop")
    assert len({check(exercise.id, stub)._repr_mimebundle_()["text/html"] for _ in range(3)}) == 1


def test_under_nbgrader_the_text_is_the_points(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check("loop", stub)._repr_mimebundle_()["text/plain"] == "0"


def test_check_prints_nothing_by_itself(capsys):
    check("loop", crash, seed=1)
    assert capsys.readouterr() == ("", "")
