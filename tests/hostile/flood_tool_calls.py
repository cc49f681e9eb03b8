#: tries = runs a tool without end
#: outcome = too_much_output
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    name = tools[0]["name"] if tools else "none"
    while True:
        try:
            functions[name](city="x")
        except Exception:
            pass
