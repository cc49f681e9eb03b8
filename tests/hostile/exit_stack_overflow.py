#: tries = a recursion without limit
#: outcome = crashed
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    def deeper(n):
        return deeper(n + 1) + 1

    deeper(0)
