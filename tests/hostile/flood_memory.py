#: tries = a list without end
#: outcome = out_of_memory
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(bytearray(8 << 20))
