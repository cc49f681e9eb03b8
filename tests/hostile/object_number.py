#: tries = returns a number
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    return 42
