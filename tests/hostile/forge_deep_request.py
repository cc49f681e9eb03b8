#: tries = a request nested as deep as JSON can be read
#: outcome = finished
#: passes = no

import anthropic


def run_agent(client, task, tools, functions, **limits):
    deep = []
    for _ in range(900):
        deep = [deep]
    try:
        client.post("/v1/messages", cast_to=object, body={"model": "m", "max_tokens": 1, "messages": deep, "tools": deep})
    except anthropic.APIError:
        pass
    return "done", deep
