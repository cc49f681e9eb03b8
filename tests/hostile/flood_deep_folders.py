#: tries = folders in folders, deeper than a path can be long
#: outcome = blocked | timed_out
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    while True:
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
