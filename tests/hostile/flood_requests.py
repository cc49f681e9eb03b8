#: tries = many large requests
#: outcome = too_much_output
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    large = [{"role": "user", "content": "x" * (1 << 20)}]
    while True:
        try:
            client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=large)
        except BaseException:
            pass
