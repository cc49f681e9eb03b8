"""What the site shows: the notebooks, and a page that leads to them."""

from __future__ import annotations

import html
import json
from pathlib import Path

from grader import places
from grader.course.chapters import load_course
from grader.site.errors import CannotBuild

_KERNELSPEC = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
_PAGE = Path(__file__).with_name("welcome.html")


def copy_notebooks(folder: Path) -> int:
    """Copy the course's notebooks and solutions, set to the browser's kernel. Out: their number. Raises CannotBuild."""
    count = 0
    for source in (places.NOTEBOOKS, places.SOLUTIONS):
        (folder / source.name).mkdir(parents=True)
        for path in sorted(source.glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            notebook["metadata"]["kernelspec"] = _KERNELSPEC
            text = json.dumps(notebook, ensure_ascii=False, indent=1)
            (folder / source.name / path.name).write_text(text, encoding="utf-8", newline="\n")
            count += 1
    if not count:
        raise CannotBuild("There are no notebooks here. Build the site from a clone of the course.")
    return count


def write_welcome(out: Path) -> None:
    """Put the page with the list of chapters at the site's root."""
    lines = []
    for chapter in load_course().chapter:
        address = f"lab/index.html?path=notebooks/{chapter.n:02d}_{chapter.slug}.ipynb"
        title, line = html.escape(chapter.title), html.escape(chapter.line).replace("`", "")
        lines.append(f'<li><a href="{html.escape(address)}">{title}</a><br>{line}</li>')
    page = _PAGE.read_text(encoding="utf-8").replace("<!-- chapters -->", "\n".join(lines))
    (out / "index.html").write_text(page, encoding="utf-8", newline="\n")
