"""Solutions leave the learner's notebook without a trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.chapters import CourseError
from grader.course.stubs import solved, stubbed

LOOP = """def outer():
    def inner(a):
        # BEGIN SOLUTION
        return a
        # END SOLUTION
    return inner"""
METHOD = """class A:
    async def go(self):
        x = 1
        # BEGIN SOLUTION
        return x
        # END SOLUTION"""


def test_in_a_function_the_stub_raises_and_names_the_function_around_it():
    assert (
        stubbed(LOOP, "x")
        == 'def outer():\n    def inner(a):\n        raise NotImplementedError("write inner")\n    return inner'
    )


def test_an_async_method_too():
    assert stubbed(METHOD, "x").endswith('        x = 1\n        raise NotImplementedError("write go")')


def test_stub_lines_take_the_place_with_their_spaces():
    source = "# STUB: if True:\n# STUB:     x = ...\n# STUB:\n# BEGIN SOLUTION\nx = 1\n# END SOLUTION\nprint(x)"
    assert stubbed(source, "x") == "if True:\n    x = ...\n\nprint(x)"
    assert solved(source) == "# BEGIN SOLUTION\nx = 1\n# END SOLUTION\nprint(x)"


def test_stub_lines_keep_the_indent_that_they_stand_at():
    source = "def f():\n    # STUB: return None\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION"
    assert stubbed(source, "x") == "def f():\n    return None"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("x = 1", "without a solution"),
        ("# BEGIN SOLUTION\nx = 1\n# END SOLUTION", "needs STUB lines"),
        ("# STUB: x = 0\n# BEGIN SOLUTION\nx = 1", "without END"),
        ("x = 1\n# END SOLUTION", "without BEGIN"),
        ("# STUB: x = 0\n# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION", "inside a solution"),
        ("# STUB: x = 0\ny = 1\n# BEGIN SOLUTION\nx = 1\n# END SOLUTION", "directly before"),
        ("# STUB: x = 0", "without a solution"),
    ],
)
def test_markers_that_do_not_fit_are_refused(source, word):
    with pytest.raises(CourseError, match=word):
        stubbed(source, "x")


# \r and friends would be line ends to a reader of the file, not to Python's tokenizer: chapters are read with
# universal newlines.
code_lines = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r")), max_size=5)


@given(before=code_lines, secret=code_lines)
def test_nothing_between_the_markers_survives(before, secret):
    before = ["a" + line for line in before]
    secret = ["SECRET" + line for line in secret]
    source = "\n".join([*before, "# STUB: x = 0", "# BEGIN SOLUTION", *secret, "# END SOLUTION"])
    assert stubbed(source, "x") == "\n".join([*before, "x = 0"])
