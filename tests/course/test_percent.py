"""The percent format: what it reads, and that every slip is named with its line."""

import pytest

from grader.course.chapters import CourseError
from grader.course.percent import Cell, parse


def test_cells_with_their_headers():
    text = (
        "# a comment for authors\n\n# %% [markdown]\n# # Title\n#\n# text\n\n# %%\n\nx = 1\n\n\n"
        '# %% tags=["exercise"] exercise="loop"\ny = 2\n'
        '# %% [markdown] tags=["hint"] summary="More, \\"please\\""\n# hint\n'
    )
    assert parse(text) == [
        Cell("markdown", "# Title\n\ntext", 3),
        Cell("code", "x = 1", 8),
        Cell("code", "y = 2", 13, ("exercise",), "loop"),
        Cell("markdown", "hint", 15, ("hint",), summary='More, "please"'),
    ]


def test_top_level_await_and_indented_markers_are_code():
    assert parse('# %%\nawait f()\ntext = """\n    # %% not a cell\n"""')[0].source.startswith("await f()")


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("x = 1\n# %%\ny = 2", 1, "before the first cell"),
        ("# %%\nx = 1\n#%%\ny = 2", 3, "not a cell header"),
        ("# %%x\ny = 2", 1, "not a cell header"),
        ("# %% [markdown]\n# fine\nprose without a mark", 3, "prose should start"),
        ("# %% [markdown]\n#no space", 2, "prose should start"),
        ("# %%\nx = 1\n\n# %%\n\n\nx = 1\ny = (", 8, "not Python"),
        ("# %%\n!ls", 2, "not Python"),
        ("# %%\n\n# %%\nx = 1", 1, "empty cell"),
        ('# %% tags=["exercize"]\nx = 1', 1, "unknown tag 'exercize'"),
        ("# %% tags=exercise\nx = 1", 1, "not JSON"),
        ('# %% tags="exercise"\nx = 1', 1, "list of strings"),
        ('# %% colour="red"\nx = 1', 1, "expected one of"),
        ('# %% exercise="loop"\nx = 1', 1, "go with"),
        ('# %% tags=["check"]\nx = 1', 1, "go with"),
        ('# %% [markdown] tags=["raises-exception"]\n# x', 1, 'no tag but "hint"'),
        ('# %% tags=["hint"]\nx = 1', 1, "hint is a markdown cell"),
        ('# %% id="no spaces"\nx = 1', 1, "cell id"),
        ('# %% [markdown] summary="x"\n# x', 1, "summary goes with"),
    ],
)
def test_a_slip_is_named_with_its_line(text, line, word):
    with pytest.raises(CourseError) as caught:
        parse(text, "03_x.py")
    assert str(caught.value).startswith(f"03_x.py:{line}: ")
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)
