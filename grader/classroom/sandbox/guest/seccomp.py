"""A seccomp filter: system calls that no loop needs fail with EPERM.

Above all ``socket``: the door is open already, so a submission needs no new socket, and the network is shut even where
there are no
namespaces. The rest are ways to memory that no limit counts, and parts of the kernel that had many faults.
"""

import ctypes
import errno
import platform
import struct

from . import linux

# name: (x86_64, aarch64); -1: no such call there. From the kernel's asm/unistd tables.
_DENIED = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "fanotify_init": (300, 262),
    "inotify_init1": (294, 26),
    "inotify_init": (253, -1),
    "vmsplice": (278, 75),
    "personality": (135, 92),
    "modify_ldt": (154, -1),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "name_to_handle_at": (303, 264),
    "fsconfig": (431, 431),
    "fspick": (433, 433),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "syslog": (103, 116),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "io_setup": (206, 0),  # its rings are counted for the whole machine
    "landlock_create_ruleset": (444, 444),  # ours is applied before this filter; rules are memory of the kernel's
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "sync": (162, 81),  # all disks of the machine
    "syncfs": (306, 267),
}
_YOUNGER = 453  # calls from here on are younger than this list: they are not there, as on an older kernel
_SOCKETPAIR = (53, 199)
_KILL_CALL = (62, 129)
_AF_UNIX = 1
_EVERYBODY = 0xFFFFFFFF  # kill(-1)
_FCNTL = (72, 25)
_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW: memory of the kernel's, which no limit counts
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID, -NET, -TIME
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_EPERM = 0x00050000 | errno.EPERM
_ENOSYS = 0x00050000 | errno.ENOSYS
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def program(machine: str) -> bytes | None:
    """The filter for a machine, as the kernel wants it; None for a machine whose numbers we don't know."""
    if machine not in _MACHINES:
        return None
    column, architecture = _MACHINES[machine]
    steps = [_step(_LOAD, 4), _step(_EQUAL, architecture, 1, 0), _step(_RETURN, _KILL), _step(_LOAD, 0)]
    if machine == "x86_64":
        steps += [_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, _EPERM)]
    steps += [_step(_AT_LEAST, _YOUNGER, 0, 1), _step(_RETURN, _ENOSYS)]
    for numbers in _DENIED.values():
        if numbers[column] >= 0:
            steps += [_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, _EPERM)]
    steps += _unless_argument(_SOCKETPAIR[column], _step(_EQUAL, _AF_UNIX, 1, 0))
    steps += _unless_argument(_KILL_CALL[column], _step(_EQUAL, _EVERYBODY, 0, 1))
    for command in _LOCKS:
        steps += _unless_argument(_FCNTL[column], _step(_EQUAL, command, 0, 1), second=True)
    # clone3 has its flags in memory, where a filter can't look: glibc falls back to clone when it is told ENOSYS
    steps += [_step(_EQUAL, _CLONE3[column], 0, 1), _step(_RETURN, _ENOSYS)]
    steps += _unless_argument(_CLONE[column], _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1))
    steps += [_step(_RETURN, _ALLOW)]
    return b"".join(steps)


def _unless_argument(call: int, test: bytes, second: bool = False) -> list[bytes]:
    """For this call: EPERM, unless ``test`` of its first argument (or its second) jumps over one step; any other call
    goes on unharmed.
    """
    return [
        _step(_EQUAL, call, 0, 4),
        _step(_LOAD, 24 if second else 16),  # the low half of the argument, on both machines
        test,
        _step(_RETURN, _EPERM),
        _step(_LOAD, 0),  # the number again, for the tests that follow
    ]


def apply() -> bool:
    """Put the filter on this process and its children, for good. False: unknown machine, nothing done. Raises
    OSError.
    """
    code = program(platform.machine())
    if code is None:
        return False
    buffer = ctypes.create_string_buffer(code, len(code))
    shape = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    linux.no_new_privileges()
    linux.prctl_pointer(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(shape))
    return True
