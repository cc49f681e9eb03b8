"""Starts the zygote, asks it for children, and starts it again when it died."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from grader.classroom.sandbox import tree
from grader.classroom.sandbox.child import Child, GraderFault, Life, StartTimedOut, ZygoteDied
from grader.classroom.sandbox.guest import family, walls
from grader.classroom.sandbox.limits import Limits

_START_S = 60.0
_SPAWN_S = 20.0
NOBODY = 65534
_FIRST_USER, _USERS = 1_900_000_000, 10_000
_PROGRAM = "import sys; sys.path.insert(0, {folder!r}); from guest.{module} import main; del sys.path[0]; main()"


class ZygoteHost:
    """In: ``mode`` ("bubblewrap" or "process"), the limits, and paths that submissions must not read. Raises
    GraderFault.
    """

    def __init__(self, mode: str, limits: Limits, hidden: tuple[Path, ...] = ()):
        self.mode, self.limits = mode, limits
        self._hidden = hidden
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None
        self._words = None
        self.starts = 0
        self.pid: int | None = None  # the zygote, or the first process of its pid namespace: with it all the others end

    def start(self) -> None:
        """Start the zygote and wait until it has imported the SDK. Raises GraderFault."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        read, write = os.pipe()
        self._words = tempfile.TemporaryFile()  # noqa: SIM115  (closed in stop)
        command = command_for(self.mode, "zygote", self._hidden, info=write)
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno()), json.dumps(settings(self.mode, self._hidden))],
            pass_fds=[theirs.fileno(), write],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._words,
            env=tree.ENVIRONMENT,
            start_new_session=True,
        )
        theirs.close()
        os.close(write)
        self._control = ours
        self.starts += 1
        self.pid = self._process.pid if self.mode != "bubblewrap" else _inner_pid(read)
        os.close(read)
        ours.settimeout(_START_S)
        try:
            ready = bool(ours.recv(1 << 16))
        except TimeoutError:
            self.stop()
            raise StartTimedOut(f"the zygote was not ready after {_START_S:g} s") from None
        except OSError:
            ready = False
        if not ready:
            said = self._last_words()
            self.stop()
            raise GraderFault(f"the zygote did not start: {said}")

    def spawn(self) -> Child:
        """A child of the zygote, ready to serve. Starts the zygote where there is none. Raises GraderFault."""
        with self._lock:
            try:
                child = self._ask()
            except ZygoteDied:
                self.stop()
                self.start()
                child = self._ask()
        await_walls(child, self.mode)
        return child

    def _ask(self) -> Child:
        if self._control is None:
            raise ZygoteDied("there is no zygote")
        home = Home(self.mode)
        door, door_inside = socket.socketpair()
        line, line_inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        read, write = os.pipe()
        order = {"caps": self.limits.for_guest(), "home": home.path, "become": home.user}
        life = Life(line)
        try:
            self._control.settimeout(_SPAWN_S)
            handles = [door_inside.fileno(), write, line_inside.fileno()]
            socket.send_fds(self._control, [json.dumps(order).encode()], handles)
        except OSError as error:
            os.close(read)
            home.remove()
            raise ZygoteDied(f"the zygote cannot be reached: {error}") from None
        finally:
            door_inside.close()
            line_inside.close()
            os.close(write)
        child = Child(door, os.fdopen(read, "rb"), life, self.limits, on_end=lambda: (life.close(), home.remove()))
        try:
            word = life.first_word(_SPAWN_S)
            if "fault" in word:
                raise GraderFault(word["fault"])
        except GraderFault:
            child.close()
            raise
        return child

    def _last_words(self) -> str:
        self._words.seek(0)
        lines = self._words.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:500] if lines else "it said nothing"

    def stop(self) -> None:
        """End the zygote and what it forked."""
        if self._control:
            self._control.close()
        if self._process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            if self._process.poll() is None:
                for pid in reversed(family.descendants(self._process.pid)):  # bubblewrap's child outlives bubblewrap
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
                self._process.wait()
        if self._words:
            self._words.close()
        self._process = self._control = self._words = self.pid = None


class Home:
    """The private folder of a submission. In a mount namespace it is a tmpfs that ends with it; else a real folder."""

    def __init__(self, mode: str):
        self._real = mode != "bubblewrap"
        self.path = tempfile.mkdtemp(prefix=f"submission-{os.getpid()}-") if self._real else "/tmp"
        self.user = _a_user_of_its_own() if self._real and is_root() else None
        if self.user is not None:
            os.chown(self.path, self.user, self.user)

    def remove(self) -> None:
        """Remove the folder if it is a real one."""
        if not self._real:
            return
        try:
            shutil.rmtree(self.path, ignore_errors=True)
        except RecursionError:  # folders in folders in folders
            subprocess.run(["rm", "-rf", "--", self.path], check=False)


_users = itertools.count()


def _a_user_of_its_own() -> int:
    """A user id that nobody has, another one for each submission that runs at the same time."""
    return _FIRST_USER + next(_users) % _USERS


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def settings(mode: str, hidden: tuple[Path, ...]) -> dict:
    """What the guest has to know of the machine."""
    in_tree = mode == "bubblewrap"
    return {
        "mode": mode,
        "become": NOBODY if in_tree and is_root() else None,
        "package": str(tree.package(in_tree)),
        "readable": {} if in_tree else tree.readable(hidden),
    }


def _inner_pid(read: int) -> int | None:
    """What bubblewrap says is the first process inside. It writes a JSON object, in pieces."""
    text = b""
    while b"}" not in text:
        ready, _, _ = select.select([read], [], [], _START_S)
        piece = os.read(read, 4096) if ready else b""
        if not piece:
            return None  # it did not get so far; its last words say why
        text += piece
    return json.loads(text)["child-pid"]


def command_for(
    mode: str, module: str, hidden: tuple[Path, ...], private_disk: int | None = None, info: int | None = None
) -> list[str]:
    """The command that runs a guest module's ``main``; its arguments follow. ``private_disk``: give bwrap's tree a /tmp
    of this size;
    ``info``: where bwrap writes who its child is.
    """
    folder = str(tree.package(mode == "bubblewrap") / "classroom" / "sandbox")
    python = [sys.executable, "-s", "-B", "-c", _PROGRAM.format(folder=folder, module=module)]
    if mode != "bubblewrap":
        return python
    command = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    command += ["--new-session", "--hostname", "sandbox"]
    command += [] if info is None else ["--info-fd", str(info)]
    if not is_root():
        command += ["--unshare-user"]
    else:  # root has no user namespace here, so that it can become nobody and the kernel counts nobody's processes
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    if private_disk is None:
        command += ["--proc", "/proc", "--dir", "/tmp"]
    else:  # before the tree: an interpreter that lies below /tmp is laid on top
        for path, size in (("/tmp", private_disk), ("/dev/shm", walls.SHARED)):
            command += ["--size", str(size), "--perms", "1777", "--tmpfs", path]
    command += tree.bubblewrap_arguments(hidden)
    return [*command, "--remount-ro", "/", "--chdir", "/", "--", *python]


def await_walls(child: Child, mode: str) -> None:
    """Wait until the child says that it is shut in. Raises GraderFault when it is not."""
    try:
        child.set_deadline(_SPAWN_S)
        head, _ = child.read()
    except Exception as error:
        child.close()
        raise GraderFault(f"a submission's process did not start: {error or type(error).__name__}") from None
    if head.get("op") != "ready" or (mode == "bubblewrap" and "namespaces" not in head["walls"]):
        child.close()
        raise GraderFault(str(head.get("text", head)))
    child.walls = tuple(head["walls"])
