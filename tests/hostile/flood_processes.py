#: tries = a fork bomb
#: outcome = blocked
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    while True:
        if os.fork() == 0:
            threading.Event().wait()
