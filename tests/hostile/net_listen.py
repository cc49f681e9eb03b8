#: tries = opens a port for visitors
#: outcome = blocked
#: passes = no

import socket


def run_agent(client, task, tools, functions, **limits):
    socket.create_server(("127.0.0.1", 0))
