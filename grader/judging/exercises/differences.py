"""Comparing what came back with what was expected: JSON inside of texts, and where two lists of dicts differ."""

import json

from grader.history.plain import plain
from grader.judging.pieces import brief


def first_difference(got, want) -> str | None:
    """One sentence about the first place where two lists of dicts differ; None where they are no such lists, or equal."""
    if not (_are_dicts(got) and _are_dicts(want)):
        return None
    if len(got) != len(want):
        return f"The function returned {_counted(got)}; it should return {_counted(want)}."
    for i, (mine, right) in enumerate(zip(got, want, strict=True)):
        for key in [*right, *mine]:
            if key not in mine:
                return f"In what the function returned, [{i}] has no {key!r}; it should be {_shown(right[key])}."
            if key not in right:
                return f"In what the function returned, [{i}] has the key {key!r} ({_shown(mine[key])}), which does not belong there."
            if _text(mine[key]) != _text(right[key]):
                return f"In what the function returned, [{i}][{key!r}] is {_shown(mine[key])}; it should be {_shown(right[key])}."
    return None


def _are_dicts(value) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _counted(items: list[dict]) -> str:
    """How many there are, and what they are: ``3 items (user, assistant, tool)``."""
    kinds = [item.get("role") or item.get("type") for item in items]
    named = f" ({', '.join(kinds)})" if all(isinstance(kind, str) for kind in kinds) else ""
    return f"{len(items)} item{'' if len(items) == 1 else 's'}{named}"


def with_json_read(got, want):
    """Both values, ready to be compared: ``{"$json": x}`` in ``want`` becomes the text of x, and so does any other text of the
    same JSON at its place in ``got``."""
    if isinstance(want, dict) and set(want) == {"$json"}:
        text = json.dumps(want["$json"])
        return (text if _reads_as(got, want["$json"]) else got), text
    if isinstance(want, dict):
        pairs = {
            key: with_json_read(got.get(key) if isinstance(got, dict) else None, item) for key, item in want.items()
        }
        mine = (
            {key: pairs[key][0] if key in pairs else item for key, item in got.items()}
            if isinstance(got, dict)
            else got
        )
        return mine, {key: item for key, (_, item) in pairs.items()}
    if isinstance(want, list):
        both = isinstance(got, list) and len(got) == len(want)
        pairs = [with_json_read(got[i] if both else None, item) for i, item in enumerate(want)]
        return [mine for mine, _ in pairs] if both else got, [item for _, item in pairs]
    return got, want


def _reads_as(text, value) -> bool:
    try:
        return isinstance(text, str) and json.loads(text) == value
    except ValueError:
        return False


def _shown(value) -> str:
    return (
        repr(value)
        if type(value) in (str, int, float, bool, type(None)) and len(repr(value)) < 120
        else brief(plain(value)[0], 120)
    )


def _text(value) -> str:
    return json.dumps(value, sort_keys=True, default=str)
