"""The replies of a scenario, one after the other, made fresh as they are given."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from grader.replay.fresh import Fresh
from grader.replay.scenario import ErrorReply, EventsReply, MessageReply, Scenario
from grader.replay.stream import events_of, is_whole, message_of


@dataclass
class Step:
    """What one request gets: an HTTP error, or a message with the events of its stream."""

    takes_s: float
    message: dict | None = None
    scripted_events: list[dict] | None = None
    cut: bool = False
    error: dict | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @cached_property
    def events(self) -> list[dict]:
        """The events that were scripted, or else the message's own."""
        return events_of(self.message) if self.scripted_events is None else self.scripted_events

    @property
    def whole(self) -> bool:
        """Whether the reply arrives whole, streamed or not."""
        return self.scripted_events is None or (is_whole(self.scripted_events) and not self.cut)

    def set_model(self, model: str) -> None:
        """Let the reply name the model that was asked for."""
        if self.message:
            self.message["model"] = model
        for event in self.scripted_events or []:
            if event["event"] == "message_start":
                event["data"]["message"]["model"] = model


class Script:
    """What the requests of a run get, in order."""

    def __init__(self, scenario: Scenario, fresh: Fresh):
        self._fresh = fresh
        self._replies: list[MessageReply | ErrorReply | EventsReply] = []
        for reply in scenario.replies:
            self._replies += [reply] * (reply.times if isinstance(reply, ErrorReply) else 1)
        self._repeats_last = scenario.repeat_last
        self._given = 0

    def __len__(self) -> int:
        return len(self._replies)

    @property
    def left(self) -> int:
        """How many replies were not asked for yet."""
        return max(0, len(self._replies) - self._given)

    def next(self) -> Step | None:
        """What the next request gets; None when the script has ended."""
        repeat = max(0, self._given - len(self._replies) + 1)
        if repeat and not self._repeats_last:
            return None
        reply = self._replies[min(self._given, len(self._replies) - 1)]
        self._given += 1
        return self._step(reply, repeat)

    def _step(self, reply: MessageReply | ErrorReply | EventsReply, repeat: int) -> Step:
        if isinstance(reply, ErrorReply):
            error = {"type": reply.error.type, "message": self._fresh.apply(reply.error.message)}
            return Step(reply.takes_s, error=error, status=reply.error.status, headers=reply.headers)
        if isinstance(reply, EventsReply):
            events = self._fresh.apply(reply.events)
            return Step(reply.takes_s, message_of(events), events, reply.cut)
        return Step(reply.takes_s, self._fresh.apply(reply.message, repeat))
