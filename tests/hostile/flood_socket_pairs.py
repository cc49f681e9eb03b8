#: tries = pairs of sockets with full buffers
#: outcome = blocked
#: passes = no

import socket


def run_agent(client, task, tools, functions, **limits):
    hoard = []
    while True:
        hoard.append(socket.socketpair())
        for end in hoard[-1]:
            end.setblocking(False)
            try:
                while True:
                    end.send(bytes(1 << 16))
            except BlockingIOError:
                pass
