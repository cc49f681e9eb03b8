#: tries = children that have much memory together
#: outcome = out_of_memory
#: passes = no

import os
import threading
import time


def run_agent(client, task, tools, functions, **limits):
    for _ in range(6):
        if os.fork() == 0:
            hoard = bytearray(b"x") * (64 << 20)
            time.sleep(0.001)
            threading.Event().wait()
    threading.Event().wait()
