"""What shuts a submission in, in the order in which it must happen."""

import os
import signal
import sys
import tempfile

from . import landlock, linux, rlimits, seccomp

_LEARNER = 1000  # the user that a submission sees itself as
TMP = "/tmp"
SHM = "/dev/shm"  # multiprocessing's locks live there, those of its ThreadPool too
SHARED = 1 << 20
NAMESPACES = linux.CLONE_NEWUSER | linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWNET


def furnish(user: int, group: int, disk: int) -> None:
    """Make a home of the new namespaces that this process is in. ``user`` and ``group``: who it was outside.

    The mount namespace gets an empty /tmp of ``disk`` bytes, a small /dev/shm, and an empty /proc: no process outside
    can be seen or named. Raises OSError.
    """
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{_LEARNER} {user} 1")
    _write("/proc/self/gid_map", f"{_LEARNER} {group} 1")
    kept = {path: os.open(path, os.O_PATH) for path in _below_tmp()}
    linux.mount_tmpfs(TMP, f"size={disk},nr_inodes=4096,mode=700")
    for path, number in kept.items():
        os.makedirs(path)
        linux.bind(f"/proc/self/fd/{number}", path)
        os.close(number)
    linux.mount_tmpfs(SHM, f"size={SHARED},nr_inodes=256,mode=700")
    linux.mount_tmpfs("/proc", "size=4k,nr_inodes=2,mode=555", linux.MS_RDONLY)


def _below_tmp() -> list[str]:
    """The folders of Python that the empty /tmp would hide: a course that is cloned below /tmp has its .venv there."""
    found = sorted({sys.prefix, sys.exec_prefix, sys.base_prefix})
    below = [path for path in found if path.startswith(f"{TMP}/")]
    return [path for path in below if not any(path.startswith(f"{other}/") for other in below)]


def shut(order: dict, mode: str, readable: dict[str, list[str]]) -> list[str]:
    """Lower this process to what a submission may do. In: the order to spawn (caps, home, become), the isolation and,
    for isolation
    "process", the paths that may be read (``tree.readable``). Out: the names of the walls that stand. Raises OSError.
    """
    settle(order["home"])
    if os.getsid(0) != os.getpid():
        os.setsid()  # a signal to one's process group reaches all of it, in whatever pid namespace
    caps, walls = order["caps"], []
    if mode == "bubblewrap":
        linux.drop_capabilities()
        walls.append("namespaces")
    else:
        user = os.getuid() if order["become"] is None else order["become"]
        caps = caps | {"processes": caps["processes"] + _tasks_of(user)}
        if landlock.apply(readable["read"], readable["list"], [order["home"], "/dev/null", SHM]):
            walls.append("landlock")
        if order["become"] is not None:
            linux.become(order["become"], keep_reading="landlock" in walls)
            walls.append("user")
        linux.die_with_parent(signal.SIGKILL)
    linux.no_new_privileges()
    rlimits.apply(caps)
    walls.append("rlimits")
    if seccomp.apply():
        walls.append("seccomp")
    _check_python()
    return walls


def settle(home: str) -> None:
    """Make ``home`` the working folder and the place for temporary files."""
    os.chdir(home)
    os.umask(0o077)
    os.environ |= {"HOME": home, "TMPDIR": home}
    tempfile.tempdir = None  # forget what was looked up before the fork


def _check_python() -> None:
    try:
        os.close(os.open(os.__file__, os.O_RDONLY))
    except PermissionError:
        text = "the Python installation cannot be read by an ordinary user; run the grader as one, not as root"
        raise OSError(text) from None


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _tasks_of(user: int) -> int:
    """How many threads this user has: without a user namespace the kernel counts them all against the cap."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                continue  # it ended meanwhile
    return count
