#: tries = asks for replies without end and swallows what would stop it
#: outcome = timed_out
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    while True:
        try:
            client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=[{"role": "user", "content": task}])
        except BaseException:
            pass
