#: tries = reads what /proc tells about any process
#: outcome = finished
#: passes = no

import os


def run_agent(client, task, tools, functions, **limits):
    found = []
    for pid in [*range(1, 3000), "self"]:
        for name in ("environ", "cmdline", "maps", "fd", "root"):
            try:
                found.append(open(f"/proc/{pid}/{name}", "rb").read())
            except OSError:
                pass
    print(found, os.listdir("/proc") if os.path.exists("/proc") else None)
    assert not found
    return "done", []
