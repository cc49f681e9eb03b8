"""Who does the grading: this process with one sandbox, or several with one each. Tasks and results are JSON."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.classroom.assignment import Sheet
from grader.classroom.grade import Task, fault, grade
from grader.classroom.sandbox import Sandbox, SandboxUnavailable

_AHEAD = 2  # tasks a worker, so that nobody waits for the files to be read


@dataclass(frozen=True)
class SandboxOptions:
    """How to isolate: see ``Sandbox``."""

    require_sandbox: bool = False
    hidden: tuple[Path, ...] = ()

    def open(self) -> Sandbox:
        return Sandbox(require_sandbox=self.require_sandbox, hidden=self.hidden)

    def to_dict(self) -> dict:
        return {"require_sandbox": self.require_sandbox, "hidden": [str(path) for path in self.hidden]}

    @staticmethod
    def from_dict(data: dict) -> SandboxOptions:
        return SandboxOptions(data["require_sandbox"], tuple(Path(path) for path in data["hidden"]))


class Crew:
    """Grades tasks. ``isolation``: the name of what keeps the submissions apart. Use it in a ``with`` block. Raises
    SandboxUnavailable.
    """

    waits = False  # its workers are there

    def __init__(self, options: SandboxOptions, jobs: int = 1):
        self._jobs = jobs
        self._sandbox = options.open() if jobs == 1 else None
        self._workers = Workers(options, jobs) if jobs > 1 else None
        self.isolation = self._sandbox.isolation.name if self._sandbox else self._workers.isolation

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *exception) -> None:
        if self._sandbox:
            self._sandbox.close()
        if self._workers:
            self._workers.close()

    def run(self, tasks: Iterable[tuple[object, Task]]) -> Iterator[tuple[object, dict]]:
        """Grade ``(mark, task)`` pairs, which are taken as they are needed; give ``(mark, result)`` when done."""
        if self._sandbox:
            for mark, task in tasks:
                yield mark, grade(self._sandbox, task)
            return
        yield from _in_parallel(iter(tasks), self._workers.grade, self._jobs, self._workers.kill)


def _in_parallel(tasks: Iterator, work: Callable, jobs: int, stop: Callable) -> Iterator:
    pending: dict[Future, object] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                for mark, task in islice(tasks, jobs * _AHEAD - len(pending)):
                    pending[pool.submit(work, task)] = mark
                if not pending:
                    return
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield pending.pop(future), future.result()
        finally:
            if pending:  # interrupted: nobody waits for what runs
                for future in pending:
                    future.cancel()
                stop()


class Workers:
    """Processes that grade, one task each at a time. One that dies is replaced; its task is tried once more."""

    def __init__(self, options: SandboxOptions, jobs: int):
        self._options = options
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        for worker in [self._start() for _ in range(jobs)]:  # all start at once, then each is waited for
            self._idle.append(self._ready(worker))
        self.isolation = self._idle[0].isolation

    def _start(self) -> _Worker:
        worker = _Worker(self._options)
        with self._lock:
            self._all.add(worker)
        return worker

    def _ready(self, worker: _Worker) -> _Worker:
        try:
            worker.await_ready()
        except SandboxUnavailable:
            self.close()
            raise
        return worker

    def grade(self, task: Task) -> dict:
        """Grade a task in a worker that is idle. There are as many as threads that call this."""
        for _ in range(2):
            try:
                worker = self._take()
                result = worker.grade(task)
            except (OSError, ValueError) as error:
                said = error
                continue
            with self._lock:
                self._idle.append(worker)
            return result
        return fault(f"A process of the grader ended ({said}). Grade it again.", task.sheet)

    def _take(self) -> _Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self._closed:
            raise OSError("the run is over")
        return self._ready(self._start())

    def kill(self) -> None:
        """End all at once, whatever they are doing."""
        self._closed = True
        with self._lock:
            for worker in self._all:
                worker.kill()

    def close(self) -> None:
        """Let all end that have nothing to do."""
        self._closed = True
        with self._lock:
            workers = list(self._all)
        for worker in workers:
            worker.close()


class _Worker:
    """A ``grader.classroom.worker`` process. It ends when its standard input is closed, also when this process is
    killed.
    """

    def __init__(self, options: SandboxOptions):
        command = [sys.executable, "-m", "grader.classroom.worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self._say(options.to_dict())
        self.isolation = ""

    def await_ready(self) -> None:
        """Raises SandboxUnavailable."""
        word = self._hear()
        if "unavailable" in word:
            raise SandboxUnavailable(word["unavailable"])
        self.isolation = word["isolation"]

    def grade(self, task: Task) -> dict:
        """Raises OSError and ValueError when the process has died."""
        self._say(message_from(task))
        return self._hear()

    def _say(self, message: dict) -> None:
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _hear(self) -> dict:
        line = self._process.stdout.readline()
        if not line:
            raise OSError("it said nothing more")
        return json.loads(line)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def message_from(task: Task) -> dict:
    """A task as JSON data."""
    data = base64.b64encode(task.data).decode("ascii")
    return {"file": task.file, "data": data, "sheet": task.sheet.to_dict(), "seed": task.seed}


def task_from(message: dict) -> Task:
    """The task that a worker was told."""
    return Task(message["file"], base64.b64decode(message["data"]), Sheet.from_dict(message["sheet"]), message["seed"])
