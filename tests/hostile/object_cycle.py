#: tries = a history that holds itself
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    messages = []
    messages.append({"role": "user", "content": messages})
    return "done", messages
