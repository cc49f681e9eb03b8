#: tries = closes the door and goes on
#: outcome = blocked
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    os.close(3)
    threading.Event().wait()
