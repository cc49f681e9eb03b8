"""Messages between the grader and a submission: a head of JSON and a body of bytes, both with their length in front.

Both sides read the same way, and each trusts the other no further than these caps.
"""

import json
import struct

LENGTHS = struct.Struct(">II")
HEAD_CAP = 1 << 16
_CHUNK = 1 << 18


class WireError(Exception):
    """The bytes are no message, or a message over the cap."""


class Closed(WireError):
    """The other side closed the door."""


def pack(head: dict, body: bytes = b"") -> bytes:
    """The message as bytes. Raises TypeError or ValueError when ``head`` is no JSON data."""
    text = json.dumps(head, separators=(",", ":")).encode()
    return LENGTHS.pack(len(text), len(body)) + text + body


class Reader:
    """Reads messages from a socket. What was read of a message stays here, so that a read may be broken off and begun
    again.

    ``cap``: bytes that a body may have; ``budget``: bytes that all messages together may have (None: any number).
    """

    def __init__(self, sock, cap: int, budget: int | None = None, head_cap: int = HEAD_CAP):
        self._sock, self._cap, self._budget, self._head_cap = sock, cap, budget, head_cap
        self._buffer = bytearray()

    def refill(self, budget: int | None) -> None:
        """Count the budget anew from here on."""
        self._budget = budget

    def read(self) -> tuple[dict, bytes]:
        """The next message. Raises Closed, WireError, and what the socket raises (a timeout)."""
        self._fill(LENGTHS.size)
        head_size, body_size = LENGTHS.unpack_from(self._buffer)
        if head_size > self._head_cap or body_size > self._cap:
            raise WireError(f"a message of {head_size + body_size} bytes is over the cap")
        end = LENGTHS.size + head_size + body_size
        self._fill(end)
        if self._budget is not None:
            self._budget -= end
            if self._budget < 0:
                raise WireError("all messages together are over the cap")
        head = _object(bytes(self._buffer[LENGTHS.size : LENGTHS.size + head_size]))
        body = bytes(self._buffer[LENGTHS.size + head_size : end])
        del self._buffer[:end]
        return head, body

    def _fill(self, size: int) -> None:
        while len(self._buffer) < size:
            chunk = self._sock.recv(_CHUNK)
            if not chunk:
                raise Closed("the door was closed")
            self._buffer += chunk


def _object(text: bytes) -> dict:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        raise WireError("the head of a message is no JSON") from None
    if not isinstance(head, dict):
        raise WireError("the head of a message is no object")
    return head
