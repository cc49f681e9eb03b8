#: tries = a history nested a hundred thousand deep
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return "done", deep
