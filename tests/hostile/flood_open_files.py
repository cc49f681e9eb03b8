#: tries = open files without end
#: outcome = blocked
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(open("/dev/null", "rb"))
