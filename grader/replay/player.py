"""The player: answers each request of one run as the scenario says, and refuses what the API refuses.

It knows no socket and no SDK: a door hands it headers and a body, and takes back a ``Response``. It always answers
and never raises, since an exception inside a transport would reach the learner as a connection error.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from grader.history import lint
from grader.replay.clock import Clock
from grader.replay.fresh import Fresh
from grader.replay.plain import plain
from grader.replay.recorder import Recorder
from grader.replay.request import parse_body
from grader.replay.scenario import Scenario
from grader.replay.script import Script, Step
from grader.replay.stream import encode, error_of
from grader.replay.tools import Hold, ScriptedTool
from grader.replay.transcript import Exchange, Transcript

_EXTRA_REQUESTS = 20  # a repeated reply is given so often; then so many requests are refused; then the loop is stopped
_PATIENCE = (4.0, 3.0)  # a loop may wait for a hanging tool for 4 times the scenario's tool_timeout_s and 3 s
_SENT_AGAIN = (408, 409, 429)
_STATUS_OF = {"overloaded_error": 529, "rate_limit_error": 429}
_AFTER_END = (
    "This scenario has no more replies. Its last one has been given, and a right loop asks for nothing after it. "
    "(The course's player says this, not the API.)"
)
# The SDK's tool runner asks the API to keep the history, so that a request holds the new messages only. Told that this
# cannot be, it sends the whole history (lib/threads/_thread_state.py in 2.14.0). So it can be judged; no turn.
_NO_THREADS = "Message threads are not available here. Send the full conversation without `thread`."
_NO_THREADS_DETAILS = {"error_code": "thread_unsupported_request"}
_INTERNAL = {"type": "api_error", "message": "Internal server error"}


@dataclass(frozen=True)
class Response:
    """An answer for a door to deliver: a body, or the chunks of a stream.

    ``broken``: the connection breaks after the last chunk. ``stop``: the loop asks without end; a door that can
    should stop it.
    """

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    chunks: list[bytes] | None = None
    broken: bool = False
    stop: bool = False


def _error_response(status: int, error: dict, request_id: str, **headers: str) -> Response:
    body = json.dumps({"type": "error", "error": error, "request_id": request_id}, ensure_ascii=False).encode()
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Response(status, {"content-type": "application/json", "request-id": request_id, **named}, body)


class Player:
    """One run of one scenario. Everything that is fresh in it follows from the seed.

    ``task``, ``tools`` and ``functions()`` are what the loop gets; ``transcript`` is what was seen; ``clock`` is the
    virtual time. ``coroutines``: the loop is ``async def``, so it gets coroutine functions where the scenario has them.
    May be used from several threads.
    """

    def __init__(self, scenario: Scenario, seed: int, limits: dict | None = None, *, coroutines: bool = False):
        self.scenario = scenario
        self.fresh = Fresh(scenario.name, seed)
        self.clock = Clock()
        self.task = self.fresh.apply(scenario.task)
        self.tools = scenario.definitions
        self.transcript = Transcript(
            scenario=scenario.name,
            seed=seed,
            task=self.task,
            tools=scenario.definitions,
            limits=dict(scenario.limits if limits is None else limits),
        )
        self._recorder = Recorder(self.transcript)
        self._script = Script(scenario, self.fresh)
        self._issued: list[dict] = []  # what was given in this run, and what it answered
        self._most = len(self._script) + max(_EXTRA_REQUESTS, self.transcript.limits.get("max_turns", 0))
        self._asked = 0
        # The last request, where the SDK will send it again. That a request is a retry, and so no turn of its own, is
        # what its header says, and a loop can write that header too: it counts only where a retry can be.
        self._failed: dict | None = None
        self._hold = Hold(self._patience())
        self._functions = self._make_functions(coroutines)
        self._originals = dict(self._functions)
        self.transcript.unused = len(self._script)

    def functions(self) -> dict[str, Callable]:
        """The functions of the scenario's tools: the same dict on each call."""
        return self._functions

    @property
    def answers_at_once(self) -> bool:
        """Whether each call of a tool returns without waiting for anything: no tool of the scenario ever hangs."""
        tools = [*self.scenario.tools, *self.scenario.extra_functions]
        return not any(behaviour.hangs for tool in tools for behaviour in tool.behaviour)

    def release(self) -> None:
        """Let every hanging tool go."""
        self._hold.release()

    def finish(self) -> None:
        """End the run: nothing more is written into the transcript, hanging tools are let go."""
        with self._recorder.lock:
            if not self._recorder.closed:
                self.transcript.mutated = self._mutated()
            self._recorder.close()
        self.release()

    def respond(self, headers: Any, body: bytes) -> Response:
        """The answer to a request for a message. Never raises.

        In: the request's headers (a mapping, or pairs) and its body. Out: what a door has to deliver.
        """
        try:
            with self._recorder.lock:
                return self._respond(_retry_count(headers), body)
        except Exception as error:  # a fault of ours must not look like a lost connection
            message = f"The player failed: {type(error).__name__}: {error}. Please report this."
            return self.refuse(500, "api_error", message)

    def refuse(self, status: int, kind: str, message: str, **more: Any) -> Response:
        """An error in the API's shape that is no part of the run: for what a door itself cannot accept."""
        error = {"type": kind, "message": message, **more}
        return _error_response(status, error, self.fresh.request_id(message), x_should_retry="false")

    def _respond(self, retry: int, body: bytes) -> Response:
        self._asked += 1
        if self._recorder.closed or self._asked > self._most + _EXTRA_REQUESTS:
            return replace(self.refuse(400, "invalid_request_error", _AFTER_END), stop=True)
        request, complaint = parse_body(body)
        if request.get("thread"):
            return self.refuse(400, "invalid_request_error", _NO_THREADS, details=_NO_THREADS_DETAILS)
        retry, self._failed = retry if request == self._failed else 0, None
        exchange = Exchange(-1, request, 400, retry=retry, at_s=self.clock.jumped, stream=request.get("stream") is True)
        if complaint is None:
            exchange.violations = lint(request, replies=self._issued, parsed=True)
            complaint = next((one.api or one.saw for one in exchange.violations if one.severity == "refused"), None)
        if complaint is not None:
            return self._record_refusal(exchange, "refused", complaint)
        self.transcript.capped = self._asked > self._most
        step = None if self.transcript.capped else self._script.next()
        self.transcript.unused = self._script.left
        if step is None:
            return self._record_refusal(exchange, "after_end", _AFTER_END)
        self.clock.advance(step.takes_s)
        exchange.takes_s = step.takes_s
        if step.error:
            return self._give_error(exchange, step)
        return self._give_reply(exchange, step)

    def _record_refusal(self, exchange: Exchange, kind: str, message: str) -> Response:
        exchange.kind, exchange.error = kind, {"type": "invalid_request_error", "message": message}
        self._recorder.add(exchange)
        return _error_response(400, exchange.error, self.fresh.request_id(exchange.index), x_should_retry="false")

    def _give_error(self, exchange: Exchange, step: Step) -> Response:
        exchange.kind, exchange.status, exchange.error = "error", step.status, step.error
        self._recorder.add(exchange)
        response = _error_response(step.status, step.error, self.fresh.request_id(exchange.index), retry_after_ms="1")
        response = replace(response, headers={**response.headers, **step.headers})
        self._failed = exchange.request if _is_sent_again(response) else None
        return response

    def _give_reply(self, exchange: Exchange, step: Step) -> Response:
        step.set_model(exchange.request["model"])
        exchange.status, exchange.kind = 200, "reply" if step.whole else "broken"
        if step.whole:
            exchange.reply = step.message
            self._issued.append({"content": step.message["content"], "request": exchange.request})
        else:
            exchange.error = error_of(step.events)
        if not step.whole and not exchange.stream:  # a plain request never sees half a reply
            exchange.error = exchange.error or _INTERNAL
            exchange.status = _STATUS_OF.get(exchange.error["type"], 500)
        self._recorder.add(exchange)
        return self._deliver(exchange, step)

    def _deliver(self, exchange: Exchange, step: Step) -> Response:
        headers = {"request-id": self.fresh.request_id(exchange.index)}
        if exchange.stream:
            headers |= {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
            return Response(200, headers, chunks=[encode(event) for event in step.events], broken=step.cut)
        if exchange.error:
            return _error_response(exchange.status, exchange.error, headers["request-id"], x_should_retry="false")
        headers["content-type"] = "application/json"
        return Response(200, headers, json.dumps(step.message, ensure_ascii=False).encode())

    def _patience(self) -> float | None:
        limit, (times, seconds) = self.transcript.limits.get("tool_timeout_s"), _PATIENCE
        return None if limit is None else times * limit + seconds

    def _make_functions(self, coroutines: bool) -> dict[str, Callable]:
        absent = self.scenario.missing_functions
        scripted = [tool for tool in [*self.scenario.tools, *self.scenario.extra_functions] if tool.name not in absent]
        tools = [ScriptedTool(tool, self.fresh, self._recorder, self._hold) for tool in scripted]
        return {tool.name: tool.function(coroutines) for tool in tools}

    def _mutated(self) -> list[str]:
        mutated = [] if plain(self.tools) == self.transcript.tools else ["tools"]
        now = {key: id(value) for key, value in dict.items(self._functions)}
        if now != {key: id(value) for key, value in self._originals.items()}:
            mutated.append("functions")
        return mutated


def _is_sent_again(response: Response) -> bool:
    """Whether the SDK retries after this failure (anthropic/_base_client.py, _should_retry)."""
    said = response.headers.get("x-should-retry")
    return said == "true" if said in ("true", "false") else response.status in _SENT_AGAIN or response.status >= 500


def _retry_count(headers: Any) -> int:
    pairs = headers.items() if hasattr(headers, "items") else headers or ()
    for name, value in pairs:
        if str(name).lower() == "x-stainless-retry-count":
            return int(value) if str(value).isdecimal() and len(str(value)) < 6 else 0
    return 0
