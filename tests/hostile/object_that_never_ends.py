#: tries = a message whose conversion never ends
#: outcome = timed_out
#: passes = no

class Endless:
    def to_dict(self):
        while True:
            pass


def run_agent(client, task, tools, functions, **limits):
    return "done", [Endless()]
