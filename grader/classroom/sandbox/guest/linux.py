"""The few Linux calls that Python 3.11 does not have, by ctypes. Each raises OSError when the kernel says no."""

import ctypes
import errno
import functools
import os
import platform
import signal
import threading

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_CLONE_CHILD_SETTID = 0x01000000
_CLONE_CHILD_CLEARTID = 0x00200000
_CLONE = {"x86_64": 56, "aarch64": 220}  # from the kernel's asm/unistd tables

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC = 0x1000, 0x4000

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_KEEPCAPS = 8
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_TID_ADDRESS = 40
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
_CAP_DAC_READ_SEARCH = 2


@functools.cache
def _libc():
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def fork_into(namespaces: int) -> int:
    """Fork as ``os.fork`` does, with the child in new namespaces; of a new pid namespace it is the first process.

    ``unshare`` and ``os.fork`` would need a process in between, which costs as much as the child. Raises OSError.
    """
    kernel, python = ctypes.PyDLL(None, use_errno=True), ctypes.pythonapi  # PyDLL: Python's lock stays held
    number, place = _clone_number(), ctypes.c_void_p(_place_of_thread_number())
    flags = ctypes.c_ulong(namespaces | _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID | signal.SIGCHLD)
    nothing = ctypes.c_void_p(0)
    last = (place, nothing) if platform.machine() == "x86_64" else (nothing, place)  # the kernel's order differs
    python.PyOS_BeforeFork()
    pid = kernel.syscall(ctypes.c_long(number), flags, nothing, nothing, *last)
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    failed = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(failed, f"clone: {os.strerror(failed)}")
    return pid


def _clone_number() -> int:
    if platform.machine() not in _CLONE:
        raise OSError(errno.ENOSYS, f"clone: its number on {platform.machine()} is not known here")
    return _CLONE[platform.machine()]


@functools.cache
def _place_of_thread_number() -> int:
    """Where the C library keeps the main thread's number. Its own fork writes the child's number there; here the kernel
    must, or two threads of the child could pass for one in its locks. Raises OSError where it can't be found.
    """
    place = ctypes.c_void_p(0)
    _checked(_libc().prctl(_PR_GET_TID_ADDRESS, ctypes.byref(place), 0, 0, 0), "prctl")
    if not place.value or ctypes.c_int.from_address(place.value).value != threading.get_native_id():
        raise OSError(errno.ENOSYS, "clone: this C library keeps the thread's number elsewhere")
    return place.value


def mount_tmpfs(target: str, options: str, flags: int = 0) -> None:
    """Lay an empty folder of its own over ``target``."""
    flags |= MS_NOSUID | MS_NODEV
    result = _libc().mount(b"tmpfs", os.fsencode(target), b"tmpfs", ctypes.c_ulong(flags), options.encode())
    _checked(result, f"mount {target}")


def bind(source: str, target: str) -> None:
    """Show ``source``, with what is mounted below it, at ``target`` too."""
    flags = ctypes.c_ulong(MS_BIND | MS_REC)
    _checked(_libc().mount(os.fsencode(source), os.fsencode(target), None, flags, None), f"bind {target}")


def prctl(option: int, value: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    return _checked(_libc().prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero), "prctl")


def prctl_pointer(option: int, value: int, pointer) -> int:
    return _checked(
        _libc().prctl(ctypes.c_int(option), ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)),
        "prctl",
    )


def syscall(number: int, *arguments) -> int:
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), f"syscall {number}")


def no_new_privileges() -> None:
    """No program that this process starts can have more rights than it has."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def dumpable() -> None:
    """Have this process own its files in /proc again: the kernel gave them to root when the user was changed."""
    prctl(_PR_SET_DUMPABLE, 1)


def become_subreaper() -> None:
    """Orphans among the descendants of this process become its children."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this signal when the thread that forked this process ends."""
    prctl(_PR_SET_PDEATHSIG, signal_number)


def become(user: int, keep_reading: bool) -> None:
    """Stop being root. ``keep_reading``: files of others may still be read, as far as other walls allow. Raises
    OSError.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    if keep_reading:
        prctl(_PR_SET_KEEPCAPS, 1)
    os.setresuid(user, user, user)
    if keep_reading:
        _set_capabilities(1 << _CAP_DAC_READ_SEARCH)


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


def drop_capabilities() -> None:
    """Give up all capabilities, for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one that this kernel knows, or none to drop
    _set_capabilities(0)


def _set_capabilities(low: int) -> None:
    """Have these of the first 32 capabilities, and none besides."""
    header, sets = _Header(_CAPABILITY_VERSION_3, 0), (_Sets * 2)()
    sets[0].effective = sets[0].permitted = low
    _checked(_libc().capset(ctypes.byref(header), ctypes.byref(sets)), "capset")
