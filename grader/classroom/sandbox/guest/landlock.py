"""Landlock: the kernel lets this process and its children touch only the paths that are named here.

It needs no rights and no namespaces. It is the wall where bubblewrap can't be had; in a namespace it is a second one.
Numbers are those of linux/landlock.h; a right that the running kernel doesn't know is left out.
"""

import ctypes
import os

from . import linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all machines
_VERSION_FLAG = 1
_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FS_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # 2: refer, 3: truncate, 5: ioctl_dev
_NET_TCP = 0b11  # bind, connect: since ABI 4
_SCOPES = 0b11  # abstract unix sockets, signals: since ABI 6
READ = EXECUTE | READ_FILE | READ_DIR
_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """The kernel's version of Landlock; 0: it has none, or it is switched off."""
    try:
        return linux.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    except OSError:
        return 0


def apply(readable: list[str], listable: list[str], writable: list[str]) -> bool:
    """Shut all of the file system but these paths, for good. ``listable``: only the names in these folders and below
    can be seen.

    False: no Landlock here, nothing done. Raises OSError.
    """
    version = abi()
    if not version:
        return False
    known = 0
    for since, rights in _FS_BY_ABI.items():
        known |= rights if version >= since else 0
    ruleset = _Ruleset(known, _NET_TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    handle = linux.syscall(_CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(handle, path, READ & known)
        for path in listable:
            _allow(handle, path, READ_DIR & known)
        for path in writable:
            _allow(handle, path, known)
        linux.no_new_privileges()
        linux.syscall(_RESTRICT, ctypes.c_int(handle), ctypes.c_uint32(0))
    finally:
        os.close(handle)
    return True


def _allow(handle: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _ON_FILES
        beneath = _Beneath(rights, place)
        linux.syscall(
            _ADD, ctypes.c_int(handle), ctypes.c_int(_PATH_BENEATH), ctypes.byref(beneath), ctypes.c_uint32(0)
        )
    finally:
        os.close(place)
