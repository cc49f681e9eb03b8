"""The one door for foreign data: whatever was handed in becomes plain Python data and text that is safe to draw.

Everything behind this module may trust its input: dicts with str keys, lists, str, int, float, bool, None; no cycles;
bounded.
"""

import json
from collections.abc import Mapping

from grader.history.visible import visible

MAX_DEPTH = 40
MAX_ITEMS = 200_000  # containers and values together; a 500-turn history has about 10,000
MAX_CHARACTERS = 50_000_000  # of all texts together; beyond, each keeps its beginning
_BEGINNING = 200
MAX_TEXT = 20_000  # what one block shows at most, the table included
_MAX_INT_BITS = 10_000  # above this, Python refuses to print an int


def to_plain(value):
    """``value`` as plain data. SDK objects (``to_dict``, ``model_dump``) and dataclasses become dicts. Never raises."""
    return _Reader().read(value, 0)


class _Reader:
    def __init__(self):
        self.left = MAX_ITEMS
        self.characters = MAX_CHARACTERS
        self.open: set[int] = set()

    def read(self, value, depth: int):
        self.left -= 1
        if value is None or type(value) in (bool, float):
            return value
        if id(value) in self.open:
            return "<contains itself>"
        if depth >= MAX_DEPTH:
            return "<nested too deep>"
        self.open.add(id(value))
        try:
            return self._any(value, depth)
        except Exception as error:  # a learner's object may raise anything from any method
            return f"<{_type_name(value)} that cannot be read: {type(error).__name__}>"
        finally:
            self.open.discard(id(value))

    def _any(self, value, depth: int):
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, int):
            return int(value) if value.bit_length() <= _MAX_INT_BITS else "<a huge integer>"
        if isinstance(value, float):
            return float(value)
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._items(value, depth)
        fields = _fields_of(value)
        return f"<{_type_name(value)} object>" if fields is None else self._mapping(fields, depth)

    def _text(self, text: str) -> str:
        kept = max(self.characters, _BEGINNING)
        self.characters -= min(len(text), kept)
        return text if len(text) <= kept else f"{text[:kept]}… ({len(text) - kept:,} more characters)"

    def _mapping(self, value, depth: int) -> dict:
        plain = {}
        for key in value:
            if self.left <= 0:
                plain["…"] = "<more keys, left out>"
                break
            plain[key if type(key) is str else str(self.read(key, depth + 1))] = self.read(value[key], depth + 1)
        return plain

    def _items(self, value, depth: int) -> list:
        plain = []
        for item in value:
            if self.left <= 0:
                plain.append(f"<{len(value) - len(plain):,} more items, left out>")
                break
            plain.append(self.read(item, depth + 1))
        return plain


def _fields_of(value):
    """The fields of an SDK object, a pydantic model or a dataclass; None for anything else."""
    if isinstance(value, type):
        return None
    for name in ("to_dict", "model_dump"):
        method = getattr(value, name, None)
        if callable(method):
            fields = method()
            if isinstance(fields, Mapping):
                return fields
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: getattr(value, name, None) for name in type(value).__dataclass_fields__}
    return None


def _type_name(value) -> str:
    return type(value).__name__  # not repr(): an address would make two drawings of one run differ


def clean(text, limit: int = MAX_TEXT) -> str:
    """``text`` cut to ``limit`` and made ``visible``. Not yet escaped for XML: the renderers do that."""
    text = text if isinstance(text, str) else as_json(text)
    more = len(text) - limit
    text = visible(text if more <= 0 else text[:limit])
    return text if more <= 0 else f"{text}… ({more:,} more characters)"


def as_json(value) -> str:
    """Plain data as compact JSON, for display."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"<{_type_name(value)}>"


def one_line(text: str) -> str:
    """``text`` on one line: line ends shown as ⏎, runs of spaces and tabs as one space."""
    lines = [" ".join(line.split()) for line in text.strip().split("\n")]
    return " ⏎ ".join(lines)
