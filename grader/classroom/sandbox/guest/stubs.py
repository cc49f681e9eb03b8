"""What ``import grader`` gives to a submission: the names that a notebook imports, without the grader behind them.

What ``grader.course`` gives besides, to look at, is a ``Picture`` that shows nothing. ``check`` and ``show`` do nothing
and ``scenario`` refuses: while a submission is graded, the grader chooses what is played.
``lint`` and ``MODEL`` are the real ones; the rules are no secret.
"""

import sys
from importlib import import_module
from types import ModuleType


class NotWhileGrading(Exception):
    """A cell wanted to play a scenario of its own. The grader notes nothing about that."""


def install(package: str) -> None:
    """Put the stand-in packages in place. ``package``: the folder that holds ``history``, ``replay`` and
    ``places.py``.
    """
    grader = ModuleType("grader")
    grader.__path__ = [package]
    grader.check = grader.show = _nothing
    grader.scenario = _scenario
    grader.__getattr__ = _late
    replay = ModuleType("grader.replay")
    replay.__path__ = [f"{package}/replay"]
    grader.replay = replay
    course = ModuleType("grader.course")
    course.__getattr__ = _seen_only
    grader.course = course
    sys.modules |= {"grader": grader, "grader.replay": replay, "grader.course": course}


class Picture:
    """In place of the terminals and plots that a notebook shows."""

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Picture()

    def __call__(self, *args, **kwargs):
        return Picture()


def _seen_only(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return {"check": _nothing, "show": _nothing, "scenario": _scenario}.get(name, Picture)


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
