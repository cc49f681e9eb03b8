"""One run, seen from the grader: the player answers what comes through the door until the submission says that it is
done.

Everything that arrives is a stranger's: numbers and texts are checked, and what has no meaning is let lie.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import math
import threading
from typing import Any

from grader.classroom.sandbox.child import Child, GraderFault
from grader.classroom.sandbox.guest import wire
from grader.classroom.sandbox.outcome import TIMED_OUT, TOO_MUCH_OUTPUT, Ending
from grader.replay import nesting
from grader.replay.player import Player, Response

_MOST_CALLS = 2000  # requests and tool calls of one run
_MOST_AT_ONCE = 64
_MOST_STOPS = 50  # a loop that swallows what should stop it
_MOST_SLEPT_S = 1e9


class Serving:
    """Serves one run of one scenario. ``player`` is None while there is nothing to ask for: during the load, or a plain
    call.
    """

    def __init__(self, child: Child, player: Player | None, run: int):
        self._child, self._player, self._run = child, player, run
        self._slept = 0.0
        self._calls = self._stops = 0
        self._at_once = isinstance(player, Player) and player.answers_at_once  # then a call needs no thread of its own
        self._tools = threading.BoundedSemaphore(_MOST_AT_ONCE)
        self._tickets: dict[str, tuple[asyncio.AbstractEventLoop, asyncio.Task]] = {}
        self._closed = False

    def until_done(self) -> tuple[str, bytes]:
        """How the order ended, and the data that came with it. Raises wire.WireError, OSError and TimeoutError when it
        didn't.
        """
        acts = {
            "http": self._http,
            "tool": self._tool,
            "cancel": self._cancel,
            "finish": self._finish,
            "idle": self._idle,
        }
        while True:
            head, body = self._child.read()
            op = head.get("op")
            if op == "done" and head.get("run") == self._run:
                return str(head.get("how")), body
            if act := acts.get(op) if isinstance(op, str) else None:
                self._count()
                act(head, body)

    def close(self) -> None:
        """The run is over: tools that still run answer nobody."""
        self._closed = True

    def _count(self) -> None:
        self._calls += 1
        if self._calls > _MOST_CALLS:
            self._child.kill(Ending(TOO_MUCH_OUTPUT, f"It asked more than {_MOST_CALLS} times in one run."))
            raise wire.Closed("too many questions")

    def _http(self, head: dict, body: bytes) -> None:
        if not self._is_now(head):
            return self._gone(head)
        player = self._player
        self._take_sleep(head)
        before = player.clock.jumped
        response = self._response(head, body)
        if response.stop:
            self._stops += 1
            if self._stops > _MOST_STOPS:
                self._child.kill(Ending(TIMED_OUT, "It asked for replies without end."))
                raise wire.Closed("it asks without end")
        answer = {"status": response.status, "headers": response.headers, "jump": player.clock.jumped - before}
        if response.stop:
            answer["stop"] = True
        if response.chunks is not None:
            answer |= {"chunks": [len(chunk) for chunk in response.chunks], "broken": response.broken}
            self._reply(head, answer, b"".join(response.chunks))
        else:
            self._reply(head, answer, response.body or b"")

    def _response(self, head: dict, body: bytes) -> Response:
        player = self._player
        if head.get("method") != "POST" or head.get("path") != "/v1/messages":
            return player.refuse(404, "not_found_error", f"Not found: {head.get('method')} {head.get('path')}"[:500])
        if wrong := nesting.complaint(body):
            return player.refuse(
                400, "invalid_request_error", f"The course's player does not read this request: {wrong}."
            )
        retry = head.get("retry")
        response = player.respond({"x-stainless-retry-count": retry if isinstance(retry, str) else "0"}, body)
        if response.status == 500 and b"The player failed: " in response.body:
            raise GraderFault(json.loads(response.body)["error"]["message"])
        return response

    def _tool(self, head: dict, body: bytes) -> None:
        if not self._is_now(head):
            return self._gone(head)
        self._take_sleep(head)
        if self._at_once:
            return self._answer_tool(head, body)
        if not self._tools.acquire(blocking=False):
            self._child.kill(Ending(TOO_MUCH_OUTPUT, f"It ran more than {_MOST_AT_ONCE} tools at once."))
            raise wire.Closed("too many tools at once")
        threading.Thread(target=self._run_tool, args=(head, body), name="tool of a submission", daemon=True).start()

    def _run_tool(self, head: dict, body: bytes) -> None:
        try:
            self._answer_tool(head, body)
        finally:
            self._tools.release()

    def _answer_tool(self, head: dict, body: bytes) -> None:
        outcome = json.dumps(self._outcome(head, body)).encode()
        if not self._closed:
            with contextlib.suppress(OSError):
                self._reply(head, {}, outcome)

    def _outcome(self, head: dict, body: bytes) -> dict:
        """``{"output": …}`` or ``{"raised": {"type", "message"}}``."""
        try:
            call = json.loads(body)
            function, args, kwargs = self._player.functions()[head["name"]], list(call["args"]), dict(call["kwargs"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return {"raised": {"type": "RuntimeError", "message": "this is no call of a tool"}}
        try:
            output = function(*args, **kwargs)
            if inspect.isawaitable(output):
                output = asyncio.run(self._awaited(head.get("ticket"), output))
            return {"output": output}
        except asyncio.CancelledError:
            return {"raised": {"type": "CancelledError", "message": ""}}
        except Exception as error:
            message = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
            return {"raised": {"type": type(error).__name__, "message": message}}

    async def _awaited(self, ticket: Any, output: Any) -> Any:
        if isinstance(ticket, str):
            self._tickets[ticket] = asyncio.get_running_loop(), asyncio.current_task()
        try:
            return await output
        finally:
            self._tickets.pop(ticket, None)

    def _cancel(self, head: dict, body: bytes) -> None:
        ticket = head.get("ticket")
        if isinstance(ticket, str) and (waiting := self._tickets.get(ticket)):
            loop, task = waiting
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)

    def _finish(self, head: dict, body: bytes) -> None:
        """The function has returned, its event loop has not ended yet: hanging tools must go, or it never will."""
        if self._is_now(head):
            self._player.finish()

    def _idle(self, head: dict, body: bytes) -> None:
        """The submission's event loop has nothing to do until it is told something."""
        if self._is_now(head) and hasattr(self._player, "idle"):
            self._player.idle(head.get("asked"), head.get("answered"))

    def _is_now(self, head: dict) -> bool:
        return self._player is not None and head.get("run") == self._run

    def _gone(self, head: dict) -> None:
        """Answer a thread that an earlier run left behind, so that it ends."""
        error = {"type": "invalid_request_error", "message": "The run that this client belongs to is over."}
        body = json.dumps({"type": "error", "error": error}).encode()
        headers = {"content-type": "application/json", "x-should-retry": "false"}
        self._reply(head, {"gone": True, "status": 400, "headers": headers}, body)

    def _take_sleep(self, head: dict) -> None:
        """The loop's own sleeps take virtual time; it says how much so far."""
        slept = head.get("slept")
        if isinstance(slept, (int, float)) and not isinstance(slept, bool) and math.isfinite(slept):
            slept = min(slept, _MOST_SLEPT_S)
            if slept > self._slept:
                self._player.clock.advance(slept - self._slept)
                self._slept = slept

    def _reply(self, head: dict, answer: dict, body: bytes) -> None:
        number = head.get("id")
        if type(number) is int:
            self._child.send(answer | {"for": number}, body)


def described(functions: dict) -> list[dict]:
    """The player's functions as data, for ``guest.client.make_function``."""
    return [
        {
            "name": name,
            "doc": function.__doc__,
            "async": inspect.iscoroutinefunction(function),
            "parameters": [_parameter(one) for one in inspect.signature(function).parameters.values()],
        }
        for name, function in functions.items()
    ]


def _parameter(one: inspect.Parameter) -> list:
    annotation = None if one.annotation is one.empty else one.annotation.__name__
    return [one.name, int(one.kind), one.default is not one.empty, annotation]
