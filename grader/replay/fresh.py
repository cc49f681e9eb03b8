"""Fresh ids, words and signatures for each run, so that nothing can be hard-coded.

All of it follows from the scenario's name and the seed: each value is drawn by a generator of its own, seeded with
what it stands for. So the order in which values are asked for does not matter, and two doors, two threads or two
processes get the same ones.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

_NONCE = re.compile(r"\{nonce(?::([A-Za-z0-9_-]+))?\}")
_ID = re.compile(r"\b(toolu|srvtoolu|mcptoolu|msg)_([A-Za-z0-9_]+)")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_CONSONANTS = "bdfgklmnprtvz"
_VOWELS = "aeiou"
_SEALED = {"signature": ("thinking", "signature_delta"), "data": ("redacted_thinking",)}  # only the API can write these


def _places(draw: random.Random) -> Iterator[int]:
    """Places in the alphabet, as ``draw.choice`` draws them, without its cost: a run needs dozens of ids."""
    bits, end = draw.getrandbits, len(_BASE58)
    while True:
        if (place := bits(end.bit_length())) < end:
            yield place


class Fresh:
    """The fresh values of one run."""

    def __init__(self, name: str, seed: int):
        self._root = f"{name}/{seed}"

    def _random(self, kind: str, key: str) -> random.Random:
        return random.Random(f"{self._root}/{kind}/{key}")

    def word(self, key: str = "") -> str:
        """A word that no one can guess: the same for the same key."""
        draw = self._random("word", key)
        syllables = "".join(draw.choice(_CONSONANTS) + draw.choice(_VOWELS) for _ in range(3))
        return f"{syllables}{draw.randrange(10, 100)}"

    def id(self, original: str, repeat: int = 0) -> str:
        """A new id in place of ``original``, with its prefix; another one for each repeat of its reply."""
        prefix = original.partition("_")[0]
        draw = self._random("id", f"{original}/{repeat}")
        return f"{prefix}_01" + "".join(_BASE58[place] for place in islice(_places(draw), 22))

    def signature(self, original: str, repeat: int = 0) -> str:
        """A new signature in place of ``original``; an empty one stays empty, as a stream's first event has it."""
        if not original:
            return original
        return base64.b64encode(self._random("signature", f"{original}/{repeat}").randbytes(96)).decode("ascii")

    def request_id(self, key: object) -> str:
        """A request id: the same for the same key."""
        return self.id(f"req_{key}")

    def apply(self, value: Any, repeat: int = 0) -> Any:
        """A deep copy of JSON data with every placeholder, id and signature replaced."""
        if isinstance(value, str):
            text = _NONCE.sub(lambda found: self.word(found[1] or ""), value)
            return _ID.sub(lambda found: self.id(found[0], repeat), text)
        if isinstance(value, list):
            return [self.apply(item, repeat) for item in value]
        if isinstance(value, dict):
            return {key: self._entry(value, key, repeat) for key in value}
        return value

    def _entry(self, holder: dict, key: str, repeat: int) -> Any:
        value = holder[key]
        if isinstance(value, str) and holder.get("type") in _SEALED.get(key, ()):
            return self.signature(value, repeat)
        return self.apply(value, repeat)
