#: tries = prints without end
#: outcome = too_much_output
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    while True:
        print("x" * 4096)
