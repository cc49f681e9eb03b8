#: tries = looks for other programs' unix sockets
#: outcome = blocked
#: passes = no

import socket


def run_agent(client, task, tools, functions, **limits):
    sock = socket.socket(socket.AF_UNIX)
    sock.connect("\0anything")
