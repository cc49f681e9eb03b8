"""Runs a coroutine to its end from ordinary code, inside the event loop of the page.

The page's own loop belongs to the browser and cannot block. A grader has to: ``check`` is an ordinary function and
gives its verdict when it returns. So the coroutine gets a loop of its own, which sleeps where another one would look
at sockets: there are none.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any

from grader.site.kernel.threads import wait_for_ever


def run_now(coroutine: Coroutine) -> Any:
    """What the coroutine returns. Raises what it raises. Works also while another loop or task is running."""
    outer = asyncio._get_running_loop()
    task = asyncio.current_task(outer) if outer else None
    if task:
        asyncio._leave_task(outer, task)
    asyncio._set_running_loop(None)
    try:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(coroutine)
    finally:
        asyncio._set_running_loop(outer)
        if task:
            asyncio._enter_task(outer, task)


class _Loop(asyncio.BaseEventLoop):
    """The standard library's loop, on a selector without files."""

    def __init__(self):
        super().__init__()
        self._selector = _Naps()

    def _process_events(self, events: list) -> None:
        pass

    def _write_to_self(self) -> None:
        pass  # nobody else could be asleep


class _Naps:
    """Stands where the loop expects a selector."""

    def select(self, timeout: float | None) -> list:
        """Wait for the next timer. Without one nothing can happen any more."""
        if timeout is None:
            wait_for_ever()
        if timeout > 0:
            # Not time.sleep: where the browser can switch stacks, Pyodide lets the page's loop run meanwhile.
            taken = threading.Lock()
            taken.acquire()
            taken.acquire(timeout=timeout)
        return []

    def close(self) -> None:
        pass
