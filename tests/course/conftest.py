"""A small course on disk, so that a test of the build doesn't hang on the text of a real chapter."""

import shutil
from pathlib import Path

import pytest

from grader.course.build import Folders, build

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


def check(name, value):
    """A stand-in: the build doesn't care what check says."""
    return name


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


def folders_in(root: Path) -> Folders:
    return Folders(root / "chapters", root / "notebooks", root / "solutions")


@pytest.fixture
def small_course(tmp_path):
    """Folders with one small chapter, not built yet."""
    write_small_course(tmp_path)
    return folders_in(tmp_path)


@pytest.fixture(scope="session")
def built_once(tmp_path_factory):
    """The same, built. Kernels are slow to start, so it is built once."""
    root = tmp_path_factory.mktemp("built")
    write_small_course(root)
    build(folders=folders_in(root))
    return root


@pytest.fixture
def built(built_once, tmp_path):
    """A copy of the built course, to change at will."""
    shutil.copytree(built_once, tmp_path, dirs_exist_ok=True)
    return folders_in(tmp_path)


def write_small_course(root: Path) -> None:
    (root / "chapters").mkdir()
    (root / "chapters" / "course.toml").write_text(COURSE, encoding="utf-8")
    (root / "chapters" / "01_small.py").write_text(CHAPTER, encoding="utf-8")
