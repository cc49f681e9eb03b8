"""Agent Loop by Hand: the course's grader.

A notebook needs these names: ``check``, ``scenario``, ``lint``, ``show`` and ``MODEL``. Each is loaded when it is first used, so
that ``import grader.history`` stays light: linting a file must not load the SDK, IPython or pydantic.
"""

import sys
from importlib import import_module

_HOMES = {
    "MODEL": "grader.history.models",
    "lint": "grader.history",
    "check": "grader.course",
    "scenario": "grader.course",
    "show": "grader.course",
}

__all__ = list(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__():
    return sorted([*globals(), *_HOMES])


if sys.platform == "emscripten":  # the edition that runs in a browser: no threads there
    import_module("grader.site.kernel").install()
