"""Real SDK clients whose transport is the door, and the scripted tools as functions that ask through it."""

import asyncio
import builtins
import contextlib
import inspect
import json
import threading

from . import wire
from .door import Door

_BASE_URL = "http://player.invalid"  # a name that can never be resolved, should anything try
_API_KEY = "no-key-is-needed"


class Line:
    """The door, for one run: messages carry the run's number and how much virtual time its sleeps have taken."""

    def __init__(self, door: Door, run: int, clock):
        self._door, self._run, self._clock = door, run, clock
        self._told = 0.0  # virtual seconds that the grader told, so not slept
        self._lock = threading.Lock()

    def ask(self, op: str, head: dict, body: bytes) -> tuple[dict, bytes]:
        """One question and its answer; moves the clock on as the answer says."""
        slept = self._clock.jumped - self._told
        answer, data = self._door.ask({"op": op, "run": self._run, "slept": slept, **head}, body)
        if jump := answer.get("jump"):
            with self._lock:
                self._told += jump
                self._clock.advance(jump)
        return answer, data

    def finish(self) -> None:
        """Tell that the function has returned, so that the grader lets hanging tools go."""
        self._door.tell({"op": "finish", "run": self._run})

    async def ask_async(self, op: str, head: dict, body: bytes) -> tuple[dict, bytes]:
        """The same, without blocking the event loop. When it is cancelled, the grader hears of it."""
        loop, future = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
        ticket = f"{id(future)}-{self._run}"

        def work():
            try:
                outcome = self.ask(op, {"ticket": ticket, **head}, body)
            except BaseException as error:  # whatever it is belongs to who waits
                outcome = error
            with contextlib.suppress(RuntimeError):  # the event loop has ended; nobody waits
                loop.call_soon_threadsafe(_settle, future, outcome)

        threading.Thread(target=work, daemon=True).start()
        try:
            return await future
        except asyncio.CancelledError:
            self._door.tell({"op": "cancel", "run": self._run, "ticket": ticket})
            raise


def _settle(future, outcome) -> None:
    if future.done():
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def make_client(line: Line, wants_async: bool):
    """An ``anthropic.Anthropic`` or ``AsyncAnthropic`` that talks to the grader's player."""
    import anthropic
    import httpx2

    if wants_async:

        async def handler(request):
            answer = await line.ask_async("http", _described(request), request.content)
            return _response(*answer, _async_chunks)

        http = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
        return anthropic.AsyncAnthropic(api_key=_API_KEY, base_url=_BASE_URL, http_client=http)

    def handler(request):
        return _response(*line.ask("http", _described(request), request.content), _chunks)

    http = httpx2.Client(transport=httpx2.MockTransport(handler))
    return anthropic.Anthropic(api_key=_API_KEY, base_url=_BASE_URL, http_client=http)


def _described(request) -> dict:
    retry = request.headers.get("x-stainless-retry-count", "0")
    return {"method": request.method, "path": request.url.path, "retry": retry}


def _response(head: dict, body: bytes, stream):
    import httpx2

    if head.get("stop"):
        from grader.replay.in_process import EndlessLoop

        raise EndlessLoop
    sizes = head.get("chunks")
    content = body if sizes is None else stream(_cut(body, sizes), head["broken"])
    return httpx2.Response(head["status"], headers=head["headers"], content=content)


def _cut(body: bytes, sizes: list[int]) -> list[bytes]:
    chunks, start = [], 0
    for size in sizes:
        chunks.append(body[start : start + size])
        start += size
    return chunks


def _chunks(chunks: list[bytes], broken: bool):
    yield from chunks
    if broken:
        raise _broken()


async def _async_chunks(chunks: list[bytes], broken: bool):
    for chunk in chunks:
        yield chunk
    if broken:
        raise _broken()


def _broken() -> Exception:
    import httpx2

    return httpx2.RemoteProtocolError(
        "peer closed connection without sending complete message body (incomplete chunked read)"
    )


def make_function(line: Line, spec: dict):
    """A scripted tool as a function. ``spec``: name, doc, async and parameters, as ``grader.classroom.sandbox.serving``
    writes them.
    """
    from grader.replay.plain import plain

    head = {"name": spec["name"]}

    def packed(args, kwargs) -> bytes:
        return json.dumps({"args": plain(args), "kwargs": plain(kwargs)}).encode()

    if spec["async"]:

        async def function(*args, **kwargs):
            return _outcome(await line.ask_async("tool", head, packed(args, kwargs)))
    else:

        def function(*args, **kwargs):
            return _outcome(line.ask("tool", head, packed(args, kwargs)))

    signature = inspect.Signature([_parameter(*one) for one in spec["parameters"]])
    function.__name__ = function.__qualname__ = spec["name"]
    function.__doc__ = spec["doc"]
    function.__module__ = "tools"
    function.__signature__ = signature
    function.__annotations__ = {
        name: one.annotation for name, one in signature.parameters.items() if one.annotation is not one.empty
    }
    return function


def _parameter(name: str, kind: int, optional: bool, annotation: str | None) -> inspect.Parameter:
    empty = inspect.Parameter.empty
    default = None if optional else empty
    noted = getattr(builtins, annotation) if annotation else empty
    return inspect.Parameter(name, inspect._ParameterKind(kind), default=default, annotation=noted)


def _outcome(answer: tuple[dict, bytes]):
    head, body = answer
    if head.get("gone"):
        raise wire.Closed("the run is over")
    data = json.loads(body)
    if "raised" not in data:
        return data["output"]
    from grader.replay.scenario import Raised
    from grader.replay.tools import exception_of

    if data["raised"]["type"] == "CancelledError":
        raise asyncio.CancelledError
    raise exception_of(Raised(**data["raised"]))
