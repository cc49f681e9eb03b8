"""The source of a function that ran, and which of its lines belong to one statement."""

import ast
import inspect
import textwrap
from dataclasses import dataclass, field
from types import CodeType


@dataclass(frozen=True)
class Source:
    """A function's name, its lines without their common indent, and the line of the file at which it starts.
    ``lines`` is empty where the source is not to be found.
    """

    name: str
    start: int
    lines: tuple[str, ...] = ()
    _statements: dict[int, int] = field(default_factory=dict, repr=False, compare=False)

    def statement(self, line: int) -> int:
        """The first line (from 1) of the statement that holds ``line`` of the file."""
        own = line - self.start + 1
        return self._statements.get(own, own)


def source_of(code: CodeType) -> Source:
    """The source of a code object, as the file or the notebook cell has it. Never raises for one without source."""
    try:
        lines, start = inspect.getsourcelines(code)
    except (OSError, TypeError, IndexError, SyntaxError):
        return Source(code.co_name, code.co_firstlineno)
    text = textwrap.dedent("".join(lines)).rstrip()
    return Source(code.co_name, max(start, 1), tuple(text.split("\n")), _statements(text))


def _statements(text: str) -> dict[int, int]:
    """Line -> first line of its statement, for statements over several lines; a compound one is its head."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = {}
    for node in ast.walk(tree):  # outer ones first, so inner ones have the last word
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body and hasattr(body[0], "lineno") else None
            for line in range(node.lineno, (node.end_lineno if last is None else last) + 1):
                found[line] = node.lineno
    return found
