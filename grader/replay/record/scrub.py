"""What a recording must not carry: keys, account ids, and the ids of the run."""

from __future__ import annotations

import re
from typing import Any

_RUN_ID = re.compile(r"^(toolu|srvtoolu|mcptoolu|msg)_[A-Za-z0-9_]+$")
_ID_KEYS = ("id", "tool_use_id")
_KEY = re.compile(r"\bsk-ant-[A-Za-z0-9_-]+")
_ACCOUNT_ID = re.compile(r"\b(req|org|wrkspc|container|file|session|user|acct|apikey)_[A-Za-z0-9]{12,}")


def scrubbed(data: Any, secrets: set[str]) -> Any:
    """A copy of JSON data: the ids of messages and calls are numbered, keys and account ids are gone.

    Ids are renamed wherever they stand, also inside texts. ``secrets``: what the headers of the run held.
    """
    names = _new_names(data)
    longest_first = sorted([*names, *secrets], key=len, reverse=True)
    known = re.compile("|".join(re.escape(text) for text in longest_first)) if longest_first else None

    def clean(text: str) -> str:
        if known is not None:
            text = known.sub(lambda found: names.get(found[0], "scrubbed"), text)
        return _ACCOUNT_ID.sub(r"\1_scrubbed", _KEY.sub("sk-ant-scrubbed", text))

    return _mapped(data, clean)


def _new_names(data: Any) -> dict[str, str]:
    """A numbered id in place of each id, in the order in which they come up."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for id in _ids(data):
        if id not in names:
            prefix = id.partition("_")[0]
            counts[prefix] = counts.get(prefix, 0) + 1
            names[id] = f"{prefix}_recorded{counts[prefix]:02d}"
    return names


def _ids(data: Any):
    if isinstance(data, list):
        for item in data:
            yield from _ids(item)
    elif isinstance(data, dict):
        for key in _ID_KEYS:
            if isinstance(data.get(key), str) and _RUN_ID.match(data[key]):
                yield data[key]
        for value in data.values():
            yield from _ids(value)


def _mapped(data: Any, clean) -> Any:
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, list):
        return [_mapped(item, clean) for item in data]
    if isinstance(data, dict):
        return {clean(key): _mapped(value, clean) for key, value in data.items()}
    return data
