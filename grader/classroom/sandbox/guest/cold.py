"""A fresh interpreter for one submission: where there is no fork, or a fork can't have namespaces of its own."""

import contextlib
import json
import os
import socket
import sys

from . import warmup, worker


def main() -> None:
    """Start: ``python -c "…main()" DOOR ORDER SETTINGS``. DOOR is a file descriptor, or PORT:TOKEN on the loopback
    interface.
    """
    door, order, settings = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    sock = _connected(door)
    if settings["become"] is not None:
        from . import linux

        linux.become(settings["become"], keep_reading=False)
    warmup.prepare(settings["package"])
    worker.main(sock, order, lambda: _shut(order, settings))
    os._exit(0)


def _connected(door: str) -> socket.socket:
    if ":" not in door:
        return socket.socket(fileno=int(door))
    port, token = door.split(":")
    sock = socket.create_connection(("127.0.0.1", int(port)))
    sock.sendall(token.encode())
    return sock


def _shut(order: dict, settings: dict) -> list[str]:
    if settings["mode"] == "plain":  # not Linux
        os.chdir(order["home"])
        with contextlib.suppress(ImportError):
            from . import rlimits

            rlimits.apply(order["caps"])
            return ["rlimits"]
        return []
    from . import walls

    return walls.shut(order, settings["mode"], settings["readable"])
