#: tries = becomes root
#: outcome = blocked | crashed
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    os.setuid(0)
