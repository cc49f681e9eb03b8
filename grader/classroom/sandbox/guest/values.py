"""Values on the wire between the grader and a submission: JSON with a few marks, never pickle.

The grader writes arguments: a mark may ask the submission's side to build an SDK object, a scripted function or a
folder. The
submission writes results: a mark keeps what JSON would lose (a tuple, a set, a key that is no string, a type's name).
Nothing in a
result can make the grader build more than dicts, lists, tuples, sets, numbers and texts (see
``grader.classroom.sandbox.values``).
"""

import math
import os
import tempfile
from itertools import islice

_MAX_DEPTH = 50
_MAX_NODES = 90_000  # the reader takes no more
_MAX_TEXT = 2000
_JSON_INT = 2**62


class Encoder:
    """Writes one result. Types are asked of ``type()``, which no object can talk over."""

    def __init__(self):
        self._nodes = _MAX_NODES

    def encode(self, value, depth: int = _MAX_DEPTH):
        """The value as JSON data."""
        self._nodes -= 1
        kind = type(value)
        if value is None or kind is bool:
            return value
        if value is ...:
            return {"$ellipsis": 1}
        if issubclass(kind, str):
            return str.__str__(value)
        if issubclass(kind, (int, float)):
            return _number(value, kind)
        if depth <= 0 or self._nodes <= 0:
            return {"$object": ["object", "<too deep>" if depth <= 0 else "<too much>"]}
        return self._container(value, kind, depth - 1)

    def _container(self, value, kind, depth):
        if issubclass(kind, dict):
            return self._dict(list(islice(list(dict.items(value)), max(self._nodes, 1))), depth)
        for base, mark in ((list, None), (tuple, "$tuple"), (set, "$set"), (frozenset, "$set")):
            if issubclass(kind, base):
                items = [self.encode(item, depth) for item in islice(base.__iter__(value), max(self._nodes, 1))]
                return items if mark is None else {mark: items}
        return _other(value, kind)

    def _dict(self, items, depth):
        if all(type(key) is str and not key.startswith("$") for key, _ in items):
            return {key: self.encode(item, depth) for key, item in items}
        return {"$dict": [[self.encode(key, depth), self.encode(item, depth)] for key, item in items]}


def _number(value, kind):
    if issubclass(kind, int):
        number = int.__int__(value)
        if -_JSON_INT < number < _JSON_INT:
            return number
        return (
            {"$int": hex(number)}
            if number.bit_length() < 8 * _MAX_TEXT
            else {"$object": ["int", "<a very large number>"]}
        )
    number = float.__float__(value)
    return number if math.isfinite(number) else {"$float": repr(number)}


def _other(value, kind):
    """An SDK object as what the SDK would send; anything else as its type's name and its text."""
    from grader.replay.plain import type_name

    if callable(getattr(kind, "model_dump", None)) or callable(getattr(kind, "to_dict", None)):
        from grader.replay.plain import plain

        return {"$model": plain(value)}
    try:
        text = str(value)[:_MAX_TEXT]
    except Exception:
        text = f"<{type_name(value)}>"
    return {"$object": [type_name(value)[:200], text]}


class Decoder:
    """Builds the arguments of one call. ``make_function(spec)`` makes a scripted function. Remembers which folders it
    made.
    """

    def __init__(self, make_function):
        self._make_function = make_function
        self.folders: list[tuple[str, str]] = []  # (where the grader has it, where it is here)

    def decode(self, data):
        """The value that the grader described."""
        if isinstance(data, list):
            return [self.decode(item) for item in data]
        if not isinstance(data, dict):
            return data
        if len(data) == 1:
            (mark, content) = next(iter(data.items()))
            if build := _MARKS.get(mark):
                return build(self, content)
        return {key: self.decode(item) for key, item in data.items()}

    def _model(self, content):
        import anthropic.types

        name, data = content
        return getattr(anthropic.types, name).construct(**data)

    def _function(self, spec):
        return self._make_function(spec)

    def _folder(self, content):
        """A folder with its neighbours, in a new place: ``{"at": …, "name": …, "files": {path: text | {"$link": …}}}``."""
        from pathlib import Path

        root = Path(tempfile.mkdtemp(prefix="exercise-")).resolve()
        for path, text in content["files"].items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                place.mkdir(exist_ok=True)
            elif isinstance(text, dict):
                os.symlink(text["$link"].replace(content["at"], str(root)), place)
            else:
                place.write_bytes(text.encode("utf-8", "surrogateescape"))
        self.folders.append((content["at"], str(root)))
        return root / content["name"]

    def _dict(self, pairs):
        return {self.decode(key): self.decode(item) for key, item in pairs}


_MARKS = {
    "$model": Decoder._model,
    "$function": Decoder._function,
    "$folder": Decoder._folder,
    "$dict": Decoder._dict,
    "$tuple": lambda decoder, items: tuple(decoder.decode(items)),
    "$set": lambda decoder, items: set(decoder.decode(items)),
    "$float": lambda decoder, text: float(text),
    "$int": lambda decoder, text: int(text, 16),
    "$ellipsis": lambda decoder, _: ...,
}
