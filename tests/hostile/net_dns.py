#: tries = asks the name service
#: outcome = blocked
#: passes = no

import socket


def run_agent(client, task, tools, functions, **limits):
    socket.getaddrinfo("example.com", 443)
