"""A fresh interpreter for each submission: slower than a zygote, and possible everywhere."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import signal
import socket
import subprocess
import time
from pathlib import Path

from grader.classroom.sandbox import tree
from grader.classroom.sandbox.child import Child, GraderFault
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.zygote_host import Home, await_walls, command_for, settings

_CONNECT_S = 30.0
_ON_POSIX = os.name == "posix"
_KEPT_VARIABLES = ("SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR")  # Windows starts no Python without them


class ColdHost:
    """Starts one process a submission. ``mode``: "bubblewrap", "process" or "plain"."""

    def __init__(self, mode: str, limits: Limits, hidden: tuple[Path, ...] = ()):
        self.mode, self.limits, self._hidden = mode, limits, hidden

    def start(self) -> None:
        """Nothing to prepare."""

    def stop(self) -> None:
        """Nothing to end: each child ends with its submission."""

    def spawn(self) -> Child:
        """A child, ready to serve. Raises GraderFault."""
        home = Home(self.mode)
        order = {"caps": self.limits.for_guest(), "home": home.path, "become": home.user}
        try:
            door, process = self._connected(order)
        except (OSError, GraderFault) as error:
            home.remove()
            raise GraderFault(f"a submission's process did not start: {error}") from None
        child = Child(door, process.stdout, ProcessLife(process), self.limits, on_end=home.remove)
        await_walls(child, self.mode)
        return child

    def _connected(self, order: dict) -> tuple[socket.socket, subprocess.Popen]:
        if _ON_POSIX:
            ours, theirs = socket.socketpair()
            with theirs:
                return ours, self._start(order, str(theirs.fileno()), [theirs.fileno()])
        with socket.create_server(("127.0.0.1", 0)) as server:
            token = secrets.token_hex(16)
            process = self._start(order, f"{server.getsockname()[1]}:{token}", [])
            server.settimeout(_CONNECT_S)
            try:
                return _greeted(server, token), process
            except BaseException:
                process.kill()
                raise

    def _start(self, order: dict, door: str, handles: list[int]) -> subprocess.Popen:
        command = command_for(self.mode, "cold", self._hidden, private_disk=self.limits.disk)
        environment = tree.ENVIRONMENT | {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        return subprocess.Popen(
            [*command, door, json.dumps(order), json.dumps(settings(self.mode, self._hidden))],
            pass_fds=handles,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=order["home"],
            start_new_session=_ON_POSIX,
        )


def _greeted(server: socket.socket, token: str) -> socket.socket:
    """The first connection that knows the token: another program of this machine may knock too."""
    deadline = time.monotonic() + _CONNECT_S
    while time.monotonic() < deadline:
        sock, _ = server.accept()
        sock.settimeout(5)
        with contextlib.suppress(OSError):
            if hmac.compare_digest(sock.recv(len(token)), token.encode()):
                return sock
        sock.close()
    raise GraderFault("it did not connect")


class ProcessLife:
    """The life of a process that the grader started itself."""

    def __init__(self, process: subprocess.Popen):
        self._process = process
        self._usage = 0.0

    def kill(self) -> None:
        """End the process and its group."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError, AttributeError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                self._process.kill()

    def wait(self, seconds: float) -> dict:
        """How the process ended. Raises TimeoutError while it runs."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self._process.pid, signal.SIGKILL)  # what it left behind in its group
        return {"code": code, "reason": None, "cpu_s": 0.0}
