"""The table of chapters in the README: made from course.toml, between two marks."""

from grader.course.chapters import load_course
from grader.places import ROOT

README = ROOT / "README.md"
_BEGIN, _END = "<!-- chapters: made by `python -m grader build` -->\n", "<!-- end of chapters -->"


def readme_text() -> str:
    """The README as it should be: its own text, with the table of chapters of today. Raises ValueError when a mark is missing."""
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    return before + _BEGIN + _table() + _END + rest.split(_END)[1]


def _table() -> str:
    rows = [f"| {one.n} | [{one.title}](notebooks/{one.stem}.ipynb) | {one.line} |" for one in load_course().chapter]
    return "\n".join(["", "| | chapter | what you do |", "| --- | --- | --- |", *rows, "", ""])
