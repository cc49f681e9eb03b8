"""Which outcome an exception stands for: a crash of the code, or one of the sandbox's walls."""

import errno
import socket

_WALLS = {
    errno.EPERM, errno.EACCES, errno.EROFS,  # what it may not do
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG,  # bytes on disk
    errno.EMFILE, errno.ENFILE,  # open files
    errno.EAGAIN,  # processes
    errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH, errno.EAFNOSUPPORT,
}  # fmt: skip
_MOST_CAUSES = 10


def kind_of(error: BaseException) -> str:
    """``crashed``, ``exited``, ``out_of_memory`` or ``blocked``. Looks at the causes too: the SDK wraps what the
    network says.
    """
    if isinstance(error, SystemExit):
        return "exited"
    for cause in _causes(error):
        if isinstance(cause, MemoryError):
            return "out_of_memory"
        if isinstance(cause, socket.gaierror):
            return "blocked"
        if isinstance(cause, OSError) and cause.errno in _WALLS:
            return "blocked"
        if isinstance(cause, RuntimeError) and str(cause) == "can't start new thread":
            return "blocked"
    return "crashed"


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    todo = [error]
    while todo and len(found) < _MOST_CAUSES:
        one = todo.pop()
        if not isinstance(one, BaseException) or any(one is other for other in found):
            continue
        found.append(one)
        todo += [one.__cause__, one.__context__, *one.args]  # urllib puts the cause into the arguments
    return found
