#: tries = a request of half a million empty lists
#: outcome = crashed
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    client.post("/v1/messages", cast_to=object, body={"model": "m", "max_tokens": 1, "messages": [[]] * 500_000})
