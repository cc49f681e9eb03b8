#: tries = shared mappings, which no limit of private memory counts
#: outcome = out_of_memory
#: passes = no

import mmap


def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(mmap.mmap(-1, 32 << 20))
        for place in range(0, 32 << 20, 4096):
            hoard[-1][place] = 1
