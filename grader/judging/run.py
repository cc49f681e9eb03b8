"""One play of a scenario, read turn by turn: what the loop was told, what it then did, what would have been right.

The rules in ``grader/judging/rules`` look at a ``Run``; they never look at the transcript's raw exchanges.
"""

import itertools
from dataclasses import dataclass, field
from functools import cached_property

from grader.history import lint
from grader.judging.answers import Answer, answers
from grader.judging.contract import DEFAULT_LIMITS, GATE_STATUSES, LEVELS, Bookkeeper, Decision
from grader.judging.pieces import Piece, calls_in, canonical, pieces


@dataclass
class Step:
    """One request of the loop (with the SDK's own retries) and what came of it.

    ``outcome``: "reply", "error" (for good), "broken" (a stream that broke), "refused" or "after_end". ``reply`` is the whole
    message where there is one, ``decision`` what is right after it, ``served`` the tool runs that the loop made before its next request.
    ``tries``: how often it was sent, the SDK's retries included.
    """

    index: int
    exchange: object
    outcome: str
    history: list[Piece]
    reply: dict | None = None
    decision: Decision | None = None
    served: list = field(default_factory=list)
    tries: int = 1

    @property
    def content(self) -> list[Piece]:
        """The reply's content, as pieces of an assistant turn."""
        blocks = self.reply.get("content") or [] if self.reply else []
        return [Piece("assistant", canonical(block)) for block in blocks]

    @property
    def calls(self) -> list[dict]:
        return calls_in(self.reply.get("content")) if self.reply else []


@dataclass
class Sequel:
    """What a loop made of one reply: the history after it, cut into what was there, the reply, and what follows it.

    ``broken_at``: index of the first piece that is not as it was before the reply (None: all there). ``kept``: "whole", "changed"
    (thinking that stands behind the rest is a change too), "without_thinking" or "left_out". ``tail``: the pieces behind the reply.
    """

    history: list[Piece]
    broken_at: int | None
    kept: str
    tail: list[Piece]
    odd: int | None = None

    @property
    def results(self) -> list[Piece]:
        return [piece for piece in self.tail if piece.type == "tool_result"]


class Run:
    """A transcript beside its scenario, judged at ``level``."""

    def __init__(self, transcript, scenario, level: str, play: int = 1):
        """``play``: 1 for the first play of a scenario, 2 and on for its further plays (see ``Transcript.later``)."""
        self.transcript, self.scenario, self.level, self.play = transcript, scenario, level, play
        self.chapter = LEVELS[level]
        self.gated = self.chapter >= LEVELS["gates"]
        self.resumable = self.chapter >= LEVELS["resume"]

    @cached_property
    def steps(self) -> list[Step]:
        """The loop's requests in order; a retry by the SDK belongs to the request that it retries."""
        groups: list[list] = []
        for exchange in self.transcript.exchanges:
            if groups and exchange.retry > 0:
                groups[-1].append(exchange)
            else:
                groups.append([exchange])
        books = Bookkeeper(self.transcript.limits, self.gated)
        found = [self._step(i, group, books) for i, group in enumerate(groups)]
        self._hand_out_runs(groups, found)
        return found

    def _step(self, i: int, group: list, books: Bookkeeper) -> Step:
        last = group[-1]
        step = Step(i, last, last.kind, pieces(last.request.get("messages")), tries=len(group))
        if last.kind == "reply":
            step.reply = last.reply
            step.decision = books.after(last.reply, sum(exchange.takes_s for exchange in group))
        return step

    def _hand_out_runs(self, groups: list[list], steps: list[Step]) -> None:
        home = {exchange.index: step for group, step in zip(groups, steps, strict=True) for exchange in group}
        for run in self.transcript.runs:
            if run.after in home:
                home[run.after].served.append(run)

    def next_step(self, step: Step) -> Step | None:
        return self.steps[step.index + 1] if step.index + 1 < len(self.steps) else None

    @property
    def answered(self) -> list[Step]:
        """The steps that got a reply."""
        return [step for step in self.steps if step.outcome == "reply"]

    @property
    def last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    @cached_property
    def returned(self) -> list[Piece] | None:
        """The returned messages as pieces; None when nothing that could be read came back."""
        claim = self.transcript.claim
        return pieces(claim.messages) if claim is not None and isinstance(claim.messages, list) else None

    def sequel(self, step: Step) -> Sequel | None:
        """What the loop made of ``step``'s reply, seen in its next request, or else in the messages that it returned."""
        after = self.next_step(step)
        if after is not None:
            return compare(step.history, step.content, after.history)
        return compare(step.history, step.content, self.returned) if self.returned is not None else None

    @cached_property
    def sequels(self) -> list[tuple[Step, Sequel]]:
        """Each reply with what the loop sent next; the returned messages are not among them (see ``returned_sequel``)."""
        pairs = [(step, self.sequel(step)) for step in self.answered if self.next_step(step) is not None]
        return [(step, sequel) for step, sequel in pairs if sequel is not None]

    @cached_property
    def returned_sequel(self) -> tuple[Step, Sequel] | None:
        """The last reply with what the returned messages made of it; None when the run did not end with a reply and a return."""
        if self.last is None or self.last.outcome != "reply" or self.returned is None:
            return None
        return self.last, self.sequel(self.last)

    @cached_property
    def answers(self) -> list[Answer]:
        """Every call with its tool runs and its results."""
        return answers(self)

    @property
    def status(self) -> str | None:
        """The status that the loop returned."""
        return self.transcript.claim.status if self.transcript.claim else None

    @property
    def statuses(self) -> frozenset[str]:
        """The statuses that are right where the run ended; empty where none is (it had to go on, or the end was not its own)."""
        if self.last is None:
            return frozenset()
        if self.last.outcome in ("error", "broken"):
            return frozenset({"api_error"})
        return self.last.decision.statuses if self.last.decision else frozenset()

    @property
    def gate_claimed(self) -> bool:
        """Whether the returned status is that of a gate, where no gate was closed."""
        step = self.last
        if self.status not in GATE_STATUSES or step is None or step.outcome != "reply":
            return False
        return not step.decision.closed and self.status not in step.decision.statuses

    def limit_of(self, gate: str) -> str:
        """A gate's limit for people, such as ``max_turns=10``."""
        key = {"timeout": "timeout_s", "repeated_call": "max_repeats"}.get(gate, gate)
        return f"{key}={(DEFAULT_LIMITS | self.transcript.limits)[key]}"

    @cached_property
    def _ends_in_pause(self) -> bool:
        """Whether the returned messages end in an open pause, with or without the results of its calls. The request after it may have
        failed, or its reply may have been left out."""
        said = list(self.returned or [])
        while said and said[-1].type == "tool_result":
            said.pop()
        pauses = [step.content for step in self.answered if step.reply.get("stop_reason") == "pause_turn"]
        return any(content and said[-len(content) :] == content for content in pauses)

    @cached_property
    def faults_of_returned(self) -> list:
        """What the history rules say of the returned messages, with the user's next one behind them (an open pause has none)."""
        messages = list(self.transcript.claim.messages)
        if not self._ends_in_pause:
            messages.append({"role": "user", "content": "Go on."})
        request = {**self.steps[-1].exchange.request, "messages": messages} if self.steps else {"messages": messages}
        replies = [step.reply["content"] for step in self.answered]
        return lint(request, replies=replies)

    def function_known(self, name: str) -> bool:
        """Whether the loop was given a function of this name."""
        tools = [*self.scenario.tools, *self.scenario.extra_functions]
        return name in {tool.name for tool in tools} - set(self.scenario.missing_functions)


def compare(before: list[Piece], reply: list[Piece], after: list[Piece]) -> Sequel:
    """Cut ``after`` into the history before a reply, the reply and the rest; say where it is not as it should be."""
    same = 0
    while same < len(before) and same < len(after) and before[same] == after[same]:
        same += 1
    if same < len(before):
        return Sequel(after, same, "unknown", [])
    rest = after[len(before) :]
    return _cut_reply(after, reply, rest)


def _cut_reply(after: list[Piece], reply: list[Piece], rest: list[Piece]) -> Sequel:
    if rest[: len(reply)] == reply:
        return Sequel(after, None, "whole", rest[len(reply) :])
    speaking = [piece for piece in reply if piece.type not in ("thinking", "redacted_thinking")]
    if speaking and rest[: len(speaking)] == speaking and not _thinks(rest[len(speaking) :]):
        return Sequel(after, None, "without_thinking", rest[len(speaking) :], 0)
    own = 0
    while own < len(rest) and rest[own].role == "assistant":
        own += 1
    if own == 0:
        return Sequel(after, None, "left_out", rest)
    odd = next((i for i in range(own) if i >= len(reply) or rest[i] != reply[i]), own)
    return Sequel(after, None, "changed", rest[own:], odd)


def _thinks(behind: list[Piece]) -> bool:
    """Whether the assistant's turn goes on with thinking: it was moved there, not dropped."""
    own = itertools.takewhile(lambda piece: piece.role == "assistant", behind)
    return any(piece.type in ("thinking", "redacted_thinking") for piece in own)
