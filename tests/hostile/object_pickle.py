#: tries = an object that runs code where it is unpickled
#: outcome = finished
#: passes = no

import os


class Bomb:
    def __reduce__(self):
        return os.system, ("echo CANARY > /tmp/bomb",)


def run_agent(client, task, tools, functions, **limits):
    return "done", [Bomb()]
