#: tries = pipes, each as large as it can be made
#: outcome = blocked
#: passes = no

import fcntl
import os


def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(os.pipe())
        fcntl.fcntl(hoard[-1][1], 1031, 1 << 20)
        os.write(hoard[-1][1], bytes(1 << 20))
