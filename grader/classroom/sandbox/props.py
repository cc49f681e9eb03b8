"""What stands in for a player while a plain function is called: its scripted functions, and no API."""

from __future__ import annotations

import json
from typing import Any

from grader.replay.clock import Clock
from grader.replay.player import Response


class Props:
    """The scripted functions of one call, run in the grader's process where the submission can't forge their log."""

    def __init__(self, functions: dict[str, Any]):
        self._functions = functions
        self.clock = Clock()

    def functions(self) -> dict[str, Any]:
        return self._functions

    def respond(self, headers: Any, body: bytes) -> Response:
        return self.refuse(404, "not_found_error", "There is no API behind this exercise.")

    def refuse(self, status: int, kind: str, message: str) -> Response:
        body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
        return Response(status, {"content-type": "application/json", "x-should-retry": "false"}, body)

    def finish(self) -> None:
        """Nothing hangs here."""

    def release(self) -> None:
        """Nothing hangs here."""
