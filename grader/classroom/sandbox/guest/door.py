"""The submission's end of the door: many threads may ask, each gets its own answer."""

import itertools
import os
import threading

from . import wire

_BODY_CAP = 1 << 28  # the grader is trusted; this only catches nonsense


class Door:
    """One socket to the grader, shared by all threads of the submission's process.

    Whoever waits for an answer reads for all: what belongs to others goes to their places in the inbox.
    """

    def __init__(self, sock):
        self._sock = sock
        self._reader = wire.Reader(sock, cap=_BODY_CAP, head_cap=_BODY_CAP)
        self._sending = threading.Lock()
        self._news = threading.Condition()
        self._inbox: dict = {}
        self._someone_reads = False
        self._closed = False
        self._numbers = itertools.count(1)
        self._pid = os.getpid()

    def tell(self, head: dict, body: bytes = b"") -> None:
        """Send a message that wants no answer."""
        if os.getpid() != self._pid:
            raise RuntimeError("a forked process cannot use the client and the tools of its parent")
        packed = wire.pack(head, body)
        with self._sending:
            self._sock.sendall(packed)

    def ask(self, head: dict, body: bytes = b"") -> tuple[dict, bytes]:
        """Send a message and wait for its answer. Raises wire.Closed when the grader has closed the door."""
        number = next(self._numbers)
        self.tell(head | {"id": number}, body)
        return self._wait_for(number)

    def word(self, key: str) -> tuple[dict, bytes]:
        """Wait for the message that the grader sends to this key. Raises wire.Closed when it has closed the door."""
        return self._wait_for(key)

    def order(self) -> tuple[dict, bytes]:
        """Wait for the grader's next order."""
        return self._wait_for("order")

    def _wait_for(self, key) -> tuple[dict, bytes]:
        with self._news:
            while True:
                if key in self._inbox:
                    return self._inbox.pop(key)
                if self._closed:
                    raise wire.Closed("the door was closed")
                if not self._someone_reads:
                    self._someone_reads = True
                    break
                self._news.wait()
        try:
            return self._read_until(key)
        finally:
            with self._news:
                self._someone_reads = False
                self._news.notify_all()

    def _read_until(self, key) -> tuple[dict, bytes]:
        while True:
            try:
                head, body = self._reader.read()
            except (wire.WireError, OSError):
                self._closed = True
                raise
            place = head.get("for", "order")
            if place == key:
                return head, body
            with self._news:
                self._inbox[place] = (head, body)
                self._news.notify_all()
