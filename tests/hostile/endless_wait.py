#: tries = waits for an event that never comes
#: outcome = timed_out
#: passes = no

import threading


def run_agent(client, task, tools, functions, **limits):
    threading.Event().wait()
