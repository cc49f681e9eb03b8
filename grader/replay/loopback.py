"""The door on the loopback interface: HTTP/1.1 for other processes, and for programs in any language.

``POST /v1/messages`` answers as the API does. ``POST /tools/NAME`` runs a scripted tool with the JSON object in the
body and answers ``{"output": …}`` or ``{"raised": {"type", "message"}}``. ``GET /`` says what this is.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from grader.replay.in_process import EndlessLoop
from grader.replay.player import Player, Response
from grader.replay.remote_tools import run_tool

_PLAIN_HTTP = {"trust_env": False, "verify": False}  # no proxy, and no certificates to load
_STOP = "x-player-stop"  # the loop asks without end: our own clients stop it, others get a 400
_API_KEY = "no-key-is-needed"
_LARGEST_REQUEST = 32 * 1024 * 1024  # the API's own limit
_IDLE_S = 60
_POLL_S = 0.005  # how long closing the door takes at most


class Loopback:
    """A server for one player, on 127.0.0.1 and a free port, while the ``with`` block runs.

    Set ``ANTHROPIC_BASE_URL`` to ``base_url``, and a program that knows nothing of the course talks to the player.
    """

    def __init__(self, player: Player):
        self.player = player
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.player = player
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_S,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def client(self) -> Any:
        """An ``anthropic.Anthropic`` that talks to this door."""
        import anthropic
        import httpx2

        http = httpx2.Client(**_PLAIN_HTTP, event_hooks={"response": [_stop_if_told]})
        return anthropic.Anthropic(api_key=_API_KEY, base_url=self.base_url, http_client=http)

    def async_client(self) -> Any:
        """An ``anthropic.AsyncAnthropic`` that talks to this door."""
        import anthropic
        import httpx2

        async def stop_if_told(response):
            _stop_if_told(response)

        http = httpx2.AsyncClient(**_PLAIN_HTTP, event_hooks={"response": [stop_if_told]})
        return anthropic.AsyncAnthropic(api_key=_API_KEY, base_url=self.base_url, http_client=http)

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, *exception) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.close_connections()


def _stop_if_told(response: Any) -> None:
    if _STOP in response.headers:
        raise EndlessLoop


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    player: Player

    def __init__(self, *arguments):
        self._connections: set[socket.socket] = set()
        super().__init__(*arguments)

    def process_request(self, request, client_address):
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self._connections.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Close what clients keep open."""
        for connection in list(self._connections):
            with contextlib.suppress(OSError):  # closed by the other side
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request, client_address):
        """A client that goes away in the middle is no news."""


class _Refused(Exception):
    """The request cannot be read; the connection cannot be used any further."""

    def __init__(self, status: int, kind: str, message: str):
        super().__init__(message)
        self.status, self.kind = status, kind


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "player"
    sys_version = ""
    wbufsize = -1  # one packet for head and body
    disable_nagle_algorithm = True
    timeout = _IDLE_S
    server: _Server

    def do_GET(self):
        if urlsplit(self.path).path == "/":
            player = self.server.player
            names = sorted(player.functions())
            about = {"scenario": player.scenario.name, "task": player.task, "tools": player.tools, "functions": names}
            self._send_json(200, about)
        else:
            self._not_found()

    def do_POST(self):
        path = urlsplit(self.path).path
        try:
            body = self._body()
        except _Refused as refused:
            self.close_connection = True
            return self._refuse(refused.status, refused.kind, str(refused))
        if path == "/v1/messages":
            self._send(self.server.player.respond(self.headers, body))
        elif path.startswith("/tools/"):
            self._send_json(*run_tool(self.server.player, path.removeprefix("/tools/"), body))
        else:
            self._not_found()

    def do_other(self):
        self.close_connection = True  # a body may follow that nobody reads
        self._not_found()

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = do_other

    def send_error(self, code, message=None, explain=None):
        """What the base class finds unreadable is refused in the API's shape too, not as a web page."""
        self.close_connection = True
        self._refuse(int(code), "invalid_request_error", message or f"HTTP {int(code)}")

    def log_message(self, *arguments):
        """Silent: the transcript is the log."""

    def _not_found(self):
        self._refuse(404, "not_found_error", f"Not found: {self.command} {urlsplit(self.path).path}")

    def _refuse(self, status: int, kind: str, message: str):
        self._send(self.server.player.refuse(status, kind, message))

    def _send_json(self, status: int, data: dict):
        body = json.dumps(data, ensure_ascii=False).encode("utf-8")
        self._send(Response(status, {"content-type": "application/json"}, body))

    def _send(self, response: Response):
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.stop:
            self.send_header(_STOP, "true")
        if response.chunks is None:
            self.send_header("content-length", str(len(response.body)))
        else:
            self.send_header("transfer-encoding", "chunked")
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self._send_body(response)
        self.wfile.flush()

    def _send_body(self, response: Response):
        if response.chunks is None:
            self.wfile.write(response.body)
            return
        for chunk in response.chunks:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        if response.broken:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            return self._chunked_body()
        size = _size(self.headers.get("content-length", "0"), 10)
        self._check_size(size)
        body = self.rfile.read(size)
        if len(body) < size:
            raise _Refused(400, "invalid_request_error", "The request body ends too early.")
        return body

    def _chunked_body(self) -> bytes:
        body = bytearray()
        while True:
            size = _size(self.rfile.readline(1024).decode("latin-1").split(";")[0].strip(), 16)
            self._check_size(len(body) + size)
            if size == 0:
                while self.rfile.readline(1024).strip():
                    pass  # trailers
                return bytes(body)
            body += self.rfile.read(size)
            self.rfile.readline(8)

    def _check_size(self, size: int):
        if size > _LARGEST_REQUEST:
            raise _Refused(413, "request_too_large", "Request exceeds the maximum size")


def _size(text: str, base: int) -> int:
    """The number of bytes that a header or a chunk's first line announces. Raises _Refused."""
    if not re.fullmatch("[0-9a-fA-F]{1,12}", text) or (base == 10 and not text.isdecimal()):
        raise _Refused(400, "invalid_request_error", "The length of the request body is malformed.")
    return int(text, base)
