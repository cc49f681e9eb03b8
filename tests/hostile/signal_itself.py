#: tries = SIGKILL to itself; the first process of a pid namespace does not hear it
#: outcome = finished
#: passes = no

import os
import signal


def run_agent(client, task, tools, functions, **limits):
    os.kill(os.getpid(), signal.SIGKILL)
    return "done", []
