#: tries = reads address 0
#: outcome = crashed
#: passes = no

import ctypes


def run_agent(client, task, tools, functions, **limits):
    ctypes.string_at(0)
