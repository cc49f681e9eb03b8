"""Run the cells of a submission, one statement at a time: a statement that fails costs only itself.

A notebook that was handed in holds demonstrations that need a scenario, a check that fails, a cell left half done. None
of that may
cost the functions that are defined around it.
"""

import __future__

import ast
import asyncio
import inspect
import linecache
import re
import sys
import traceback
from types import ModuleType

from .stubs import NotWhileGrading

_MOST_NOTES = 200  # a notebook's demonstrations cannot run while it is graded, and each fails
_MOST_OF_A_CELL = 20
_TOP_LEVEL_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_MAGIC = re.compile(r"^(\s*)(%|!|\?|[\w.]+\?{1,2}\s*$|.*=\s*[%!]\w)", re.ASCII)
_HARMLESS_CELL_MAGICS = ("%%time", "%%capture", "%%timeit", "%%prun")


def load(cells: list[list[str]]) -> tuple[dict, list[dict]]:
    """Run the cells in a module of their own. In: ``[[label, source], …]``. Out: the module's names, and notes on what
    failed.

    SystemExit and KeyboardInterrupt pass through.
    """
    module = ModuleType("submission")
    module.display = lambda *things, **options: None  # IPython's, in a notebook
    module.get_ipython = lambda: None
    sys.modules["submission"] = module
    notes: list[dict] = []
    flags = _TOP_LEVEL_AWAIT
    for label, source in cells:
        filename = f"<{label}>"
        source = source.replace("\r\n", "\n")
        try:
            source, tree = _parsed(source, filename)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            _note(notes, label, error, getattr(error, "lineno", None))
            continue
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        flags |= _future_flags(tree)
        for statement in tree.body:
            _run(statement, filename, label, flags, vars(module), notes)
    return vars(module), notes


def _parsed(source: str, filename: str) -> tuple[str, ast.Module]:
    try:
        return source, _parse(source, filename)
    except SyntaxError:
        plain = _without_magics(source)
        if plain == source:
            raise
        return plain, _parse(plain, filename)


def _parse(source: str, filename: str) -> ast.Module:
    return compile(source, filename, "exec", ast.PyCF_ONLY_AST | _TOP_LEVEL_AWAIT, dont_inherit=True)


def _without_magics(source: str) -> str:
    """The cell without IPython's magics, with the line numbers it had."""
    first = source.lstrip().split("\n", 1)[0]
    if first.startswith("%%") and not first.startswith(_HARMLESS_CELL_MAGICS):
        return ""
    return "\n".join(_MAGIC.sub(r"\1pass  # \2", line) for line in source.split("\n"))


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
    return flags


def _run(statement: ast.stmt, filename: str, label: str, flags: int, names: dict, notes: list[dict]) -> None:
    try:
        code = compile(ast.Module([statement], []), filename, "exec", flags, dont_inherit=True)
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, names))
        else:
            exec(code, names)
    except NotWhileGrading:
        pass
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        _note(notes, label, error, _line_in(error, filename) or statement.lineno)


def _line_in(error: BaseException, filename: str) -> int | None:
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == filename]
    return lines[-1] if lines else None


def _note(notes: list[dict], label: str, error: BaseException, line: int | None) -> None:
    if len(notes) >= _MOST_NOTES or sum(note["cell"] == label for note in notes) >= _MOST_OF_A_CELL:
        return
    from grader.replay.outcome import crash_of

    from .ending import kind_of

    crash = crash_of(error)
    notes.append({"cell": label, "line": line, "type": crash.type, "message": crash.message, "kind": kind_of(error)})
