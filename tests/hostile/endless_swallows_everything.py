#: tries = an endless loop that swallows all exceptions
#: outcome = timed_out
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
