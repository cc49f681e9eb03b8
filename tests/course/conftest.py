"""A small course on disk, so that a test of the build doesn't hang on the text of a real chapter."""

from textwrap import dedent

import pytest

from grader.course.build import Folders

COURSE = """
[[chapter]]
n = 1
slug = "small"
title = "Small"
line = "One sentence."
minutes = 5

  [[chapter.exercise]]
  id = "double"
  kind = "function"
  name = "double"
  fixture = "double"
  points = 3
  title = "Double a number"

  [[chapter.exercise]]
  id = "guess"
  kind = "answer"
  name = "guess"
  fixture = "guess"
  points = 1
  title = "Guess"
"""

CHAPTER = '''
# %% [markdown]
# # Small
#
# Four words of *prose*, and `code`.

# %%
import ipywidgets
print("one")
print("two")
ipywidgets.HTML("<b>bold</b>")

# %% tags=["raises-exception"]
def deep():
    raise ValueError("as it should")
deep()

# %% tags=["exercise"] exercise="double"
def double(n):
    """Twice n."""
    # BEGIN SOLUTION
    secret_word = 2
    return secret_word * n
    # END SOLUTION

# %% [markdown] tags=["hint"]
# What is twice?

# %% [markdown] tags=["hint"]
# Add it to itself.

# %% tags=["check"] exercise="double"
check("double", double)

# %% tags=["exercise"] exercise="guess"
# STUB: guess = ...  # a number
# BEGIN SOLUTION
guess = 42  # secret_word
# END SOLUTION

# %% tags=["check"] exercise="guess"
check("guess", guess)
'''


@pytest.fixture
def small_course(tmp_path):
    """Folders with one small chapter, not built yet. Its check is a stand-in: the build doesn't care what check says."""
    folders = Folders(tmp_path / "chapters", tmp_path / "notebooks", tmp_path / "solutions")
    folders.chapters.mkdir()
    (folders.chapters / "course.toml").write_text(COURSE, encoding="utf-8")
    stand_in = 'def check(name, value):\n    """Say what was handed in."""\n    return name'
    text = CHAPTER.replace("import ipywidgets\n", f"import ipywidgets\n{dedent(stand_in)}\n")
    (folders.chapters / "01_small.py").write_text(text, encoding="utf-8")
    return folders
