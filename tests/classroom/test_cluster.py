"""A class on a Dask cluster: a scheduler and two workers, each a process of this machine."""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner

from grader.classroom import cluster as module
from grader.classroom.cluster import ClusterUnavailable
from grader.classroom.run import run_class
from grader.cli import main
from tests.classroom.conftest import LOOP, RIGHT, WRONG, needs_linux

HAS_DASK = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(not HAS_DASK, reason='Dask is not installed: pip install ".[cluster]"')
BOOKS = ("gradebook.csv", "junit.xml", "results.sarif", "points.jsonl")
SIZE = 16


@dataclass
class Cluster:
    address: str = ""
    scheduler: subprocess.Popen | None = None
    workers: list[subprocess.Popen] = field(default_factory=list)

    def processes(self):
        return [*self.workers, *([self.scheduler] if self.scheduler else [])]


@contextlib.contextmanager
def started(folder, **settings):
    """A scheduler and two workers that are ready. ``settings``: of Dask's configuration, as environment variables."""
    environment = os.environ | {f"DASK_DISTRIBUTED__{name}": value for name, value in settings.items()}
    known = folder / "scheduler.json"

    def start(name, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--host", "127.0.0.1", "--no-dashboard"]
        with open(folder / "dask.log", "ab") as log:
            return subprocess.Popen([*command, *arguments], env=environment, stdout=log, stderr=log)

    found = Cluster()
    try:
        found.scheduler = start("scheduler", "--port", "0", "--scheduler-file", str(known))
        until(known.exists, "the scheduler wrote its address")
        found.address = json.loads(known.read_text(encoding="utf-8"))["address"]
        for i in range(2):
            place = ["--local-directory", str(folder / f"worker{i}")]
            found.workers.append(start("worker", found.address, "--nthreads", "1", "--no-nanny", *place))
        from distributed import Client

        with Client(found.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield found
    finally:
        for process in found.processes():
            process.kill()
            process.wait()


def until(holds, what, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not in {seconds} s: {what}"
        time.sleep(0.1)


@pytest.fixture
def many(tmp_path):
    root = tmp_path / "class"
    root.mkdir()
    for i in range(SIZE):
        (root / f"learner{i:02d}.py").write_text((RIGHT, WRONG)[i % 2] + f"# {i}\n", encoding="utf-8")
    return root


@pytest.fixture
def local(many, tmp_path):
    """What the same class earns on this machine."""
    needs_linux()
    run_class(many, tmp_path / "local", LOOP, seed=5, jobs=1)
    return {name: (tmp_path / "local" / name).read_bytes() for name in BOOKS}


def books(results):
    return {name: (results / name).read_bytes() for name in BOOKS}


def kills(process, after):
    """A watch that kills a process when so many are graded."""

    def watch(what, done, total):
        if what == "grading" and done == after:
            process.send_signal(signal.SIGKILL)
            process.wait()

    return watch


@needs_dask
def test_a_worker_killed_in_the_middle_costs_nothing(many, local, tmp_path, monkeypatch):
    import psutil  # comes with Dask
    from distributed import Client

    sent, submit = [], Client.submit

    def recorded(self, function, text, **options):
        sent.append((function, text))
        return submit(self, function, text, **options)

    monkeypatch.setattr(Client, "submit", recorded)
    sandboxes = []
    with started(tmp_path) as cluster:
        kill = kills(cluster.workers[0], after=4)

        def watch(what, done, total):
            if what == "grading" and done == 4:
                sandboxes.extend(psutil.Process(cluster.workers[0].pid).children(recursive=True))
            kill(what, done, total)

        done = run_class(many, tmp_path / "out", LOOP, seed=5, cluster=cluster.address, watch=watch)
        assert cluster.workers[0].returncode == -signal.SIGKILL and cluster.workers[1].poll() is None
        assert sandboxes, "the worker graded in processes of its own"
        assert not psutil.wait_procs(sandboxes, timeout=60)[1], "they end with it"
    assert (done.graded, done.faults) == (SIZE, 0)
    assert books(tmp_path / "out") == local
    _only_text_travelled(sent)


def _only_text_travelled(sent):
    assert len(sent) == SIZE
    for function, text in sent:
        assert function is module.grade_text
        assert set(json.loads(text)) == {"options", "expects", "task"}


@needs_dask
def test_a_task_whose_workers_die_is_graded_by_the_next_run(many, local, tmp_path):
    """Dask gives such a task up, here at the first time; a result it gave up is never taken for the learner's."""
    with started(tmp_path, SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        watch = kills(cluster.workers[0], after=4)
        first = run_class(many, tmp_path / "out", LOOP, seed=5, cluster=cluster.address, watch=watch)
        assert first.graded == SIZE and 1 <= first.faults <= 3
        assert books(tmp_path / "out") != local
        second = run_class(many, tmp_path / "out", LOOP, seed=5, cluster=cluster.address)
    assert (second.graded, second.skipped, second.faults) == (first.faults, SIZE - first.faults, 0)
    assert books(tmp_path / "out") == local


@needs_dask
def test_a_lost_scheduler_ends_the_run_and_nothing_that_is_graded_is_lost(many, local, tmp_path):
    with started(tmp_path) as cluster:
        watch = kills(cluster.scheduler, after=4)
        with pytest.raises(ClusterUnavailable, match="was lost"):
            run_class(many, tmp_path / "out", LOOP, seed=5, cluster=cluster.address, watch=watch)
    done = run_class(many, tmp_path / "out", LOOP, seed=5, jobs=1)
    assert done.skipped >= 4 and done.skipped + done.graded == SIZE
    assert books(tmp_path / "out") == local


@needs_dask
def test_a_worker_that_would_grade_otherwise_is_refused(many, tmp_path, monkeypatch):
    needs_linux()
    monkeypatch.setattr(module, "grader_digest", lambda: "of another version")
    with started(tmp_path) as cluster:
        done = CliRunner().invoke(main, command(many, tmp_path, cluster.address))
    assert done.exit_code == 2
    assert "has another grader" in done.output and "Use one image for all." in done.output
    assert not list((tmp_path / "out" / "learners").iterdir())


@needs_dask
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nowhere://x:1", "tls://127.0.0.1:1", "a b"])
def test_a_scheduler_out_of_reach_is_one_message(many, tmp_path, monkeypatch, address):
    monkeypatch.setattr(module, "_CONNECT_S", 1)
    done = CliRunner().invoke(main, command(many, tmp_path, address))
    assert done.exit_code == 2
    assert f"Error: The scheduler at {address} can't be reached: " in done.output
    assert "Traceback" not in done.output


def test_without_dask_one_message_says_what_to_install(many, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = CliRunner().invoke(main, command(many, tmp_path, "tcp://127.0.0.1:1"))
    assert done.exit_code == 2
    assert 'pip install ".[cluster]"' in done.output


def test_jobs_are_not_for_a_cluster(many, tmp_path):
    done = CliRunner().invoke(main, [*command(many, tmp_path, "tcp://127.0.0.1:1"), "--jobs", "2"])
    assert done.exit_code == 2 and "--jobs" in done.output


def command(folder, tmp_path, address):
    out = str(tmp_path / "out")
    return ["class", str(folder), "--out", out, "--contract", "--level", "loop", "--cluster", address]
