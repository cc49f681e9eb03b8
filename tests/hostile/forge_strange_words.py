#: tries = messages of every wrong type at the door
#: outcome = crashed | timed_out
#: passes = no

import json
import os
import struct


def send(head, body=b""):
    text = json.dumps(head).encode()
    os.write(3, struct.pack(">II", len(text), len(body)) + text + body)


def run_agent(client, task, tools, functions, **limits):
    for odd in (None, True, -1, 1e308, "x", [], {}, [[[]]], float("nan"), float("inf"), 10**400):
        for key in ("op", "run", "id", "slept", "retry", "method", "path", "name", "ticket"):
            for op in ("http", "tool", "cancel", "finish", "done", "load"):
                head = {"op": op, "run": 2, "id": 1, "name": "get_weather", key: odd}
                send(head, b"[1" if op == "http" else b"{}")
    return "done", []
