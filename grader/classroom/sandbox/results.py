"""What a run in the sandbox gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grader.classroom.sandbox.outcome import Ending
from grader.replay.transcript import Crash, Transcript


@dataclass(frozen=True)
class Isolation:
    """How a submission is kept apart. ``name``: "bubblewrap" (namespaces), "process" (Linux without them) or "plain" (a
    fresh
    interpreter). ``walls``: what a process said that stands, before any learner code ran in it. ``forks``: whether
    submissions are
    forks of a zygote (fast) or fresh interpreters. ``why_not_stronger``: what was tried first and did not work, or
    empty.
    """

    name: str
    walls: tuple[str, ...] = ()
    forks: bool = True
    why_not_stronger: str = ""

    @property
    def is_sandbox(self) -> bool:
        """Whether it holds against malice, not only against accidents."""
        return self.name == "bubblewrap"


@dataclass(frozen=True)
class Play:
    """Play a scenario to the submission's function of this name. ``scenario``: a Scenario. ``limits``: None for the
    scenario's own.
    ``coroutines``: the function is ``async def`` (see ``Player``).
    """

    scenario: Any
    seed: int
    function: str = "run_agent"
    limits: dict | None = None
    coroutines: bool = False


@dataclass(frozen=True)
class Call:
    """Call a function of the submission with plain data."""

    function: str
    args: tuple = ()
    kwargs: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Value:
    """Read a variable of the submission."""

    name: str


@dataclass(frozen=True)
class Look:
    """What is under a name: a value, or a function with its signature. The result's ``data`` is
    ``guest.asking.look``'s.
    """

    name: str


@dataclass(frozen=True)
class Ask:
    """Call a function with arguments that ``values.Arguments`` described: SDK objects, scripted functions, folders,
    plain data.

    ``seconds``: its deadline. ``trace``: also measure the memory that it takes. ``props``: what plays the functions; with ``watch`` it is
    told when nothing moves any more, and the call can be cancelled (``Props.cancel``). The result's ``data`` is
    ``guest.asking.ask``'s.
    """

    function: str
    arguments: Any
    seconds: float
    trace: bool = False
    props: Any = None
    watch: bool = False


Job = Play | Call | Value | Look | Ask


@dataclass
class JobResult:
    """How one job ended.

    ``transcript``: for a Play, the evidence, with the claim or the crash filled in, as ``grader.replay.play`` makes it;
    None when the
    function was missing, the run was never begun or the grader failed. ``value``: for a Call or Value that came back;
    ``data``: for a
    Look or Ask. ``crash``: the exception that left a called function. Crash, claim, value and data are the submission's
    own words.
    """

    job: Job
    ending: Ending
    transcript: Transcript | None = None
    value: Any = None
    data: dict = field(default_factory=dict)
    crash: Crash | None = None
    missing: bool = False
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        return self.ending.outcome


@dataclass
class SubmissionResult:
    """One submission, all its jobs.

    ``loading``: how the run of its cells ended. ``notes``: statements that failed there, ``{"cell", "line", "type",
    "message", "kind"}``.
    ``output``: what it printed, cut. All texts in it are a stranger's. ``cpu_s``: CPU seconds of its processes.
    """

    name: str
    isolation: Isolation
    loading: Ending
    notes: list[dict] = field(default_factory=list)
    jobs: list[JobResult] = field(default_factory=list)
    output: str = ""
    cpu_s: float = 0.0
    seconds: float = 0.0
