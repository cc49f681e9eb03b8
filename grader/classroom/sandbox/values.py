"""The grader's side of ``guest.values``: arguments described for a submission, its results read as data."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

from grader.classroom.sandbox.guest.values import Encoder
from grader.classroom.sandbox.serving import described

_MOST_FILES = 500
_MOST_INT = 3500  # hexadecimal digits: Python refuses to write a number of more than 4300 decimal ones


class Arguments:
    """Describes the arguments of one call. ``functions``: the scripted ones among them, by the name under which they
    are asked for. ``folders``: where those among them are.
    """

    def __init__(self, args: tuple, kwargs: dict):
        self.functions: dict[str, Any] = {}
        self.folders: list[str] = []
        self.args = [self._describe(item) for item in args]
        self.kwargs = {key: self._describe(item) for key, item in kwargs.items()}

    def _describe(self, value: Any) -> Any:
        kind = type(value)
        if kind in (list, tuple):
            items = [self._describe(item) for item in value]
            return items if kind is list else {"$tuple": items}
        if kind is dict:
            if all(type(key) is str and not key.startswith("$") for key in value):
                return {key: self._describe(item) for key, item in value.items()}
            return {"$dict": [[self._describe(key), self._describe(item)] for key, item in value.items()]}
        if isinstance(value, Path):
            self.folders.append(str(value.parent))
            return {"$folder": _folder(value)}
        if kind.__module__.startswith("anthropic."):
            return {"$model": [kind.__name__, value.to_dict()]}
        if callable(value):
            return {"$function": self._function(value)}
        return Encoder().encode(value)

    def _function(self, function: Any) -> dict:
        name = base = function.__name__
        while self.functions.get(name, function) is not function:
            name = f"{base}_{len(self.functions)}"
        self.functions[name] = function
        (spec,) = described({name: function})
        return spec


def _folder(folder: Path) -> dict:
    """A folder of a case with what lies beside it (see ``grader.judging.exercises.folders``)."""
    root, files = folder.parent, {}
    for place, folders, names in os.walk(root):
        for name in [*folders, *names]:
            path = Path(place) / name
            key = path.relative_to(root).as_posix()
            if len(files) >= _MOST_FILES:
                raise ValueError(f"a case's folder holds more than {_MOST_FILES} files")
            if path.is_symlink():
                files[key] = {"$link": os.readlink(path)}
            else:
                files[key] = None if path.is_dir() else path.read_bytes().decode("utf-8", "surrogateescape")
    return {"at": str(root), "name": folder.name, "files": files}


def read_value(data: Any, moved: list | None = None) -> Any:
    """What a submission sent, as a value. ``moved``: (where the grader has a folder, where the submission had it);
    texts name ours.
    """
    if isinstance(data, str):
        for ours, theirs in moved or []:
            data = data.replace(theirs, ours)
        return data
    if isinstance(data, list):
        return [read_value(item, moved) for item in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        (mark, content) = next(iter(data.items()))
        if mark.startswith("$"):
            return _marked(mark, content, moved)
    return {key: read_value(item, moved) for key, item in data.items()}


def _marked(mark: str, content: Any, moved: list | None) -> Any:
    try:
        return _READERS[mark](content, moved)
    except (LookupError, TypeError, ValueError):  # no mark of ours, or not filled as ours
        return _object("object", str(content)[:200])


def _object(name: str, text: str) -> Any:
    """A stand-in for an object of the submission's: it has the type's name and the object's text, and nothing else."""
    kind = type(
        "".join(name.splitlines())[:200] or "object", (), {"__str__": lambda self: text, "__repr__": lambda self: text}
    )
    return kind()


def _model(content: Any, moved: list | None) -> Any:
    return read_value(content, moved) if isinstance(content, dict) else _object("object", str(content)[:200])


def _integer(content: str) -> Any:
    return int(content, 16) if len(content) <= _MOST_INT else _object("int", "<a very large number>")


_READERS = {
    "$tuple": lambda content, moved: tuple(read_value(list(content), moved)),
    "$set": lambda content, moved: set(read_value(list(content), moved)),
    "$dict": lambda content, moved: {read_value(key, moved): read_value(item, moved) for key, item in content},
    "$model": _model,
    "$float": lambda content, moved: float(content),
    "$int": lambda content, moved: _integer(content),
    "$ellipsis": lambda content, moved: ...,
    "$object": lambda content, moved: _object(str(content[0]), read_value(str(content[1]), moved)),
}


def signature_of(parameters: Any) -> inspect.Signature | None:
    """The signature that a submission's function says it has; None where it says nothing that makes sense."""
    try:
        made = []
        for name, kind, optional in parameters:
            default = None if optional else inspect.Parameter.empty
            made.append(inspect.Parameter(name, inspect._ParameterKind(kind), default=default))
        return inspect.Signature(made)
    except (TypeError, ValueError):
        return None
