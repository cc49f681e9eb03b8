"""What the grader saw of one run: the exchanges, the tool runs, and what the loop claimed at its end.

A transcript is plain data. Rules of the judging room read it; ``to_dict`` and ``from_dict`` carry it through JSON;
``essence`` is what two plays of the same run share, whatever the door, the style of the client and the time it took.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from grader.history import Violation


@dataclass
class Exchange:
    """One HTTP request that reached the player, and what the player answered.

    ``kind`` says what the answer was: ``reply`` (a whole message), ``error`` (a scripted HTTP error), ``refused``
    (what the API would refuse; it used up no reply), ``after_end`` (the script has nothing more to say) or ``broken``
    (a stream that never got whole; a request that wanted no stream gets an HTTP error in its place).
    """

    index: int
    request: dict
    status: int
    reply: dict | None = None  # the whole message, also when it was streamed; None unless kind is "reply"
    error: dict | None = None  # {"type", "message"}
    retry: int = 0  # x-stainless-retry-count: above 0 it is a retry of the SDK, not a turn
    kind: str = "reply"
    violations: list[Violation] = field(default_factory=list)
    at_s: float = 0.0  # virtual seconds at arrival: only scripted time and sleeps, no real time
    stream: bool = False
    takes_s: float = 0.0  # virtual seconds that the reply took


@dataclass
class ToolRun:
    """One run of a scripted tool. ``started`` and ``ended`` count the events of a run: they tell what overlapped."""

    index: int
    name: str
    input: dict
    after: int  # index of the last exchange answered before it started; -1: none
    outcome: str  # "returned" | "raised" | "unfit" (the input does not fit the signature) | "hung"
    output: Any = None
    error: dict | None = None  # {"type", "message"}
    started: int = 0
    ended: int | None = None  # None: still running when the loop returned
    waited_for: bool = False  # hung tools: the loop did nothing else until the player let the tool go


@dataclass
class Claim:
    """What the loop returned. ``raw_type`` names what came instead when it was not ``(status, messages)``."""

    status: str | None = None
    messages: list | None = None
    raw_type: str | None = None


@dataclass
class Crash:
    """The exception that left the loop, with the learner's own frames: (file, line, function, source line)."""

    type: str
    message: str
    frames: list[tuple[str, int, str, str]] = field(default_factory=list)


@dataclass
class Transcript:
    """All that is known about one run of a loop on one scenario."""

    scenario: str
    seed: int
    task: str
    tools: list  # as handed to the loop
    limits: dict
    exchanges: list[Exchange] = field(default_factory=list)
    runs: list[ToolRun] = field(default_factory=list)
    unused: int = 0  # replies never asked for
    claim: Claim | None = None
    crash: Crash | None = None
    timed_out: bool = False  # the loop had to be stopped: at the deadline, or because it would not stop asking
    capped: bool = False  # it asked so often after the script's end that the player stopped counting
    mutated: list[str] = field(default_factory=list)  # "tools", "functions": changed by the loop
    later: list[Transcript] = field(default_factory=list)  # the further runs, where a scenario has more than one

    def to_dict(self) -> dict:
        """The transcript as data that ``json.dumps`` takes."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> Transcript:
        """The transcript that ``to_dict`` made ``data`` of. Raises TypeError or KeyError on other data."""
        parts = dict(data)
        parts["exchanges"] = [
            Exchange(**{**one, "violations": [Violation(**found) for found in one["violations"]]})
            for one in data["exchanges"]
        ]
        parts["runs"] = [ToolRun(**one) for one in data["runs"]]
        parts["claim"] = data["claim"] and Claim(**data["claim"])
        if data["crash"]:
            frames = [tuple(frame) for frame in data["crash"]["frames"]]
            parts["crash"] = Crash(**{**data["crash"], "frames": frames})
        parts["later"] = [cls.from_dict(one) for one in data["later"]]
        return cls(**parts)

    def essence(self) -> dict:
        """Plain data to compare two plays by: without time, order among parallel tool runs, and the way in.

        The claim's messages are left out: SDK objects from a stream and from a plain call differ in null keys, and
        what counts is on the wire. Their number stays.
        """
        return {
            "scenario": self.scenario,
            "seed": self.seed,
            "task": self.task,
            "tools": self.tools,
            "limits": self.limits,
            "exchanges": [_essence_of_exchange(one) for one in self.exchanges],
            "runs": sorted((_essence_of_run(run) for run in self.runs), key=_sort_key),
            "unused": self.unused,
            "claim": self.claim and (self.claim.status, len(self.claim.messages or []), self.claim.raw_type),
            "crash": self.crash and (self.crash.type, self.crash.message),
            "timed_out": self.timed_out,
            "capped": self.capped,
            "mutated": self.mutated,
            "later": [one.essence() for one in self.later],
        }


def _essence_of_exchange(exchange: Exchange) -> dict:
    parts = {
        "request": {key: value for key, value in exchange.request.items() if key != "stream"},
        "retry": exchange.retry,
        "kind": exchange.kind,
        "violations": [violation.as_dict() for violation in exchange.violations],
    }
    if exchange.kind != "broken":  # a stream breaks off after a 200; a plain call gets an error status
        parts |= {"status": exchange.status, "reply": exchange.reply, "error": exchange.error}
    return parts


def _essence_of_run(run: ToolRun) -> dict:
    kept = ("name", "input", "after", "outcome", "output", "error", "waited_for")
    return {key: getattr(run, key) for key in kept}


def _sort_key(part: dict) -> str:
    return json.dumps(part, sort_keys=True, default=str)
