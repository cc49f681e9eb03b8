#: tries = ignores all signals, then loops
#: outcome = timed_out
#: passes = no

import signal


def run_agent(client, task, tools, functions, **limits):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
