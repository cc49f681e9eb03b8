#: tries = threads without end
#: outcome = blocked
#: passes = no

import threading


def run_agent(client, task, tools, functions, **limits):
    while True:
        threading.Thread(target=threading.Event().wait).start()
