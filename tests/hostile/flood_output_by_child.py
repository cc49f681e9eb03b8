#: tries = a child that prints without end
#: outcome = too_much_output
#: passes = no

import subprocess


def run_agent(client, task, tools, functions, **limits):
    subprocess.run(["/usr/bin/yes", "x"])
    return "done", []
