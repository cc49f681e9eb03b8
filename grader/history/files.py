"""Histories from files: JSON (a list or a request) or JSONL (one a line)."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext

_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class UnreadableInput(Exception):
    """The input holds no history. The text is one line that says what is wrong, and where."""


def read_histories(source, text: str | None = None) -> Iterator[tuple[str, object]]:
    """Yield (``"source:line"``, history) for each history of a file.

    ``source`` is a path, or ``-`` for standard input; with ``text`` it is only the name that the text goes by. In JSONL
    each line is a history; everything else is one JSON value, with line 1. A history is a list of messages, a request,
    or an object that holds one of them in ``request``. A JSONL file is read a line at a time, whatever its size.

    Raises UnreadableInput, also after some histories were read.
    """
    try:
        with _opened(source, text) as stream:
            yield from _read(stream, str(source))
    except OSError as error:
        raise UnreadableInput(f"{source}: can't be read: {error.strerror or error}") from error


def _opened(source, text):
    if text is not None:
        return io.BytesIO(text.encode("utf-8", "surrogatepass"))
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    return open(source, "rb")


def _read(stream, source):
    number, line = _next_line(stream, 0)
    if line is None:
        raise UnreadableInput(f"{source}: is empty")
    if (bom := _BOMS.get(line[:2])) is not None:
        raise UnreadableInput(f"{source}:1: is {bom}, not UTF-8; save it as UTF-8")
    line = line.removeprefix(b"\xef\xbb\xbf")
    where = f"{source}:{number}"
    try:
        value = _parse(line, where, number)
    except UnreadableInput:
        rest = stream.read()
        if not rest.strip():
            raise
        value = _parse(line + rest, where, number)  # no value on one line: one value over many lines
        yield f"{source}:1", _history(value, f"{source}:1")
        return
    yield where, _history(value, where)
    while (found := _next_line(stream, number))[1] is not None:
        number, line = found
        where = f"{source}:{number}"
        yield where, _history(_parse(line, where, number), where)


def _next_line(stream, number):
    """The next line that is not blank, with its number; None at the end."""
    while line := stream.readline():
        number += 1
        if line.strip():
            return number, line
    return number, None


def _parse(data: bytes, where: str, first_line: int):
    """Parse one JSON value. Raises UnreadableInput with the line at fault."""
    file = where.rpartition(":")[0]
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates)
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise UnreadableInput(f"{file}:{line}: is not UTF-8 (byte 0x{data[error.start]:02x})") from error
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        is_cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
        what = "ends in the middle of a JSON value" if is_cut else f"is not JSON: {error.msg} at column {error.colno}"
        raise UnreadableInput(f"{file}:{line}: {what}") from error
    except RecursionError as error:
        raise UnreadableInput(f"{where}: is nested too deeply") from error
    except ValueError as error:  # a duplicate key, or a number with too many digits
        raise UnreadableInput(f"{where}: {error}") from error


def _no_duplicates(pairs):
    result = dict(pairs)
    if len(result) < len(pairs):
        seen = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key {twice[:40]!r} stands twice in one object")
    return result


def _history(value, where):
    if isinstance(value, dict) and "messages" not in value and "request" in value:
        value = value["request"]
        if not isinstance(value, dict | list):
            raise UnreadableInput(f"{where}: its `request` is not an object")
    if isinstance(value, dict) and "messages" not in value:
        keys = ", ".join(repr(key[:40]) for key in list(value)[:3]) or "no keys"
        raise UnreadableInput(f"{where}: an object without `messages` or `request` (it has {keys})")
    if not isinstance(value, dict | list):
        raise UnreadableInput(f"{where}: neither a list of messages nor a request")
    return value
