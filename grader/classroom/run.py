"""A class run: find, grade what is not graded yet, write each result as it comes, then the books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.classroom import books
from grader.classroom.archives import BadArchive
from grader.classroom.assignment import Assignment, digest, grader_digest
from grader.classroom.attempts import Attempt, Roll, roll_of
from grader.classroom.cluster import ClusterCrew
from grader.classroom.collect import Collection, collect
from grader.classroom.crew import Crew, SandboxOptions
from grader.classroom.grade import FAULT, Task, fault
from grader.classroom.pages import write_page
from grader.classroom.store import Store

FORMAT = 2  # of what is stored: another one makes all results old


class NothingToGrade(Exception):
    """The folder holds no submission. The text says what it should hold."""


@dataclass
class Outcome:
    """What a run did. ``faults``: attempts that the grader itself failed on."""

    learners: int = 0
    graded: int = 0
    skipped: int = 0
    faults: int = 0
    isolation: str = ""
    seed: int = 0


def run_class(
    folder: Path,
    results: Path,
    assignment: Assignment,
    *,
    jobs: int | None = None,
    cluster: str = "",
    require_sandbox: bool = False,
    seed: int | None = None,
    one: str = "",
    watch: Callable[[str, int, int], Any] = lambda what, done, total: None,
) -> Outcome:
    """Grade a folder. ``one``: all its files are the work of the learner of this name. ``watch(what, done, total)`` is
    told of the progress.
    ``cluster``: the address of a Dask scheduler, whose workers grade; then ``jobs`` counts for nothing.

    Stop it at any moment, in any way: the same command goes on where it stopped. Raises OSError and BadArchive when
    the folder can't be read or the results can't be written, NothingToGrade, ResultsInUse, SandboxUnavailable,
    ClusterUnavailable.
    """
    if folder.resolve() == results.resolve():
        raise NothingToGrade(f"{folder} holds the submissions. Give another folder for the results as --out.")
    watch("reading", 0, 0)
    collection = collect(folder, one, without=results)
    if not collection.owners:
        raise NothingToGrade(_nothing_in(folder, collection))
    store = Store(results)
    with store.locked():
        store.claim(assignment.title)
        assignment = replace(assignment, seed=store.seed(seed))
        roll = roll_of(collection, assignment, digest(FORMAT, grader_digest(), require_sandbox))
        todo = [attempt for attempt in roll.all_attempts if not _is_done(store, attempt)]
        total = sum(len(attempts) for attempts in roll.attempts.values())
        outcome = Outcome(len(roll.owners), skipped=total - len(todo), seed=assignment.seed)
        options = SandboxOptions(require_sandbox, (folder.resolve(), results.resolve()))
        if todo:
            watch("starting", outcome.skipped, total)
            crew = ClusterCrew(options, cluster) if cluster else Crew(options, jobs_for(len(todo), jobs))
            _grade(todo, roll, store, crew, outcome, watch)
        watch("writing", total, total)
        books.write_all(store, roll, assignment)
    return outcome


def _nothing_in(folder: Path, collection: Collection) -> str:
    wanted = "a .py or .ipynb file a learner, a folder a learner, nbgrader's submitted/ tree, or a download of an LMS"
    said = "".join(f" {place}: {why}." for _, place, why in collection.left_out[:3])
    return f"There is nothing to grade in {folder}. It should hold {wanted}.{said}"


def jobs_for(tasks: int, asked: int | None) -> int:
    """How many processes are worth their start: it takes each one seconds to import the SDK. Never more than tasks."""
    import os

    return max(1, min(asked, tasks) if asked is not None else min(os.cpu_count() or 1, tasks // 20))


def _is_done(store: Store, attempt: Attempt) -> bool:
    known = store.read(attempt.learner).get("attempts", [])
    return any(one.get("key") == attempt.key and one.get("state") != FAULT for one in known)


def _grade(
    todo: list[Attempt], roll: Roll, store: Store, crew: Crew | ClusterCrew, outcome: Outcome, watch: Callable
) -> None:
    with crew:
        if crew.waits:
            watch("waiting for workers", outcome.skipped, outcome.skipped + len(todo))
        for attempt, result in crew.run(_tasks(todo, roll, store, outcome)):
            _keep(store, roll, attempt, result)
            outcome.graded += 1
            outcome.faults += result["state"] == FAULT
            outcome.isolation = crew.isolation
            watch("grading", outcome.skipped + outcome.graded, outcome.skipped + len(todo))


def _tasks(todo: list[Attempt], roll: Roll, store: Store, outcome: Outcome) -> Iterator[tuple[Attempt, Task]]:
    for attempt in todo:
        try:
            yield attempt, attempt.task()
        except (OSError, BadArchive) as error:  # it was there a moment ago
            _keep(store, roll, attempt, fault(f"The file can no longer be read: {error}", attempt.sheet))
            outcome.graded += 1
            outcome.faults += 1


def _keep(store: Store, roll: Roll, attempt: Attempt, result: dict) -> None:
    """Write a result into its learner's file. What is no longer handed in goes."""
    learner, handed = attempt.learner, attempt.handed
    mine = roll.attempts[learner]
    known = {
        one["key"]: one for one in store.read(learner).get("attempts", []) if isinstance(one, dict) and "key" in one
    }
    known[attempt.key] = {
        "key": attempt.key,
        "sheet": attempt.sheet.label,
        "file": handed.file,
        "place": handed.shown,
        "late": handed.owner.late,
        "content": attempt.content,
        **result,
    }
    owner = handed.owner
    store.write(
        learner,
        {
            "name": owner.name,
            "lms": owner.lms,
            "lms_id": owner.lms_id,
            "attempts": [known[one.key] for one in mine if one.key in known],
        },
    )
    write_page(store, learner)
