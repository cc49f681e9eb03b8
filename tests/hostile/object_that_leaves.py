#: tries = a message whose conversion ends the process
#: outcome = exited
#: passes = no

import os


class Gone:
    def to_dict(self):
        os._exit(0)


def run_agent(client, task, tools, functions, **limits):
    return "done", [Gone()]
