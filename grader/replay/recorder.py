"""The one place where a run is written down. Threads of the loop, of its tools and of a door all write here."""

from __future__ import annotations

import threading
from typing import Any

from grader.replay.transcript import Exchange, ToolRun, Transcript


class Recorder:
    """Writes exchanges and tool runs into a transcript, one after the other, until it is closed.

    What happens after ``close`` belongs to no run any more: late output of a tool, or a thread that the loop left
    behind.
    """

    def __init__(self, transcript: Transcript):
        self.transcript = transcript
        self.lock = threading.RLock()
        self.closed = False
        self._events = 0

    def close(self) -> None:
        """Write nothing more."""
        with self.lock:
            self.closed = True

    def add(self, exchange: Exchange) -> None:
        """Write down an exchange; its index becomes its place."""
        with self.lock:
            if not self.closed:
                exchange.index = len(self.transcript.exchanges)
                self.transcript.exchanges.append(exchange)

    def begin(self, name: str, input: dict) -> ToolRun:
        """Write down that a tool was started."""
        with self.lock:
            after = len(self.transcript.exchanges) - 1
            run = ToolRun(len(self.transcript.runs), name, input, after, outcome="hung", started=self._tick())
            if not self.closed:
                self.transcript.runs.append(run)
            return run

    def end(self, run: ToolRun, outcome: str, *, output: Any = None, error: dict | None = None) -> None:
        """Write down how a run ended. Its outcome stays "hung" until then."""
        with self.lock:
            if not self.closed:
                run.outcome, run.output, run.error, run.ended = outcome, output, error, self._tick()

    def waited_for(self, run: ToolRun) -> None:
        """Write down that the loop sent nothing since the run was started, though it had time to."""
        with self.lock:
            if not self.closed:
                run.waited_for = len(self.transcript.exchanges) - 1 == run.after

    def _tick(self) -> int:
        self._events += 1
        return self._events
