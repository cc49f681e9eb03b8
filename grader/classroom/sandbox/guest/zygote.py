"""The zygote: a process that has imported the SDK and runs no learner code. It forks a child for each submission.

It talks to the grader over one control socket (packets). A request to spawn brings three sockets: the child's door, the
child's
output, and a line for its life: the zygote writes there how the child ended; when the grader shuts its side of the
line, the zygote kills the child.
"""

import contextlib
import errno
import json
import os
import select
import signal
import socket
import sys
import time

from . import family, linux, walls, warmup, worker

_WATCH_S = 0.1
_FDS = 3


class Zygote:
    """In: the control socket and the settings that the grader gave (mode, readable, parts)."""

    def __init__(self, control: socket.socket, settings: dict):
        self._control = control
        self._settings = settings
        self._has_namespaces = settings["mode"] == "bubblewrap"
        self._user = os.getuid(), os.getgid()
        self._wards: dict[int, Ward] = {}
        self._poll = select.poll()
        self._wakeups, wake = socket.socketpair()
        for one in (self._wakeups, wake):
            one.setblocking(False)
        self._wake = wake
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        self._look_at = 0.0
        self._own_memory = family.resident(os.getpid())

    def run(self) -> None:
        """Serve until the grader closes the control socket."""
        self._control.send(json.dumps({"ready": True, "python": sys.version.split()[0]}).encode())
        for one in (self._control, self._wakeups):
            self._poll.register(one, select.POLLIN)
        while True:
            for handle, _ in self._poll.poll(_WATCH_S * 1000 if self._wards else None):
                if handle == self._control.fileno():
                    if not self._spawn():
                        return
                elif handle == self._wakeups.fileno():
                    with contextlib.suppress(BlockingIOError):
                        self._wakeups.recv(4096)
                else:
                    self._line_shut(handle)
            self._reap()
            if self._wards and time.monotonic() >= self._look_at:
                self._watch()
                self._look_at = time.monotonic() + _WATCH_S

    def end(self) -> None:
        """Take everything down that this process has forked."""
        for ward in self._wards.values():
            ward.kill()
        self._wards = {}
        self._kill_orphans()

    def _spawn(self) -> bool:
        packet, handles, _, _ = socket.recv_fds(self._control, 1 << 16, _FDS)
        if not packet:
            return False
        order = json.loads(packet)
        door, output, life = handles
        result = self._fork(order, door, output)
        os.close(door)
        os.close(output)
        line = socket.socket(fileno=life)
        if isinstance(result, str):
            _say(line, {"fault": result})
            line.close()
        else:
            self._wards[result] = Ward(result, line, order)
            self._poll.register(line, select.POLLIN)
            _say(line, {"pid": result})
        return True

    def _fork(self, order: dict, door: int, output: int) -> int | str:
        """Fork a child that serves ``door``, with namespaces of its own where it needs them. Out: its pid, or what went
        wrong.
        """
        try:
            pid = linux.fork_into(walls.NAMESPACES) if self._has_namespaces else os.fork()
        except OSError as error:
            return f"no process: {error}"
        if pid == 0:
            self._child(order, door, output)
        return pid

    def _child(self, order: dict, door: int, output: int) -> None:
        """The child: keep nothing of the zygote, shut the walls, serve. Never returns."""
        code = 70
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            door = _only_these(door, output)
            worker.main(socket.socket(fileno=door), order, lambda: self._shut(order))
            code = 0
        finally:
            os._exit(code)

    def _shut(self, order: dict) -> list[str]:
        if self._has_namespaces:
            walls.furnish(*self._user, order["caps"]["disk"])
        return walls.shut(order, self._settings["mode"], self._settings["readable"])

    def _line_shut(self, handle: int) -> None:
        for ward in self._wards.values():
            if ward.line.fileno() == handle:
                self._poll.unregister(handle)
                ward.kill()
                return

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if ward := self._wards.pop(pid, None):
                with contextlib.suppress(KeyError):
                    self._poll.unregister(ward.line.fileno())
                self._kill_orphans()
                ward.ended(status, usage)
        if not self._has_namespaces and self._wards:
            self._kill_orphans()

    def _kill_orphans(self) -> None:
        """What a submission left behind became a child of this process, and is none that it knows."""
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            strangers = [pid for pid in family.children(os.getpid()) if pid not in self._wards]
            if not strangers:
                return
            for pid in strangers:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    os.waitpid(pid, 0)

    def _watch(self) -> None:
        """Count what no limit of a single process counts: the memory of all, how many they are (threads share one lock,
        processes would share the machine), and the folder where it is no tmpfs with a size.
        """
        for ward in self._wards.values():
            pids = family.descendants(ward.pid)
            if self._memory_of(pids, ward.caps["memory"]) > ward.caps["memory"]:
                ward.kill("memory")
            elif len(pids) > 1 + ward.caps["forks"]:
                ward.kill("processes")
            elif not self._has_namespaces and ward.on_disk() > ward.caps["disk"]:
                ward.kill("disk")

    def _memory_of(self, pids: list[int], cap: int) -> int:
        quick = sum(family.quick_resident(pid) for pid in pids)
        if quick <= cap:
            return quick
        return sum(max(0, family.resident(pid) - self._own_memory) for pid in pids)


class Ward:
    """A running child."""

    def __init__(self, pid: int, line: socket.socket, order: dict):
        self.pid, self.line = pid, line
        self.caps, self.home, self.user = order["caps"], order["home"], order["become"]
        self.reason: str | None = None

    def kill(self, reason: str | None = None) -> None:
        """End it; the first process of a pid namespace takes all others with it. Without one, its process group."""
        self.reason = self.reason or reason
        for send in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                send(self.pid, signal.SIGKILL)

    def on_disk(self) -> int:
        """Bytes in its private folder, and in /dev/shm where its files there can be told by their owner."""
        deleted = sum(family.deleted_files(pid) for pid in family.descendants(self.pid))
        return family.folder_size(self.home) + deleted + sum(size for _, size in family.files_of(self.user, walls.SHM))

    def ended(self, status: int, usage) -> None:
        """Remove what it left in memory, tell the grader and forget it."""
        for path, _ in family.files_of(self.user, walls.SHM):
            with contextlib.suppress(OSError):
                os.unlink(path)
        code = os.waitstatus_to_exitcode(status)
        _say(self.line, {"code": code, "reason": self.reason, "cpu_s": usage.ru_utime + usage.ru_stime})
        self.line.close()


def _say(line: socket.socket, message: dict) -> None:
    with contextlib.suppress(OSError):  # the grader may have hung up
        line.send(json.dumps(message).encode())


def _only_these(door: int, output: int) -> int:
    """Make output the standard output and error, nothing the standard input, the door 3, and close all else."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    door, output = (os.dup2(handle, place, inheritable=False) for handle, place in ((door, 203), (output, 204)))
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    door = os.dup2(door, 3, inheritable=False)
    os.closerange(4, 1 << 16)
    return door


def main() -> None:
    """Start: ``python -c "…main()" CONTROL_FD SETTINGS``."""
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(sys.argv[2])
    if settings["become"] is not None:
        linux.become(settings["become"], keep_reading=False)
        linux.dumpable()
    linux.no_new_privileges()
    linux.become_subreaper()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("900")  # when the machine runs out of memory, submissions go first; forks inherit it
    warmup.prepare(settings["package"])
    warmup.warm()
    zygote = Zygote(control, settings)
    try:
        zygote.run()
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ECONNRESET):
            raise
    finally:
        zygote.end()
