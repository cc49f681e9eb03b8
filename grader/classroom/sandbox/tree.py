"""What a submission can see of the file system: an interpreter and its packages, read-only, and nothing of the course
but code.
"""

import os
import sys
from pathlib import Path

from grader import places

_PACKAGE = Path(places.__file__).resolve().parent
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_COPIES = tuple(f"{place}lib*/python*/*-packages/grader" for place in ("", "local/", "envs/*/"))
_TOLD = ("terminals",)  # of the fixtures: what a notebook reads to tell its story; nothing in it is expected of anybody
_CODE = ("places.py", "history", "replay", "classroom/sandbox/guest")
_INSIDE = Path("/sandbox/grader")

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONSAFEPATH": "1",
    "MALLOC_ARENA_MAX": "2",
}  # nothing of the grader's own environment


def package(in_tree: bool) -> Path:
    """Where the grader's code is for a submission: inside bubblewrap's tree, or as it lies."""
    return _INSIDE if in_tree else _PACKAGE


def interpreter() -> list[str]:
    """The paths that Python needs to run."""
    wanted = dict.fromkeys([*_SYSTEM, sys.base_prefix, sys.exec_prefix, sys.prefix])
    return [path for path in wanted if os.path.exists(path)]


def secrets(more: tuple[Path, ...] = ()) -> list[Path]:
    """What no submission may read, wherever it lies: the course's data, other installed copies of it (an environment
    beside this one may have its own), and what the caller adds.
    """
    ours = (places.ROOT, _PACKAGE, places.FIXTURES, places.SOLUTIONS, places.CHAPTERS, places.NOTEBOOKS)
    copies = (copy for prefix in interpreter() for pattern in _COPIES for copy in Path(prefix).glob(pattern))
    return list(dict.fromkeys(Path(path).resolve() for path in (*ours, *copies, *more)))


def bubblewrap_arguments(hidden: tuple[Path, ...] = ()) -> list[str]:
    """bwrap's arguments for the tree: read-only binds, and empty folders over secrets that lie below a bind."""
    binds = interpreter()
    places_in_order = [(path, ["--ro-bind", path, path]) for path in binds]
    end: list[str] = []
    for secret in secrets(hidden):
        if any(secret.is_relative_to(os.path.realpath(path)) for path in binds) and secret.exists():
            if secret.is_dir():
                places_in_order.append((str(secret), ["--perms", "0755", "--tmpfs", str(secret)]))
                end += ["--remount-ro", str(secret)]
            else:
                places_in_order.append((str(secret), ["--ro-bind", "/dev/null", str(secret)]))
    places_in_order.sort(key=lambda place: len(Path(place[0]).parts))  # what lies deeper is laid on top
    for name in _CODE:
        places_in_order.append((str(_INSIDE / name), ["--ro-bind", str(_PACKAGE / name), str(_INSIDE / name)]))
    for name in _TOLD:
        told = str(_INSIDE.parent / places.FIXTURES.name / name)
        places_in_order.append((told, ["--ro-bind-try", str(places.FIXTURES / name), told]))
    for path in _DEVICES:
        places_in_order.append((path, ["--dev-bind", path, path]))
    places_in_order.append(("/dev/shm", ["--perms", "0755", "--dir", "/dev/shm"]))
    words: list[str] = []
    for path, arguments in places_in_order:
        for parent in reversed(Path(path).parents[:-1]):  # bwrap's own would be closed to everybody but root
            words += ["--perms", "0755", "--dir", str(parent)]
        words += arguments
    return words + end


def readable(hidden: tuple[Path, ...] = ()) -> dict[str, list[str]]:
    """The same for Landlock, which knows no exceptions: a folder that holds a secret is named child by child.

    Out: ``{"read": paths, "list": folders of which only the names may be read}``; Python's imports list their folders.
    """
    paths = [Path(path) for path in (*interpreter(), *_DEVICES, *(_PACKAGE / name for name in _CODE))]
    shut = [secret for secret in secrets(hidden) if secret.exists()]
    found: dict[str, list[str]] = {"read": [], "list": [str(_PACKAGE)]}
    for path in paths:
        _sort(path.resolve(), shut, [_PACKAGE / name for name in _CODE], found)
    found["read"] += [str(path) for name in _TOLD if (path := (places.FIXTURES / name).resolve()).exists()]
    return {kind: list(dict.fromkeys(names)) for kind, names in found.items()}


def _sort(path: Path, shut: list[Path], code: list[Path], found: dict[str, list[str]]) -> None:
    if path in code:
        found["read"].append(str(path))
    elif path in shut:
        return
    elif any(secret.is_relative_to(path) for secret in shut):
        found["list"].append(str(path))
        for child in sorted(path.iterdir()):
            _sort(child, shut, code, found)
    else:
        found["read"].append(str(path))
