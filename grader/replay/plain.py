"""Whatever a loop hands over, as plain JSON data. Nothing that a foreign object says about itself is trusted.

The linter reads a history as the SDK would send it, and lets objects speak for themselves. Here it is evidence: types
are asked of ``type()``, which an object cannot talk over, and depth and size are bounded, so that a list that holds
itself ends too.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

_MAX_DEPTH = 60
_MAX_NODES = 100_000
_MAX_INT = 2**63
_name_of_type = type.__dict__["__name__"].__get__
_DUMPS = (("to_dict", {}), ("model_dump", {"mode": "json", "exclude_none": True}))


class _Budget:
    def __init__(self, nodes: int):
        self.nodes = nodes


def plain(value: Any) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None. SDK objects become what the SDK would send.

    What has no such form becomes a text like ``<object of type Foo>``; what is too deep or too much, ``<too deep>`` or
    ``<too much>``. Never raises an Exception.
    """
    return _plain(value, _MAX_DEPTH, _Budget(_MAX_NODES))


def type_name(value: Any) -> str:
    """The name of the value's type, whatever its metaclass says."""
    return _name_of_type(type(value))


def _plain(value: Any, depth: int, budget: _Budget) -> Any:
    budget.nodes -= 1
    if depth < 0 or budget.nodes < 0:
        return "<too deep>" if depth < 0 else "<too much>"
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, str):
        return _text(value)
    if issubclass(kind, int):
        number = int.__int__(value)
        return number if -_MAX_INT <= number < _MAX_INT else "<an integer too large>"
    if issubclass(kind, float):
        number = float.__float__(value)
        return number if number - number == 0 else f"<{number}>"
    if issubclass(kind, dict):
        return {_key(key): _plain(item, depth - 1, budget) for key, item in _items(value, budget)}
    if issubclass(kind, (list, tuple)):
        base = list if issubclass(kind, list) else tuple
        return [_plain(item, depth - 1, budget) for item in base.__getitem__(value, slice(0, max(budget.nodes, 1)))]
    return _dumped(value, kind, depth, budget)


def _items(value: dict, budget: _Budget) -> list:
    return list(islice(list(dict.items(value)), max(budget.nodes, 1)))


def _key(key: Any) -> str:
    if issubclass(type(key), str):
        return _text(key)
    return str(_plain(key, 0, _Budget(1)))


def _text(value: str) -> str:
    text = str.__str__(value)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")  # no half surrogate pairs


def _dumped(value: Any, kind: type, depth: int, budget: _Budget) -> Any:
    for method, arguments in _DUMPS:
        if callable(getattr(kind, method, None)):
            try:
                dumped = getattr(kind, method)(value, **arguments)
            except Exception:
                continue
            if issubclass(type(dumped), (dict, list, str)):
                return _plain(dumped, depth - 1, budget)
    return f"<object of type {type_name(value)}>"
