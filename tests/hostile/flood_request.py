#: tries = one request of many megabytes
#: outcome = too_much_output
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    huge = [{"role": "user", "content": "x" * (32 << 20)}]
    client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=huge)
