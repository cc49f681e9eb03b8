"""Processes below a process, from /proc: how much memory they have, and who they are."""

import os

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

_TOO_MUCH = 1 << 62


def children(pid: int) -> list[int]:
    """The children of all threads of a process; [] when it is gone."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return found


def descendants(pid: int, most: int = 1000) -> list[int]:
    """The process and all below it, as they are at this moment."""
    found, todo = [], [pid]
    while todo and len(found) < most:
        one = todo.pop()
        found.append(one)
        todo += children(one)
    return found


def resident(pid: int) -> int:
    """Bytes of memory that are not from files: its own and shared ones. 0 when it is gone."""
    return _of_any_thread(pid, _resident)


def _resident(folder: str) -> int:
    with open(f"{folder}/status", encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    kilobytes = [int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:"))]
    return sum(kilobytes) * 1024


def quick_resident(pid: int) -> int:
    """Bytes of memory, those from files too: cheaper to read than ``resident`` and never less."""
    return _of_any_thread(pid, _quick_resident)


def _quick_resident(folder: str) -> int:
    with open(f"{folder}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * _PAGE


def _of_any_thread(pid: int, measure) -> int:
    """What ``measure`` finds in a process's folder; in those of its threads, where its first thread has ended: the
    kernel then says of the process that it has no memory, though the others go on using it.
    """
    if found := _measured(f"/proc/{pid}", measure):
        return found
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0
    return max((_measured(f"/proc/{pid}/task/{task}", measure) for task in tasks), default=0)


def _measured(folder: str, measure) -> int:
    try:
        return measure(folder)
    except (OSError, IndexError, ValueError):
        return 0  # it ended meanwhile


def deleted_files(pid: int) -> int:
    """Bytes of files that a process holds open and that have no name any more."""
    total = 0
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                if os.readlink(f"/proc/{pid}/fd/{name}").endswith(" (deleted)"):
                    total += os.stat(f"/proc/{pid}/fd/{name}").st_blocks * 512
            except OSError:
                continue
    except OSError:
        pass
    return total


def folder_size(path: str, most: int = 20_000) -> int:
    """Bytes in a folder and all below it, links not followed. What cannot be counted (too many entries, too deep,
    locked) is too much.
    """
    total, todo, seen = 0, [path], 0
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most:
                        return _TOO_MUCH
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except (FileNotFoundError, NotADirectoryError):
            continue  # it went away
        except OSError:
            return _TOO_MUCH
    return total


def files_of(user: int | None, folder: str) -> list[tuple[str, int]]:
    """Paths and sizes of this user's files in a folder, not below it. Nothing for None."""
    found = []
    if user is not None:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen = entry.stat(follow_symlinks=False)
                    if seen.st_uid == user:
                        found.append((entry.path, seen.st_blocks * 512))
        except OSError:
            pass
    return found
