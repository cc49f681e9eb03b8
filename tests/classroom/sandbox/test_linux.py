"""The fork into new namespaces is a fork like Python's own."""

import subprocess
import sys

import pytest

from grader.classroom.sandbox.guest import linux

if sys.platform != "linux":
    pytest.skip("Linux only", allow_module_level=True)

_PROGRAM = """
import json, os, threading
from grader.classroom.sandbox.guest import linux

forked = []
os.register_at_fork(before=lambda: forked.append("before"), after_in_child=lambda: forked.append("child"))
read, write = os.pipe()
pid = linux.fork_into(linux.CLONE_NEWUSER | linux.CLONE_NEWPID)
if pid == 0:
    numbers = [threading.get_native_id()]
    thread = threading.Thread(target=lambda: numbers.append(threading.get_native_id()))
    thread.start()
    thread.join()
    known = linux.ctypes.c_int.from_address(linux._place_of_thread_number()).value
    os.write(write, json.dumps([os.getpid(), numbers, known, forked, os.getuid() == 65534]).encode())
    os._exit(3)
print(os.read(read, 4096).decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_the_child_is_the_first_process_and_its_threads_are_told_apart():
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=60)
    if "Operation not permitted" in done.stderr or "No space left" in done.stderr:
        pytest.skip("this machine gives no user namespaces")
    assert done.stdout.split("\n")[0] == '[1, [1, 2], 1, ["before", "child"], true] 3', done.stderr


def test_a_machine_whose_numbers_are_not_known_is_told(monkeypatch):
    monkeypatch.setattr(linux.platform, "machine", lambda: "vax")
    with pytest.raises(OSError, match="vax"):
        linux.fork_into(linux.CLONE_NEWPID)
