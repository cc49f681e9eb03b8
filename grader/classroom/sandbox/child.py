"""The grader's hold on one submission's process: its door, its output, its life."""

import contextlib
import json
import socket
import threading
import time

from grader.classroom.sandbox.guest import wire
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.outcome import TOO_MUCH_OUTPUT, Ending

_LAST_WORDS_S = 30.0
_MOMENT_S = 0.5
_KEPT = 8 << 10
_CHUNK = 1 << 16


class GraderFault(Exception):
    """The sandbox itself failed. The text says how; it is nothing that a submission did."""


class StartTimedOut(GraderFault):
    """The zygote was not ready in time. That says nothing about what this machine can do, only that it is busy."""


class ZygoteDied(GraderFault):
    """There is no zygote any more; a new one has to be started."""


class Child:
    """A process that runs one submission.

    In: the door's socket, the read end of its output (a binary file), ``life`` (see below) and the limits. ``life`` has
    ``kill()``
    and ``wait(seconds) -> {"code", "reason", "cpu_s"}``, which raises GraderFault.
    """

    def __init__(self, door: socket.socket, output, life, limits: Limits, on_end=None):
        self.life, self.limits = life, limits
        self.walls: tuple[str, ...] = ()
        self.killed_for: Ending | None = None
        self.cpu_s = 0.0
        self._door = door
        self._sending = threading.Lock()
        self._deadline = time.monotonic() + limits.total_s
        self._reader = wire.Reader(self, cap=max(limits.request, limits.reply), budget=limits.requests)
        self._end: dict | None = None
        self._on_end = on_end
        self.output = Output(output, limits.output, lambda: self.kill(Ending(TOO_MUCH_OUTPUT, "It printed too much.")))

    def begin(self, seconds: float) -> None:
        """Start an order: it has so many seconds, and what may be sent and printed is counted anew."""
        self.set_deadline(seconds)
        self._reader.refill(self.limits.requests)
        self.output.refill()

    def set_deadline(self, seconds: float) -> None:
        """From now on, reading and sending may go on for so long."""
        self._deadline = time.monotonic() + seconds

    def recv(self, size: int) -> bytes:
        """For the reader: what comes in, up to the deadline. Raises TimeoutError and OSError."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._door.settimeout(left)
        return self._door.recv(size)

    def read(self) -> tuple[dict, bytes]:
        """The next message. Raises wire.WireError, TimeoutError and OSError."""
        return self._reader.read()

    def send(self, head: dict, body: bytes = b"") -> None:
        """Send a message. Raises TimeoutError and OSError."""
        packed = wire.pack(head, body)
        with self._sending:
            self._door.settimeout(max(0.01, self._deadline - time.monotonic()))
            self._door.sendall(packed)

    def kill(self, why: Ending) -> None:
        """End the process and all below it. The first reason stays."""
        self.killed_for = self.killed_for or why
        self.life.kill()

    def ends_by_itself(self) -> bool:
        """Whether the process, whose door is closed, ends within a moment. Raises GraderFault."""
        try:
            self._end = self.life.wait(_MOMENT_S)
        except TimeoutError:
            return False
        self.cpu_s = self._end["cpu_s"]
        return True

    def wait(self) -> dict:
        """How the process ended: code (negative: a signal), reason, cpu_s. Raises GraderFault when nobody knows."""
        if self._end is None:
            try:
                self._end = self.life.wait(_LAST_WORDS_S)
            except TimeoutError:
                raise GraderFault("nobody says how a submission's process ended") from None
            self.cpu_s = self._end["cpu_s"]
        return self._end

    def close(self) -> None:
        """Let the process end, or end it, and give back what it held."""
        with contextlib.suppress(OSError):
            self.set_deadline(1)
            self.send({"op": "end"})
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        try:
            with contextlib.suppress(GraderFault):
                if self._end is None and not self.ends_by_itself():
                    self.life.kill()
                    self.wait()
        finally:
            self.life.kill()
            self.output.close()
            if self._on_end:
                self._on_end()


class Life:
    """A zygote's line for one child: it says there how the child ended, and kills the child when our side of the line
    is shut.
    """

    def __init__(self, line: socket.socket):
        self._line = line

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def wait(self, seconds: float) -> dict:
        """The zygote's last word about the child. Raises TimeoutError while there is none, GraderFault when there will
        be none.
        """
        return self._word(seconds)

    def _word(self, seconds: float) -> dict:
        self._line.settimeout(seconds)
        try:
            packet = self._line.recv(_CHUNK)
        except TimeoutError:
            raise
        except OSError as error:
            raise ZygoteDied(f"the line to the zygote is broken: {error}") from None
        if not packet:
            raise ZygoteDied("the zygote died")
        return json.loads(packet)

    def first_word(self, seconds: float) -> dict:
        """What came of the spawning: a pid or a fault. Raises GraderFault."""
        try:
            return self._word(seconds)
        except TimeoutError:
            raise GraderFault("the zygote does not answer") from None

    def close(self) -> None:
        self._line.close()


class Output:
    """Reads what a submission prints, keeps the beginning and the end, and calls ``too_much`` past the cap."""

    def __init__(self, file, cap: int, too_much):
        self._file, self._cap, self._too_much = file, cap, too_much
        self._start, self._tail, self.size, self._counted = bytearray(), bytearray(), 0, 0
        self._thread = threading.Thread(target=self._pump, name="submission output", daemon=True)
        self._thread.start()

    def _pump(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._file.read1(_CHUNK):
                self.size += len(chunk)
                self._counted += len(chunk)
                room = _KEPT - len(self._start)
                self._start += chunk[:room]
                self._tail = (self._tail + chunk[max(0, room) :])[-_KEPT:]
                if self._counted > self._cap:
                    self._too_much()
                    return

    def refill(self) -> None:
        """Count what is printed anew from here on."""
        self._counted = 0

    @property
    def text(self) -> str:
        """What was printed, as text; the middle is left out when it is long."""
        start, tail = bytes(self._start), bytes(self._tail)
        gap = b"\n[...]\n" if self.size > len(start) + len(tail) else b""
        return (start + gap + tail).decode("utf-8", "replace")

    def close(self) -> None:
        self._thread.join(1)
        if not self._thread.is_alive():
            self._file.close()
