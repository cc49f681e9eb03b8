#: tries = one file without end
#: outcome = blocked
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    with open("hoard", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
