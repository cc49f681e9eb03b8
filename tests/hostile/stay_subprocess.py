#: tries = a program that goes on in the background
#: outcome = finished
#: passes = no

import subprocess


def run_agent(client, task, tools, functions, **limits):
    subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    return "done", []
