#: tries = returns far more than can be judged
#: outcome = too_much_output
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    return "done", [{"role": "user", "content": "x" * (1 << 20)}] * 20
