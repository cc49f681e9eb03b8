"""What contract.md says a right loop does after each reply: go on, or stop, and with which status.

Pure functions of the replies so far. Where the contract leaves room, the answer holds every right reading.
"""

import json
from dataclasses import dataclass

from grader.judging.pieces import calls_in

LEVELS = {"loop": 3, "pairing": 4, "parallel": 5, "errors": 6, "stop_reasons": 7, "gates": 8, "resume": 9}
DEFAULT_LIMITS = {"max_turns": 10, "token_budget": 200_000, "timeout_s": 300, "tool_timeout_s": 30, "max_repeats": 3}
GATE_STATUSES = ("max_turns", "token_budget", "timeout", "repeated_call")
STOPPED = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")


@dataclass(frozen=True)
class Decision:
    """What is right after one reply.

    ``go_on``: another request is right. ``statuses``: with these the loop may return (none: it must go on). ``keep``: the reply is
    appended "must", "may" or "never". ``run``: its calls are run "all", "any" or "none". ``closed``: gates that close here.
    ``repeated``: ids of the calls that were asked for once too often.
    """

    go_on: bool
    statuses: frozenset[str]
    keep: str = "must"
    run: str = "all"
    closed: tuple[str, ...] = ()
    repeated: frozenset[str] = frozenset()


class Bookkeeper:
    """Counts what the gates count, reply by reply, and says what is right after each one."""

    def __init__(self, limits: dict, gated: bool):
        """``limits``: those that the loop was given; the contract's defaults fill the rest. ``gated``: gates are in force at all."""
        self.limits = DEFAULT_LIMITS | (limits or {})
        self.gated = gated
        self.requests = 0
        self.tokens = 0
        self.seconds = 0.0
        self.asked: dict[str, int] = {}

    def after(self, reply: dict, takes_s: float) -> Decision:
        """The right ways to go on after ``reply`` (a whole message), which took ``takes_s`` virtual seconds."""
        self.requests += 1
        self.tokens += tokens_of(reply.get("usage"))
        self.seconds += takes_s
        repeated = self._count_repeats(reply)
        closed = (("repeated_call",) if repeated else ()) + self.closed_gates()
        return decide(reply, closed, repeated)

    def closed_gates(self) -> tuple[str, ...]:
        """The gates that are closed before the next request."""
        if not self.gated:
            return ()
        reached = {
            "max_turns": self.requests >= self.limits["max_turns"],
            "token_budget": self.tokens >= self.limits["token_budget"],
            "timeout": self.seconds >= self.limits["timeout_s"],
        }
        return tuple(gate for gate, closed in reached.items() if closed)

    def _count_repeats(self, reply: dict) -> frozenset[str]:
        repeated = set()
        for call in calls_in(reply.get("content")):
            key = json.dumps([call.get("name"), call.get("input")], sort_keys=True)
            self.asked[key] = self.asked.get(key, 0) + 1
            if self.gated and self.asked[key] >= self.limits["max_repeats"]:
                repeated.add(call.get("id"))
        return frozenset(repeated)


def tokens_of(usage: dict | None) -> int:
    """All tokens of one reply: input with both cache counts, plus output (facts: usage)."""
    counts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    return sum((usage or {}).get(key) or 0 for key in counts)


def decide(reply: dict, closed: tuple[str, ...], repeated: frozenset[str]) -> Decision:
    """The right ways to go on after one reply, given the gates that close behind it."""
    reason, content = reply.get("stop_reason"), reply.get("content") or []
    calls = calls_in(content)
    keep = "must" if can_be_sent_back(content) else "never"
    if reason == "pause_turn":
        return Decision(not closed, frozenset(closed), keep, "any" if closed else "all", closed, repeated)
    if reason == "tool_use" and calls:
        return Decision(not closed, frozenset(closed), keep, "any" if closed else "all", closed, repeated)
    if reason == "end_turn" and calls:
        return Decision(not closed, frozenset(closed) | {"done"}, keep, "any", closed, repeated)
    if reason == "end_turn":
        return Decision(False, frozenset({"done"}), keep, "none", closed)
    if reason == "tool_use":
        return Decision(False, frozenset({"done", "tool_use"}), "may" if keep == "must" else keep, "none", closed)
    return Decision(False, frozenset({str(reason)}), "may" if keep == "must" else keep, "none", closed)


def can_be_sent_back(content: list) -> bool:
    """Whether a reply's content may stand in a history: not empty, not blank text alone, not ending in thinking alone."""
    speaking = [
        block
        for block in content
        if block.get("type") not in ("thinking", "redacted_thinking")
        and not (block.get("type") == "text" and not str(block.get("text", "")).strip())
    ]
    return bool(speaking)
