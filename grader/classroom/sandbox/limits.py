"""What a submission may use."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Caps of one submission. Each one that is reached has its outcome (see ``outcome.MEANINGS``).

    Seconds are real ones: the scenario's virtual time costs nothing. ``memory`` is counted per process
    (``RLIMIT_DATA``) and over all
    processes of the submission together (watched; several times a second). ``disk`` is the size of its private folder.
    """

    load_s: float = 20.0  # to run the cells
    run_s: float = 20.0  # one run of the function
    total_s: float = 180.0  # all of it
    cpu_s: int = 60  # a process's CPU seconds, over all runs
    memory: int = 1024 * MIB
    processes: int = 48  # threads count
    forks: int = 8  # processes besides its first one: each takes a share of the machine from the neighbours; watched
    open_files: int = 64
    file_size: int = 16 * MIB
    disk: int = 32 * MIB
    output: int = 2 * MIB  # printed in one run
    request: int = 4 * MIB  # one request to the client or one call of a tool
    requests: int = 48 * MIB  # all of them in one run, together
    reply: int = 4 * MIB  # what the function returns, as JSON
    source: int = 8 * MIB  # the file that was handed in
    cells: int = 2000
    restarts: int = 8  # after a run that killed its process, the next runs get a new one; so often

    def for_guest(self) -> dict:
        """The caps that the process sets on itself, as JSON data."""
        names = ("cpu_s", "memory", "processes", "forks", "open_files", "file_size", "disk", "reply")
        return {name: getattr(self, name) for name in names}
