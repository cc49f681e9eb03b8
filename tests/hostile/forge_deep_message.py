#: tries = a message nested a hundred thousand deep
#: outcome = blocked
#: passes = no

import os
import struct
import threading


def run_agent(client, task, tools, functions, **limits):
    text = b"[" * 60_000
    os.write(3, struct.pack(">II", len(text), 0) + text)
    threading.Event().wait()
