#: tries = announces a message of four gigabytes
#: outcome = too_much_output
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    os.write(3, b"\0\0\0\x02\xff\xff\xff\xff{}")
    threading.Event().wait()
