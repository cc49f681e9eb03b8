#: tries = a fork bomb in which every child forks too, and no exception ends it
#: outcome = blocked
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    while True:
        try:
            os.fork()
        except OSError:
            pass
