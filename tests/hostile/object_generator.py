#: tries = is a generator
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    yield 'done', []
