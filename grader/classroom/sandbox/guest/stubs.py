"""What ``import grader`` gives to a submission: the names that a notebook imports, without the grader behind them.

``check`` and ``show`` do nothing and ``scenario`` refuses: while a submission is graded, the grader chooses what is played.
``lint`` and ``MODEL`` are the real ones; the rules are no secret.
"""

import sys
from importlib import import_module
from types import ModuleType


class NotWhileGrading(Exception):
    """A cell wanted to play a scenario of its own. The grader notes nothing about that."""


def install(package: str) -> None:
    """Put the stand-in packages in place. ``package``: the folder that holds ``history``, ``replay`` and ``places.py``."""
    grader = ModuleType("grader")
    grader.__path__ = [package]
    grader.check = grader.show = _nothing
    grader.scenario = _scenario
    grader.__getattr__ = _late
    replay = ModuleType("grader.replay")
    replay.__path__ = [f"{package}/replay"]
    grader.replay = replay
    sys.modules |= {"grader": grader, "grader.replay": replay}


def _nothing(*args, **kwargs):
    """In place of ``check`` and ``show``."""


def _scenario(name, *args, **kwargs):
    raise NotWhileGrading("scenarios are not played from cells while a submission is graded")


def _late(name: str):
    if name == "lint":
        return import_module("grader.history").lint
    if name == "MODEL":
        return import_module("grader.history.models").MODEL
    raise AttributeError(f"module 'grader' has no attribute {name!r} while a submission is graded")
