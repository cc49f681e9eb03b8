#: tries = os.abort
#: outcome = crashed
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    os.abort()
