"""Caps that a process sets on itself before learner code runs. POSIX only."""

import resource

_ADDRESS_SPACE_ON_TOP = 3 << 30  # thread stacks and reserved arenas are address space, not memory


def apply(caps: dict) -> None:
    """Lower the limits of this process and its children to ``caps`` (see ``Limits.for_guest``). A limit that is lower
    already stays.
    """
    _lower("RLIMIT_CPU", caps["cpu_s"])
    _lower("RLIMIT_DATA", caps["memory"])
    _lower("RLIMIT_AS", caps["memory"] + _ADDRESS_SPACE_ON_TOP)
    _lower("RLIMIT_NPROC", caps["processes"])
    _lower("RLIMIT_NOFILE", caps["open_files"])
    _lower("RLIMIT_FSIZE", caps["file_size"])
    _lower("RLIMIT_CORE", 1)  # with 0 the kernel still starts the host's program for core dumps; with 1 it does not
    _lower("RLIMIT_MEMLOCK", 1 << 16)
    _lower("RLIMIT_MSGQUEUE", 0)
    _lower("RLIMIT_SIGPENDING", 256)  # timers too; counted for the user outside, so one could use up everybody's


def _lower(name: str, value: int) -> None:
    kind = getattr(resource, name, None)
    if kind is None:
        return  # not on this system
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        if name not in ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_NPROC"):  # macOS knows these names and refuses some
            raise
