#: tries = files in memory, which no limit of memory counts
#: outcome = blocked
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(os.memfd_create("hoard"))
        os.write(hoard[-1], bytes(1 << 20))
