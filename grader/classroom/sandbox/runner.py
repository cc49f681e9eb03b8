"""The sandbox: runs a stranger's submission and brings back evidence."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.classroom.sandbox import reading
from grader.classroom.sandbox.child import Child, GraderFault
from grader.classroom.sandbox.guest import wire
from grader.classroom.sandbox.hosts import choose
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.outcome import FINISHED, GRADER_FAULT, TIMED_OUT, Ending
from grader.classroom.sandbox.props import Props
from grader.classroom.sandbox.results import Ask, Call, Job, JobResult, Look, Play, SubmissionResult, Value
from grader.classroom.sandbox.serving import Serving, described
from grader.classroom.sandbox.submission import Submission
from grader.replay.player import Player

_TRIES = 2  # a fault of the grader is tried once more before it is reported


class Sandbox:
    """Runs submissions, each in a process of its own.

    In: the limits; ``require_sandbox``: refuse to run with less than bubblewrap; ``hidden``: more paths that no
    submission may read
    (the class folder, the results); ``mode``: ask for one isolation ("bubblewrap", "process", "plain"), None takes the
    strongest that
    works here; ``cold``: a fresh interpreter a submission instead of a fork. Use it in a ``with`` block; ``run`` may be
    called from
    several threads. Raises SandboxUnavailable.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        require_sandbox: bool = False,
        hidden: Iterable[Path] = (),
        mode: str | None = None,
        cold: bool = False,
    ):
        self.limits = limits or Limits()
        self.host, self.isolation = choose(self.limits, tuple(hidden), require_sandbox, mode, cold)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and all that it forked."""
        self.host.stop()

    def run(self, submission: Submission, jobs: Iterable[Job]) -> SubmissionResult:
        """Load a submission and do the jobs, in order. Never raises for what a submission does, nor for a fault of the
        sandbox's:
        that is the outcome ``grader_fault``.

        One process serves all jobs of a submission. A job that ends the process gets the next jobs a new one
        (``Limits.restarts``).
        """
        with self.open(submission) as session:
            done = [session.do(job) for job in jobs]
            if not done:
                session.load_only()
        session.result.jobs = done
        return session.result

    @contextlib.contextmanager
    def open(self, submission: Submission) -> Iterator[Session]:
        """The same, for jobs that are made one after the other from what came before. ``session.do(job)`` gives its
        result; ``session.result`` keeps how each ended and not what it brought, which together could be gigabytes.
        """
        result = SubmissionResult(submission.name, self.isolation, Ending(GRADER_FAULT))
        started = time.monotonic()
        session = Session(self, submission, result)
        try:
            yield session
        finally:
            session.end()
            result.seconds = time.monotonic() - started


class Session:
    """One submission on its way through its jobs. Ask ``Sandbox.open`` for one; it is for one thread."""

    def __init__(self, sandbox: Sandbox, submission: Submission, result: SubmissionResult):
        self._host, self._limits = sandbox.host, sandbox.limits
        self._submission, self._result = submission, result
        self._child: Child | None = None
        self._starts = 0
        self._run = 0
        self._deadline = time.monotonic() + sandbox.limits.total_s
        self._lost: Ending | None = None  # why no process will be started any more

    def load_only(self) -> None:
        """Run the cells though there is no job."""
        with contextlib.suppress(GraderFault, _Ended):
            self._ready()

    @property
    def submission(self) -> Submission:
        return self._submission

    @property
    def result(self) -> SubmissionResult:
        """What is known of the submission so far."""
        return self._result

    def do(self, job: Job) -> JobResult:
        """Do one job, write down how it ended, and give that back. Never raises for what the submission does."""
        began = time.monotonic()
        for _ in range(_TRIES):
            try:
                self._ready()
                done = self._play(job) if isinstance(job, Play) else self._plain(job)
                break
            except _Ended as ended:
                done = JobResult(job, ended.ending, missing=False)
                break
            except Exception as error:  # ours: no submission pays for it
                self._drop()
                self._starts -= 1
                done = JobResult(job, Ending(GRADER_FAULT, f"{type(error).__name__}: {error}"[:500]))
        done.seconds = time.monotonic() - began
        self._result.jobs.append(JobResult(job, done.ending, missing=done.missing, seconds=done.seconds))
        return done

    def end(self) -> None:
        """Let the process go."""
        self._drop()

    def _ready(self) -> None:
        """Have a process that has run the cells. Raises _Ended when the submission can't have one (any more),
        GraderFault.
        """
        if self._child is not None:
            return
        if self._lost:
            raise _Ended(self._lost)
        if self._starts > self._limits.restarts:
            raise _Ended(Ending(TIMED_OUT, "Earlier runs ended their process too often; this one was not begun."))
        if time.monotonic() > self._deadline:
            raise _Ended(
                Ending(TIMED_OUT, "The time for all runs of the submission is used up; this one was not begun.")
            )
        self._child = self._host.spawn()
        self._starts += 1
        order = {"cells": self._submission.cells}
        how, data, ending = self._order("load", order, None, self._limits.load_s)
        if ending is None and how != "returned":
            ending = reading.crash_ending(data)
        self._result.loading = ending or Ending(FINISHED)
        if ending:
            self._drop()
            self._lost = ending
            raise _Ended(ending)
        self._result.notes = reading.notes_of(data)

    def _play(self, job: Play) -> JobResult:
        """All runs that the scenario asks for; the further ones are in ``later``, as ``grader.replay.play`` has it."""
        first = last = self._play_once(job, job.seed)
        for number in range(1, job.scenario.runs):
            if first.transcript is None:
                break
            self._ready()
            last = self._play_once(job, job.seed + number)
            if last.transcript is None:
                return JobResult(job, last.ending, missing=last.missing)
            first.transcript.later.append(last.transcript)
            if first.outcome == FINISHED:
                first.ending = last.ending
        return first

    def _play_once(self, job: Play, seed: int) -> JobResult:
        player = Player(job.scenario, seed, job.limits, coroutines=job.coroutines)
        order = {
            "function": job.function,
            "task": player.task,
            "tools": player.tools,
            "functions": described(player.functions()),
            "limits": player.transcript.limits,
        }
        try:
            how, data, ending = self._order("play", order, player, self._limits.run_s)
        finally:
            player.finish()
        if how == "missing":
            return JobResult(job, reading.missing(job.function, self._result.notes), missing=True)
        return JobResult(job, reading.write_down(player.transcript, how, data, ending), player.transcript)

    def _plain(self, job: Call | Value | Look | Ask) -> JobResult:
        op, name, order = _order_for(job)
        props = (job.props or Props(job.arguments.functions)) if isinstance(job, Ask) else None
        if isinstance(job, Ask) and job.watch:
            props.stop_with(self._child, self._run + 1)
        how, data, ending = self._order(op, order, props, min(self._limits.run_s, getattr(job, "seconds", math.inf)))
        if how == "missing":
            return JobResult(job, reading.missing(name, self._result.notes), missing=True)
        if ending is None and how == "returned":
            return JobResult(job, Ending(FINISHED), value=reading.value_of(data), data=data)
        crash = reading.crash_from(data) if ending is None else None
        return JobResult(job, ending or reading.crash_ending(data), data=data, crash=crash)

    def _order(
        self, op: str, order: dict, player: Player | Props | None, seconds: float
    ) -> tuple[str, dict, Ending | None]:
        """Give an order and serve until it is done. Out: how, the data, and an ending when the process did not live to
        say it.
        """
        child, self._run = self._child, self._run + 1
        child.begin(min(seconds, max(1.0, self._deadline - time.monotonic())))
        serving = Serving(child, player, self._run)
        try:
            child.send({"op": op, "run": self._run}, json.dumps(order).encode())
            how, body = serving.until_done()
            if how == "too_big":
                return how, {}, reading.TOO_BIG
            return how, reading.data_of(body), None
        except (wire.WireError, OSError) as error:
            ending = reading.ending_of(child, error)
            self._drop()
            return "ended", {}, ending
        finally:
            serving.close()
            if player:
                player.release()

    def _drop(self) -> None:
        """Give up the process."""
        if self._child is not None:
            child, self._child = self._child, None
            child.close()
            self._result.cpu_s += child.cpu_s
            if child.output.text:
                self._result.output = (self._result.output + child.output.text)[: self._limits.output]


def _order_for(job: Call | Value | Look | Ask) -> tuple[str, str, dict]:
    """The order's kind, the name that it is about, and its data."""
    if isinstance(job, Call):
        return "call", job.function, {"function": job.function, "args": list(job.args), "kwargs": job.kwargs}
    if isinstance(job, Ask):
        told = {"args": job.arguments.args, "kwargs": job.arguments.kwargs, "trace": job.trace, "watch": job.watch}
        return "ask", job.function, {"function": job.function, **told}
    return ("look" if isinstance(job, Look) else "value"), job.name, {"name": job.name}


class _Ended(Exception):
    """There is no process for a job, and why."""

    def __init__(self, ending: Ending):
        super().__init__(ending.detail)
        self.ending = ending
