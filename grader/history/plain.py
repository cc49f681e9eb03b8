"""Any Python value -> the plain JSON value that the SDK would send for it.

SDK objects are dumped as the SDK dumps them (set fields only). What cannot be sent as JSON is replaced by
``UNSENDABLE`` and noted as a fault, so that nothing odd in a learner's list ever becomes our crash.
"""

import os
from collections import namedtuple
from collections.abc import Iterator, Mapping, MappingView, Sequence, Set
from math import isfinite

NOT_JSON = "The request body is not valid JSON"
HALF_CHARACTER = f"{NOT_JSON}: no low surrogate in string"
MAX_DEPTH = 150  # far deeper than any real history; it keeps the walk inside Python's recursion limit

_COMMON = frozenset((str, dict, list, int, float, bool, type(None)))


class _Unsendable:
    def __repr__(self):
        return "UNSENDABLE"


UNSENDABLE = _Unsendable()


class Fault(namedtuple("Fault", "path what api", defaults=(None,))):
    """A value that can't be sent: its path from the top, what it is, and what the API says to it, if anything."""

    __slots__ = ()


def plain(value) -> tuple[object, list[Fault]]:
    """Return the plain JSON value and what in it could not be sent. Never raises, and leaves ``value`` as it is."""
    reader = _Reader()
    try:
        return reader.read(value, ()), reader.faults
    except RecursionError:  # called when the stack was almost used up
        return UNSENDABLE, [Fault((), "too little room left on Python's stack to read this")]


class _Reader:
    def __init__(self):
        self.faults: list[Fault] = []
        self._open: set[int] = set()  # containers around the current value: meeting one again is a cycle
        self._done: dict[int, tuple] = {}  # read before; the source is kept, so that its id stays its own

    def read(self, value, trail):
        """``trail`` is the path as nested pairs (outer trail, key): cheap to grow, spelled out only for a fault."""
        kind = type(value)
        if kind is str:
            return value if value.isascii() else self._text(value, trail)
        if value is None or kind is bool or kind is int:
            return value
        if kind is float:
            if isfinite(value):
                return value
            return self._fault(trail, f"the number {value}, which JSON does not have", NOT_JSON)
        if kind is dict or kind is list:
            return self._container(value, trail)
        return self._other(value, trail)

    def _text(self, value, trail):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return self._fault(trail, "text with half of a character in it (a lone surrogate)", HALF_CHARACTER)
        return value

    def _container(self, value, trail):
        key = id(value)
        if key in self._done:
            return self._done[key][1]
        if key in self._open:
            return self._fault(trail, "a list or dict that contains itself")
        if len(self._open) >= MAX_DEPTH:
            return self._fault(trail, f"values nested more than {MAX_DEPTH} levels deep")
        self._open.add(key)
        try:
            result = self._filled(value, trail)
        finally:
            self._open.discard(key)
        self._done[key] = (value, result)
        return result

    def _filled(self, value, trail):
        """Loops, no comprehensions: each would be one more frame on the stack for every level of nesting."""
        if not isinstance(value, Mapping):
            items = []
            for index, item in enumerate(value):
                items.append(self.read(item, (trail, index)))
            return items
        result = {}
        for key, item in value.items():
            if type(item) not in _COMMON and _is_left_out(item):
                continue
            if not isinstance(key, str):
                key = self._key(key, trail)
            result[key] = self.read(item, (trail, key))
        return result

    def _key(self, key, trail):
        if key is None or isinstance(key, (bool, int, float)):
            return str(key)
        self._fault(trail, f"a dict key that is a {type(key).__name__}; keys must be strings")
        return f"<{type(key).__name__}>"

    def _other(self, value, trail):
        try:
            return self._unusual(value, trail)
        except RecursionError:
            return self._fault(trail, "values nested too deeply to read")
        except Exception as error:  # an object whose own methods fail must not take the linter down
            return self._fault(trail, f"a {type(value).__name__} that can't be read ({type(error).__name__})")

    def _unusual(self, value, trail):
        """Subclasses, SDK objects and everything else, in the order in which the SDK looks at them."""
        if isinstance(value, str):
            return self._text(str.__str__(value), trail)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return self.read(float(value), trail)
        if isinstance(value, Mapping):
            return self._container(value, trail)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self._fault(trail, "bytes; decode them to text first")
        if isinstance(value, Set) and not isinstance(value, MappingView):
            return self._fault(trail, "a set, which has no order; use a list")
        if isinstance(value, (Sequence, MappingView)):
            return self._container(value, trail)
        if isinstance(value, Iterator):
            return self._fault(
                trail, f"a {type(value).__name__}, which is empty after its first use; make a list of it"
            )
        if callable(dump := getattr(value, "model_dump", None) or getattr(value, "to_dict", None)):
            return self._dumped(value, dump, trail)
        if callable(getattr(value, "isoformat", None)):
            return str(value.isoformat())
        if trail and trail[1] == "data" and (isinstance(value, os.PathLike) or callable(getattr(value, "read", None))):
            return "(the content of a file)"  # the SDK reads it when it sends a base64 source
        return self._fault(trail, f"a {type(value).__name__}, which can't be sent as JSON")

    def _dumped(self, value, dump, trail):
        if dump.__name__ == "model_dump":
            excluded = getattr(type(value), "__api_exclude__", None)
            content = dump(mode="json", exclude_unset=True, by_alias=True, exclude=excluded, warnings=False)
        else:
            content = dump()
        if not isinstance(content, Mapping):
            return self._fault(trail, f"a {type(value).__name__}, which can't be sent as JSON")
        return self._container(content, trail)

    def _fault(self, trail, what, api=None):
        path = []
        while trail:
            trail, key = trail
            path.append(key)
        self.faults.append(Fault(tuple(reversed(path)), what, api))
        return UNSENDABLE


def _is_left_out(value) -> bool:
    """The SDK's markers for "not given": it drops such keys before it sends."""
    kind = type(value)
    return kind.__name__ in ("NotGiven", "Omit") and kind.__module__.startswith("anthropic")
