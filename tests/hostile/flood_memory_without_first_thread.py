#: tries = memory in processes whose first thread has ended, and which seem to have none since
#: outcome = out_of_memory
#: passes = no

import ctypes
import os
import threading

EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]


def fill():
    threading.Event().wait(0.3)
    block = bytearray(100 << 20)
    block[::4096] = b"x" * len(range(0, len(block), 4096))
    threading.Event().wait(30)


def run_agent(client, task, tools, functions, **limits):
    for _ in range(6):
        if os.fork() == 0:
            threading.Thread(target=fill).start()
            ctypes.CDLL(None).syscall(EXIT, 0)
    threading.Event().wait(3)
    return "done", [{"role": "user", "content": task}]
