#: tries = the same by clone, past the library
#: outcome = blocked
#: passes = no

import ctypes
import os


def run_agent(client, task, tools, functions, **limits):
    libc = ctypes.CDLL(None, use_errno=True)
    pid = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if pid == 0:
        os._exit(0)
    print("CANARY: a namespace")
