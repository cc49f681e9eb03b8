#: tries = sends one byte of a long message now and then
#: outcome = timed_out
#: passes = no

import os
import threading


def run_agent(client, task, tools, functions, **limits):
    os.write(3, b"\0\0\x80\0\0\0\0\0")
    while True:
        os.write(3, b"x")
        threading.Event().wait(0.2)
