"""The ``build`` command: everything in the tree that is made from something else."""

from pathlib import Path

from grader import places
from grader.commands.readme import README, readme_text
from grader.commands.rulebook import all_rules
from grader.course.build import build, stats
from grader.history.pages import pages
from grader.judging import report
from grader.replay import scenario


def generated() -> dict[Path, str]:
    """The generated texts besides the notebooks: rule pages, JSON Schemas and the README's table of chapters, by path."""
    texts = {places.RULE_PAGES / name: text for name, text in pages(all_rules()).items()}
    return texts | {scenario.SCHEMA: scenario.schema_text(), report.SCHEMA: report.schema_text(), README: readme_text()}


def build_all() -> list[Path]:
    """Make everything; return the paths that changed. Raises CourseError when a chapter is wrong."""
    written = [path for path, text in generated().items() if _write(path, text)]
    gone = _left_over_pages()
    for path in gone:
        path.unlink()
    return [_short(path) for path in [*written, *gone, *build()]]


def stale() -> list[Path]:
    """What differs from what ``build_all`` would make; nothing is written. Raises CourseError."""
    differs = [
        path for path, text in generated().items() if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return [_short(path) for path in [*differs, *_left_over_pages(), *build(check=True)]]


def stats_table() -> str:
    """Words, cells and code lines of each chapter, one line each."""
    lines = [f"{'chapter':<32} {'words':>6} {'cells':>6} {'code lines':>11}"]
    for one in stats():
        lines.append(f"{one.n:02d} {one.slug:<29} {one.words:>6} {one.cells:>6} {one.code_lines:>11}")
    return "\n".join(lines)


def _left_over_pages() -> list[Path]:
    made = {path.name for path in generated() if path.parent == places.RULE_PAGES}
    return [path for path in sorted(places.RULE_PAGES.glob("*.md")) if path.name not in made]


def _write(path: Path, text: str) -> bool:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def _short(path: Path) -> Path:
    return path.relative_to(places.ROOT) if path.is_relative_to(places.ROOT) else path
