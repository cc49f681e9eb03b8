#: tries = signals to its process group, which a pid namespace does not bound
#: outcome = exited | finished | timed_out
#: passes = no

import os
import signal


def run_agent(client, task, tools, functions, **limits):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for group in (0, -os.getpgid(0) or -1):
            try:
                os.kill(group, number)
            except OSError:
                pass
    return "done", []
