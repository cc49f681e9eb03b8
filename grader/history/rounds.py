"""Which result answers which call: an assistant turn, and the user turn right after it."""

from collections import Counter
from functools import cached_property

from grader.history.turns import Block, Turn


class Round:
    """An assistant turn and the user turn right after it; one of them is None at the edges of a history.

    ``follower`` is whatever stands after the assistant turn. ``calls`` and ``results`` are the blocks of client tools.
    """

    def __init__(self, assistant: Turn | None, user: Turn | None, follower: Turn | None):
        self.assistant = assistant
        self.user = user
        self.follower = follower
        self.calls = [block for block in assistant.blocks if block.type == "tool_use"] if assistant else []
        self.results = [block for block in user.blocks if block.type == "tool_result"] if user else []

    @cached_property
    def ids(self) -> set[str]:
        """The ids of the calls."""
        return {call.text("id") for call in self.calls} - {None}

    @cached_property
    def open(self) -> list[Block]:
        """The calls that no result of this round answers."""
        answered = {result.text("tool_use_id") for result in self.results}
        return [call for call in self.calls if call.text("id") is not None and call.text("id") not in answered]

    @cached_property
    def answers(self) -> list[Block]:
        """The results that answer a call, in order."""
        ids = self.ids
        return [result for result in self.results if result.text("tool_use_id") in ids]

    @cached_property
    def strays(self) -> list[Block]:
        """The results that answer no call: no id, or one that no call has."""
        ids = self.ids
        return [result for result in self.results if result.text("tool_use_id") not in ids]

    @cached_property
    def repeats(self) -> list[Block]:
        """Further results for an id that has one already. An id that two calls share is the fault of the calls."""
        shared = {id for id, number in Counter(call.text("id") for call in self.calls).items() if number > 1}
        seen: set = set(shared)
        found = []
        for result in self.answers:
            id = result.text("tool_use_id")
            if id in seen and id not in shared:
                found.append(result)
            seen.add(id)
        return found


def pair(spoken: list[Turn]) -> list[Round]:
    """All rounds that hold a call or a result, in order. ``spoken`` are the merged turns without system messages."""
    found = []
    for k, turn in enumerate(spoken):
        before = spoken[k - 1] if k else None
        after = spoken[k + 1] if k + 1 < len(spoken) else None
        if turn.role == "user":
            round = Round(before if before and before.role == "assistant" else None, turn, turn)
        elif turn.role == "assistant" and not (after and after.role == "user"):
            round = Round(turn, None, after)
        else:
            continue
        if round.calls or round.results:
            found.append(round)
    return found
