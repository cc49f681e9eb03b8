"""The shape of JSON, told from its bytes before anybody reads it.

Data nested a thousand deep breaks code that walks it, long after it was read; half a million empty lists keep it busy
for a minute.
"""

MOST_LEVELS = 64
MOST_PARTS = 20_000
_MARKS = b'[]{}"'
_ALL_ELSE = bytes(set(range(256)) - set(_MARKS))


def complaint(text: bytes) -> str | None:
    """What is wrong with the shape of well-formed JSON; None when nothing is. For malformed JSON the answer means
    nothing.
    """
    brackets = _brackets(text)
    if len(brackets) > 2 * MOST_PARTS:
        return f"more than {MOST_PARTS} objects and lists"
    return f"nested more than {MOST_LEVELS} levels deep" if _deeper(brackets, MOST_LEVELS) else None


def too_deep(text: bytes, most: int) -> bool:
    """Whether well-formed JSON has more levels than ``most``."""
    return _deeper(_brackets(text), most)


def _deeper(brackets: bytes, most: int) -> bool:
    """The same for the brackets alone, all of them written as [ and ]."""
    for _ in range(most):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")  # the innermost level goes
    return bool(brackets)


def _brackets(text: bytes) -> bytes:
    unescaped = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    outside_strings = b"".join(unescaped.translate(None, _ALL_ELSE).split(b'"')[::2])
    return outside_strings.replace(b"{", b"[").replace(b"}", b"]")
