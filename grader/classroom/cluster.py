"""Grading on a Dask cluster. A task travels as JSON text, and so does its result; each worker has its own sandbox."""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import secrets
import sys
import threading
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any

from grader.classroom.assignment import grader_digest
from grader.classroom.crew import SandboxOptions, Workers, message_from, task_from
from grader.classroom.grade import Task, fault
from grader.classroom.sandbox import SandboxUnavailable

_CONNECT_S = 10
_MOST_TASKS = 1000  # sent and not yet answered: enough that an adaptive cluster sees how much there is to do
_MOST_BYTES = 64 << 20  # of their files, which the scheduler holds in memory
_SPARE_POOLS = 2  # a worker that grades several classes at a time keeps this many of their sandboxes, idle


class ClusterUnavailable(Exception):
    """The cluster cannot grade. The text says why and what to do."""


class ClusterCrew:
    """Grades tasks on the workers of a scheduler, as ``Crew`` does here. Use it in a ``with`` block.

    ``address``: the scheduler's, as "tcp://host:8786". ``isolation``: what the workers said so far.
    Raises ClusterUnavailable.
    """

    def __init__(self, options: SandboxOptions, address: str):
        self._address = address
        self._fixed = {"options": options.to_dict(), "expects": environment()}
        self._seen: set[str] = set()
        self._client = _connect(address)

    def __enter__(self) -> ClusterCrew:
        return self

    def __exit__(self, *exception) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.close()

    @property
    def isolation(self) -> str:
        return ", ".join(sorted(self._seen))

    @property
    def waits(self) -> bool:
        """Whether there is no worker yet."""
        return not self._client.nthreads()

    def run(self, tasks: Iterable[tuple[object, Task]]) -> Iterator[tuple[object, dict]]:
        """Grade ``(mark, task)`` pairs, which are taken as they are needed; give ``(mark, result)`` as they are done.

        Raises ClusterUnavailable when the scheduler is lost, or when a worker cannot grade as this machine would.
        """
        from distributed import as_completed

        tasks, run, number = iter(tasks), secrets.token_hex(4), count()
        pending: dict[Any, tuple[Any, object, Task]] = {}
        answers = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        try:
            while True:
                while _has_room(pending) and (found := next(tasks, None)):
                    # The keys of a run make one group: Dask then hands a worker what it can do next, not a share.
                    key = (f"grade-{run}", next(number))
                    future = self._client.submit(grade_text, self._text(found[1]), key=key, pure=False)
                    pending[key] = future, *found
                    answers.add(future)
                if not pending:
                    return
                future, answer = next(answers)
                _, mark, task = pending.pop(future.key)
                yield mark, self._result(answer, task)
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel([future for future, *_ in pending.values()])

    def _text(self, task: Task) -> str:
        return json.dumps({**self._fixed, "task": message_from(task)})

    def _result(self, answer: object, task: Task) -> dict:
        if isinstance(answer, str):
            said = json.loads(answer)
            if "refused" in said:
                raise ClusterUnavailable(said["refused"])
            self._seen.add(said["isolation"])
            return said["result"]
        error = answer[1] if isinstance(answer, tuple) else answer
        return self._failed(error, task)

    def _failed(self, error: object, task: Task) -> dict:
        """A result for a task whose workers died one after the other. Raises ClusterUnavailable for anything else."""
        from distributed import KilledWorker

        if not isinstance(error, KilledWorker):
            raise ClusterUnavailable(_why(error, self._address))
        return fault("The workers that graded this ended, several times. Grade it again.", task.sheet)


def _has_room(pending: dict) -> bool:
    return len(pending) < _MOST_TASKS and sum(len(task.data) for _, _, task in pending.values()) < _MOST_BYTES


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ClusterUnavailable(
            '--cluster needs Dask. Install it here and on the workers: pip install ".[cluster]"'
        ) from None
    logging.getLogger("distributed.client").setLevel(
        logging.CRITICAL
    )  # what it would say of a lost scheduler is said below, once
    try:
        _look_at(address)
        return Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:  # a timeout is an OSError
        raise ClusterUnavailable(
            f"The scheduler at {address} can't be reached: {error or type(error).__name__}"
        ) from None


def _look_at(address: str) -> None:
    """Raises ValueError and OSError for an address that no client can use: Dask's says so too, but ends late."""
    from distributed import Security
    from distributed.comm.addressing import parse_address, resolve_address
    from distributed.comm.registry import get_backend

    scheme = parse_address(address)[0]
    get_backend(scheme)
    if scheme == "tls" and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError("Dask's configuration names no certificates for TLS.")
    resolve_address(address)


def _why(error: object, address: str) -> str:
    from distributed import CancelledError

    if isinstance(error, CancelledError):
        return f"The scheduler at {address} was lost. What is graded is kept; the same command goes on from there."
    if "grader" in str(error) and ("No module" in str(error) or "deserializ" in str(error)):
        return f"The cluster at {address} has no grader. Install the same one on the scheduler and the workers."
    return f"The cluster at {address} failed: {type(error).__name__}: {error}"


def environment() -> dict[str, str]:
    """What must be the same here and on a worker, so that it gives the same results."""
    python = ".".join(str(part) for part in sys.version_info[:2])
    return {"grader": grader_digest(), "anthropic": version("anthropic"), "python": python}


# What follows runs on the workers.


def grade_text(text: str) -> str:
    """Grade one task in this worker's sandbox. In: JSON with ``options``, ``expects``, ``task``. Out: JSON.

    Out: ``isolation`` and ``result``, or ``refused`` with the reason, when this worker would not give what the
    sender's machine gives.
    """
    message = json.loads(text)
    refused = _refusal(message["expects"])
    if refused:
        return json.dumps({"refused": refused})
    options = message["options"]
    options["hidden"].append(_own_folder())
    try:
        with _pool(json.dumps(options)) as workers:
            return json.dumps({"isolation": workers.isolation, "result": workers.grade(task_from(message["task"]))})
    except SandboxUnavailable as error:
        return json.dumps({"refused": f"The worker {_name()} can't grade. {error}"})


def _refusal(expects: dict[str, str]) -> str:
    mine = _environment()
    for name, wanted in expects.items():
        if mine.get(name) != wanted:
            return f"The worker {_name()} has another {name} ({mine.get(name)}, here: {wanted}). Use one image for all."
    return ""


@functools.cache
def _environment() -> dict[str, str]:
    return environment()


def _own_folder() -> str:
    """Where this worker puts what its memory does not hold: other submissions, to be hidden from the one it grades."""
    from distributed import get_worker

    return str(Path(get_worker().local_directory).resolve())


def _name() -> str:
    from distributed import get_worker

    return get_worker().address


class _Pool:
    """The sandboxes for one way to isolate: as many as there are tasks at a time. ``users``: how many."""

    def __init__(self):
        self.users = 0
        self.workers: Workers | None = None
        self.starting = threading.Lock()


_pools: dict[str, _Pool] = {}  # by their options, the one that was used last at the end
_pools_lock = threading.Lock()


@contextlib.contextmanager
def _pool(options: str) -> Iterator[Workers]:
    """Sandboxes for these options, kept warm from task to task. Raises SandboxUnavailable."""
    with _pools_lock:
        pool = _pools.pop(options, None) or _Pool()
        _pools[options] = pool
        pool.users += 1
    try:
        with pool.starting:
            if pool.workers is None:
                pool.workers = Workers(SandboxOptions.from_dict(json.loads(options)), 1)
        yield pool.workers
    finally:
        for old in _leave(pool):
            old.close()


def _leave(pool: _Pool) -> list[Workers]:
    """Stop using a pool. Out: what is to be closed, because too many others are idle."""
    with _pools_lock:
        pool.users -= 1
        idle = [options for options, other in _pools.items() if not other.users]
        return [closed for options in idle[:-_SPARE_POOLS] if (closed := _pools.pop(options).workers)]
