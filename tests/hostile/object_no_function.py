#: tries = the name is not there
#: outcome = crashed
#: passes = no

def run_agnet(client, task, tools, functions, **limits):
    return 'done', []
