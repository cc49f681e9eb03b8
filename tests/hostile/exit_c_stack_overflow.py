#: tries = a recursion limit of a billion
#: outcome = crashed
#: passes = no

import sys


def run_agent(client, task, tools, functions, **limits):
    sys.setrecursionlimit(10**9)

    class Deep:
        def __repr__(self):
            return repr(self)

    repr(Deep())
