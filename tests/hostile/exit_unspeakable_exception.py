#: tries = an exception whose text cannot be had
#: outcome = crashed | exited
#: passes = no

class Unspeakable(BaseException):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def run_agent(client, task, tools, functions, **limits):
    raise Unspeakable
