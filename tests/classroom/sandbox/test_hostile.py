"""All hostile submissions in one batch, two at a time, with right ones between them."""

import os
import secrets
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from grader.classroom.sandbox import Play, Sandbox, parse_submission, read_submission
from grader.judging.judge import judge
from grader.replay.scenario import load_scenario
from tests.classroom.sandbox.conftest import SMALL, needs_bubblewrap
from tests.classroom.sandbox.hostile_files import FOLDER, hostile_files

HOSTILE = hostile_files()
EVERY = 4  # after so many hostile ones comes a right one


@dataclass
class Batch:
    """What the batch gave. ``right``: the results of the right submissions between the hostile ones."""

    results: dict = field(default_factory=dict)
    right: list = field(default_factory=list)
    canaries: list[str] = field(default_factory=list)
    strangers: list = field(default_factory=list)
    folder: Path | None = None
    before: dict = field(default_factory=dict)
    after: dict = field(default_factory=dict)


@pytest.fixture(scope="module", params=["bubblewrap", "process"])
def batch(request, tmp_path_factory):
    """Run everything once. Canaries: in the environment, in a file of the grader's, in a neighbour's submission."""
    if request.param == "bubblewrap":
        needs_bubblewrap()
    folder = tmp_path_factory.mktemp("class")
    done = Batch(folder=folder, canaries=[f"CANARY{secrets.token_hex(8)}" for _ in range(3)])
    (folder / "gradebook.csv").write_text(done.canaries[1])
    neighbour = (FOLDER / "truth_right_loop.py").read_text(encoding="utf-8") + f"\n# {done.canaries[2]}\n"
    (folder / "neighbour.py").write_text(neighbour)
    done.before = _state(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", done.canaries[0])
        patch.setenv("CANARY", done.canaries[0])
        before = _namespaces() | _own_processes()
        with Sandbox(SMALL, mode=request.param, hidden=[folder]) as box, ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda number: _one(done, box, number, neighbour), range(len(HOSTILE))))
        deadline = time.monotonic() + 5  # the kernel takes a moment to end a namespace
        while (strangers := _strangers(before)) and time.monotonic() < deadline:
            time.sleep(0.1)
        done.strangers = sorted(strangers)
    done.after = _state(folder)
    return request.param, done


def _one(done: Batch, box: Sandbox, number: int, neighbour: str) -> None:
    hostile = HOSTILE[number]
    weather = load_scenario("weather-one-call")
    jobs = (
        [Play(weather, 3)]
        if hostile.outcomes == ("timed_out",)
        else [Play(weather, 3), Play(load_scenario("garden-week"), 4)]
    )
    done.results[hostile.path.name] = box.run(read_submission(hostile.path), jobs)
    if number % EVERY == 0:
        done.right.append(box.run(parse_submission("neighbour.py", neighbour.encode()), [Play(weather, 5)]))


def _strangers(before: set) -> set:
    """What runs now and did not before, without what tests in the other workers of this run have started."""
    return {one for one in (_namespaces() | _own_processes()) - before if not _of_another_worker(int(one[0]))}


def _of_another_worker(pid: int) -> bool:
    """Whether a process comes from a sister of this one. One that nobody is left of comes from init, and counts."""
    while pid > 1:
        parent = _parent(pid)
        if parent == os.getppid() > 1:
            return pid != os.getpid()
        pid = parent
    return False


def _parent(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])


def _namespaces() -> set:
    """Processes of this machine in a pid namespace that is not ours."""
    ours, found = os.readlink("/proc/self/ns/pid"), set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.readlink(f"/proc/{name}/ns/pid") != ours:
                    found.add((name, Path(f"/proc/{name}/cmdline").read_bytes()))
            except OSError:
                continue
    return found


def _own_processes() -> set:
    """Children of this process, and processes of the users that root lends to submissions."""
    found = set()
    for name in os.listdir("/proc"):
        try:
            status = dict(
                line.split(":", 1) for line in Path(f"/proc/{name}/status").read_text().splitlines() if ":" in line
            )
        except OSError:
            continue
        if int(status["Uid"].split()[0]) >= 1_900_000_000 or int(status["PPid"]) == os.getpid():
            found.add((name, status["Name"]))
    return found


def _state(folder: Path) -> dict:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _passes(result) -> list[bool]:
    return [
        one.transcript is not None
        and one.outcome == "finished"
        and judge(one.transcript, one.job.scenario, "loop").passed
        for one in result.jobs
    ]


def test_there_are_enough():
    assert len(HOSTILE) >= 40
    assert all(hostile.tries for hostile in HOSTILE)


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.path.stem)
def test_gets_what_it_must_get(batch, hostile):
    mode, done = batch
    result = done.results[hostile.path.name]
    assert _passes(result) == [hostile.passes] * len(result.jobs)
    outcomes = {one.outcome for one in result.jobs}
    assert "grader_fault" not in outcomes, [one.ending for one in result.jobs]
    if mode == "bubblewrap":  # weaker walls end some of them in other ways
        assert outcomes <= set(hostile.outcomes), [one.ending for one in result.jobs]


def test_neighbours_lose_nothing(batch):
    _, done = batch
    assert len(done.right) == -(-len(HOSTILE) // EVERY)
    assert all(_passes(result) == [True] for result in done.right)


def test_no_process_is_left(batch):
    _, done = batch
    assert done.strangers == []


def test_no_secret_in_any_output(batch):
    _, done = batch
    for name, result in done.results.items():
        texts = [result.output, repr(result.notes), repr(result.loading)]
        texts += [repr((one.ending, one.transcript and one.transcript.to_dict())) for one in result.jobs]
        assert not any(canary in text for canary in done.canaries for text in texts), name
        assert "CANARY" not in result.output, name


def test_no_scenario_and_no_solution_can_be_found(batch):
    _, done = batch
    found = done.results["read_fixtures.py"].output
    assert "FOUND" in found
    assert set(found.split("\n")) <= {"FOUND []", ""}, found[:2000]


def test_nothing_was_written(batch):
    mode, done = batch
    assert done.after == done.before
    assert not Path("/tmp/bomb").exists()
    assert not list(Path(tempfile.gettempdir()).glob(f"submission-{os.getpid()}-*")), "others run tests too"
