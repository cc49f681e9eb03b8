#: tries = writes nonsense to the door
#: outcome = blocked
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    os.write(3, b"\0\0\0\x04\0\0\0\0nope")
    threading.Event().wait()
