#: tries = sends half a message and waits
#: outcome = timed_out
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    os.write(3, b"\0\0\0\x05\0\0")
    threading.Event().wait()
