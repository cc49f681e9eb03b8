#: tries = empty files without end
#: outcome = blocked
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    number = 0
    while True:
        number += 1
        open(f"hoard{number}", "wb").close()
