"""The percent format: a Python file cut into cells by ``# %%`` comments.

A parser of our own, and a strict one: a chapter with a slip in a cell's header should stop the build with a line
number, not become a slightly different notebook. What the format allows is in docs/authoring.md.
"""

import ast
import json
import re
from dataclasses import dataclass, field

from grader.course.chapters import CourseError

TAGS = frozenset({"exercise", "check", "hint", "raises-exception"})
_KEYS = {"tags", "exercise", "summary", "id"}
_HEADER = re.compile(r"^# %%(?:\s+(?P<markdown>\[markdown\]))?(?P<rest>(?:\s.*)?)$")
_KEY = re.compile(r"\s*([a-z_]+)=")
_CELL_ID = re.compile(r"^[A-Za-z0-9_-]{1,64}$")


@dataclass(frozen=True)
class Cell:
    """One cell of a chapter: its kind ("markdown" or "code"), source, line of the header, and what the header says."""

    kind: str
    source: str
    line: int
    tags: tuple[str, ...] = ()
    exercise: str | None = None
    summary: str | None = None
    id: str | None = None


@dataclass
class _Draft:
    kind: str
    line: int
    options: dict
    lines: list[str] = field(default_factory=list)


def parse(text: str, name: str = "chapter") -> list[Cell]:
    """Cut a chapter's text into cells.

    In: the text of a percent file; its name, for errors. Out: the cells, in order, markdown without its ``# ``.
    Raises CourseError ("name:line: …") for a header that is not understood, prose that is not commented, or code
    that is not Python.
    """
    drafts: list[_Draft] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = _HEADER.match(line)
        if match:
            kind = "markdown" if match["markdown"] else "code"
            drafts.append(_Draft(kind, number, _options(match["rest"], f"{name}:{number}")))
        elif line.startswith(("# %%", "#%%")):
            raise CourseError(f"{name}:{number}: not a cell header: {line!r}")
        elif drafts:
            drafts[-1].lines.append(line)
        elif line.strip() and not line.startswith("#"):
            raise CourseError(f"{name}:{number}: code before the first cell")
    return [_finish(draft, name) for draft in drafts]


def _options(rest: str, where: str) -> dict:
    """Read ``key=json key=json``. Raises CourseError."""
    options, at, decoder = {}, 0, json.JSONDecoder()
    while rest[at:].strip():
        match = _KEY.match(rest, at)
        if not match or match[1] not in _KEYS:
            raise CourseError(f"{where}: expected one of {', '.join(sorted(_KEYS))} and '=', saw {rest[at:].strip()!r}")
        try:
            value, at = decoder.raw_decode(rest, match.end())
        except json.JSONDecodeError:
            raise CourseError(f"{where}: the value of {match[1]} is not JSON: {rest[match.end() :]!r}") from None
        options[match[1]] = value
    _check_options(options, where)
    return options


def _check_options(options: dict, where: str) -> None:
    tags = options.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise CourseError(f"{where}: tags should be a list of strings")
    unknown = sorted(set(tags) - TAGS)
    if unknown:
        raise CourseError(f"{where}: unknown tag {unknown[0]!r}; there are {', '.join(sorted(TAGS))}")
    for key in ("exercise", "summary", "id"):
        if key in options and not (isinstance(options[key], str) and options[key]):
            raise CourseError(f"{where}: {key} should be a string")
    if "id" in options and not _CELL_ID.match(options["id"]):
        raise CourseError(f"{where}: a cell id has 1 to 64 letters, digits, - and _")
    if ("exercise" in options) != bool({"exercise", "check"} & set(tags)):
        raise CourseError(f'{where}: the tags "exercise" and "check" go with exercise="id", and nothing else does')
    if "summary" in options and "hint" not in tags:
        raise CourseError(f'{where}: summary goes with the tag "hint"')


def _finish(draft: _Draft, name: str) -> Cell:
    where = f"{name}:{draft.line}"
    tags = tuple(draft.options.get("tags", ()))
    if draft.kind == "markdown" and set(tags) - {"hint"}:
        raise CourseError(f'{where}: a markdown cell has no tag but "hint"')
    if draft.kind == "code" and "hint" in tags:
        raise CourseError(f"{where}: a hint is a markdown cell")
    lines = draft.lines
    if draft.kind == "markdown":
        lines = [_uncomment(line, f"{name}:{draft.line + i}") for i, line in enumerate(lines, start=1)]
    blank = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    source = "\n".join(lines[blank:]).rstrip()
    if not source:
        raise CourseError(f"{where}: an empty cell")
    if draft.kind == "code":
        check_python(source, name, draft.line + blank)
    rest = {key: draft.options.get(key) for key in ("exercise", "summary", "id")}
    return Cell(draft.kind, source, draft.line, tags, **rest)


def _uncomment(line: str, where: str) -> str:
    if line.startswith("# "):
        return line[2:]
    if line.strip() in ("", "#"):
        return ""
    raise CourseError(f"{where}: prose should start with '# ', saw {line!r}")


def check_python(source: str, name: str, line_before: int) -> None:
    """Raise CourseError when a cell's source would not compile. A top-level ``await`` is fine in a notebook."""
    try:
        compile(source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        raise CourseError(f"{name}:{line_before + (error.lineno or 1)}: not Python: {error.msg}") from None
