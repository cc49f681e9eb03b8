"""What a learner gets in place of a solution, and what the solved notebook keeps.

A solution stands between ``# BEGIN SOLUTION`` and ``# END SOLUTION``; ``# STUB:`` lines directly before it take its
place.
"""

import re

from grader.course.chapters import CourseError

_BEGIN = re.compile(r"^(\s*)# BEGIN SOLUTION\s*$")
_END = re.compile(r"^(\s*)# END SOLUTION\s*$")
_STUB = re.compile(r"^(\s*)# STUB:(?: (.*))?$")
_DEF = re.compile(r"^(\s*)(?:async\s+)?def\s+(\w+)")


def solved(source: str) -> str:
    """The source as in solutions/: STUB lines gone, markers kept (they show what was to be written)."""
    return "\n".join(line for line in source.split("\n") if not _STUB.match(line))


def stubbed(source: str, where: str) -> str:
    """The source as in notebooks/: each solution replaced by its stub.

    In: the source of an exercise cell; ``where`` names it in errors. Out: the source without any line of a
    solution. Raises CourseError for markers that don't pair, STUB lines without a solution, and a top-level
    solution without STUB lines.
    """
    kept: list[str] = []
    stub: list[str] = []
    inside, regions = None, 0
    for line in source.split("\n"):
        begin, end, stub_line = _BEGIN.match(line), _END.match(line), _STUB.match(line)
        if inside is not None:
            if begin:
                raise CourseError(f"{where}: BEGIN SOLUTION inside a solution")
            if end:
                inside = None
            continue
        if end:
            raise CourseError(f"{where}: END SOLUTION without BEGIN SOLUTION")
        if stub_line:
            stub.append((stub_line[1] + (stub_line[2] or "")).rstrip())
        elif begin:
            kept += stub or [_raise_line(kept, begin[1], where)]
            stub, inside, regions = [], begin[1], regions + 1
        elif stub:
            raise CourseError(f"{where}: STUB lines stand directly before BEGIN SOLUTION")
        else:
            kept.append(line)
    if inside is not None or stub:
        raise CourseError(
            f"{where}: {'BEGIN SOLUTION without END SOLUTION' if inside is not None else 'STUB without a solution'}"
        )
    if not regions:
        raise CourseError(f"{where}: an exercise without a solution")
    return "\n".join(kept)


def _raise_line(before: list[str], indent: str, where: str) -> str:
    """The stub of a function's body; the function is the nearest ``def`` above that is indented less."""
    for line in reversed(before):
        match = _DEF.match(line)
        if match and len(match[1]) < len(indent):
            return f'{indent}raise NotImplementedError("write {match[2]}")'
    raise CourseError(f"{where}: a solution outside a function needs STUB lines before it")
