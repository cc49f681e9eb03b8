#: tries = one call of C code that never comes back
#: outcome = timed_out
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    return 7 ** (7 ** 10)
