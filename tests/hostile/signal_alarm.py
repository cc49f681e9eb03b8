#: tries = an alarm that raises in the middle of everything
#: outcome = crashed | exited | timed_out
#: passes = no

import signal


def run_agent(client, task, tools, functions, **limits):
    def ring(*_):
        raise RuntimeError("ring")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    while True:
        client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=[{"role": "user", "content": task}])
