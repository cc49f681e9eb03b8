"""Facts that depend on the model, read from its name.

A name that is unknown or missing gets the permissive answer: a linter that refuses what the API accepts is worse than
one that misses a fault. Sources: facts collected in November 2026 from recorded traffic, the documentation and
published probes.
"""

import re

MODEL = "claude-sonnet-5"

_FAMILIES = "opus|sonnet|haiku|fable|mythos"
_NUMBER = r"(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?"  # not the date behind it
_NEW_NAME = rf"({_FAMILIES})-{_NUMBER}"  # claude-sonnet-4-5-20250929
_OLD_NAME = rf"claude-{_NUMBER}-(?:{_FAMILIES})"  # claude-3-5-haiku-20241022

# The first version of each family that has the property.
_SYSTEM_ROLE_FROM = {"opus": (4, 8), "sonnet": (5, 0), "haiku": (5, 0), "fable": (5, 0), "mythos": (5, 0)}
_BINDS_FROM = {"opus": (5, 5), "sonnet": (5, 5), "haiku": (5, 5), "fable": (5, 1)}
_LAST_WITH_PREFILL = (4, 5)


def allows_prefill(model: str | None) -> bool:
    """Whether the last message of a request may have the role assistant: models up to 4.5."""
    version = _version(model)
    return version is None or version[1] <= _LAST_WITH_PREFILL


def allows_system_role(model: str | None) -> bool:
    """Whether messages may hold the role system: opus-4-8, sonnet-5, fable-5, opus-5 and later ones."""
    version = _version(model)
    if version is None:
        return True
    family, number = version
    return number >= _SYSTEM_ROLE_FROM.get(family, (5, 0))


def binds_thinking(model: str | None) -> bool:
    """Whether thinking is valid only behind what stood before it: opus, sonnet and haiku from 5.5, fable from 5.1."""
    version = _version(model)
    if version is None or version[0] not in _BINDS_FROM:
        return False
    family, number = version
    return number >= _BINDS_FROM[family]


def _version(model) -> tuple[str, tuple[int, int]] | None:
    """``claude-opus-4-8`` -> ``("opus", (4, 8))``; None when the name says no version."""
    if not isinstance(model, str):
        return None
    if match := re.search(_NEW_NAME, model):
        return match[1], (int(match[2]), int(match[3] or 0))
    if match := re.search(_OLD_NAME, model):
        return "", (int(match[1]), int(match[2] or 0))
    return None
