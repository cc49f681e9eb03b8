#: tries = kill(-1): everybody whom it may signal
#: outcome = finished
#: passes = no

import os
import signal


def run_agent(client, task, tools, functions, **limits):
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        pass
    return "done", []
