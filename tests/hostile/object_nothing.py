#: tries = returns nothing
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    pass
