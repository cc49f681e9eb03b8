"""A forwarding door on the loopback interface: what comes in goes to the API as it is, and what comes back is written
down.

Headers that carry keys are passed on and never kept.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

from grader.replay.loopback import _Server as _LocalServer
from grader.replay.record.events import EventReader

_HOP_BY_HOP = ("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "host", "content-length")
_NOT_SENT_ON = (*_HOP_BY_HOP, "accept-encoding", "proxy-authorization", "proxy-authenticate")
_NOT_SENT_BACK = (*_HOP_BY_HOP, "content-encoding")
_KEPT_HEADERS = ("retry-after", "retry-after-ms", "x-should-retry")
_SECRET_HEADERS = ("x-api-key", "authorization", "proxy-authorization", "cookie")
_ACCOUNT_HEADERS = ("anthropic-organization-id", "request-id", "set-cookie")
_TIMEOUT_S = 600  # a long reply that is not streamed takes minutes; it is the SDK's own default too
_POLL_S = 0.005


@dataclass
class Passed:
    """One request for a message and what came back: a message, an HTTP error, or the events of a stream (``cut``: it
    broke off).
    """

    request: dict
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: dict | None = None
    events: list[dict] | None = None
    cut: bool = False


class ForwardingDoor:
    """A server on 127.0.0.1 and a free port while the ``with`` block runs. ``passed`` is what went through, in order.

    ``upstream``: the base URL of the API, or of another door. ``secrets``: texts of headers that must not be in any
    file.
    """

    def __init__(self, upstream: str):
        self.upstream = upstream.rstrip("/")
        self.passed: list[Passed] = []
        self.failures: list[str] = []
        self.secrets: set[str] = set()
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.door = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_S,), daemon=True)

    @property
    def base_url(self) -> str:
        """What ``ANTHROPIC_BASE_URL`` has to be."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ForwardingDoor:
        self._server.http = _client(self.upstream)
        self._thread.start()
        return self

    def __exit__(self, *exception) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.close_connections()
        self._server.http.close()

    def note_headers(self, headers: Any, names: tuple[str, ...]) -> None:
        """Remember what these headers say, so that it can be scrubbed wherever it turns up."""
        for name in names:
            value = headers.get(name) or ""
            with self.lock:
                self.secrets.update(word for word in [value, value.removeprefix("Bearer ")] if len(word) > 7)


def default_upstream() -> str:
    """The base URL that the SDK would use here: its own, or that of ``ANTHROPIC_BASE_URL``."""
    import anthropic

    return str(anthropic.Anthropic(api_key="none").base_url)


def _client(upstream: str):
    import httpx2

    local = urlsplit(upstream).hostname in ("127.0.0.1", "localhost", "::1")
    return httpx2.Client(timeout=_TIMEOUT_S, **({"trust_env": False, "verify": False} if local else {}))


class _Server(_LocalServer):
    door: ForwardingDoor
    http: Any


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_request(self):
        self._started = False
        door = self.server.door
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        door.note_headers(self.headers, _SECRET_HEADERS)
        headers = [(name, value) for name, value in self.headers.items() if name.lower() not in _NOT_SENT_ON]
        headers.append(("accept-encoding", "identity"))
        try:
            with self.server.http.stream(
                self.command, door.upstream + self.path, headers=headers, content=body
            ) as answer:
                door.note_headers(answer.headers, _ACCOUNT_HEADERS)
                self._pass_back(answer, self._begin(body, answer))
        except (OSError, *_transport_errors()) as error:
            self._unreachable(error)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_request

    def log_message(self, *arguments):
        """Silent: what counts is in the recording."""

    def _begin(self, body: bytes, answer) -> Passed | None:
        """The record of this request when it asks for a message; None for all else."""
        if self.command != "POST" or urlsplit(self.path).path != "/v1/messages":
            return None
        kept = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
        passed = Passed(_object(body), answer.status_code, kept)
        with self.server.door.lock:
            self.server.door.passed.append(passed)
        return passed

    def _pass_back(self, answer, passed: Passed | None) -> None:
        self._started = True
        self.send_response(answer.status_code)
        for name, value in answer.headers.multi_items():
            if name.lower() not in _NOT_SENT_BACK:
                self.send_header(name, value)
        streams = "text/event-stream" in answer.headers.get("content-type", "")
        if streams:
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self._pass_stream(answer, passed)
            return
        body = answer.read()
        if passed is not None:
            passed.body = _object(body)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _pass_stream(self, answer, passed: Passed | None) -> None:
        reader = EventReader()
        if passed is not None:
            passed.events, passed.cut = reader.events, True
        try:
            for chunk in answer.iter_bytes():
                reader.feed(chunk)
                self._write_chunk(chunk)
        except _transport_errors():
            self.close_connection = True  # the stream broke off: so it does for the program
            return
        if passed is not None:
            passed.cut = False
        self._write_chunk(b"")

    def _write_chunk(self, chunk: bytes) -> None:
        """One chunk of a stream. A program that has gone away needs none; the recording goes on to the reply's end."""
        try:
            if not self.close_connection:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
                self.wfile.flush()
        except OSError:
            self.close_connection = True

    def _unreachable(self, error: Exception) -> None:
        self.close_connection = True
        if self._started:
            return
        self.server.door.failures.append(f"{type(error).__name__}: {error}")
        said = {
            "type": "error",
            "error": {"type": "api_error", "message": f"The recorder cannot reach the API: {error}"},
        }
        body = json.dumps(said).encode("utf-8")
        self.send_response(502)
        self.send_header("content-type", "application/json")
        self.send_header("x-should-retry", "false")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _transport_errors() -> tuple:
    import httpx2

    return (httpx2.HTTPError, httpx2.InvalidURL)


def _object(body: bytes) -> dict:
    try:
        found = json.loads(body.decode("utf-8"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
