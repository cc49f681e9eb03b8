#: tries = raises KeyboardInterrupt
#: outcome = crashed
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    raise KeyboardInterrupt
