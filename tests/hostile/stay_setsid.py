#: tries = a double-forked child in a session of its own, which must not outlive the run
#: outcome = finished
#: passes = no

import os
import signal
import threading
import time


def run_agent(client, task, tools, functions, **limits):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(0.0001)
                threading.Event().wait(60)
        os._exit(0)
    return "done", []
