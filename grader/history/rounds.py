"""Which result answers which call: an assistant turn, and the user turn right after it."""

from dataclasses import dataclass

from grader.history.turns import Block, Turn


@dataclass(slots=True)
class Round:
    """``assistant`` and ``user`` stand next to each other; one of them is missing at the edges of a history."""

    assistant: Turn | None
    user: Turn | None
    follower: Turn | None  # whatever stands after the assistant turn
    calls: list[Block]
    results: list[Block]

    @property
    def ids(self) -> set[str]:
        return {call.text("id") for call in self.calls} - {None}

    @property
    def answers(self) -> list[Block]:
        """The results that answer a call of this round."""
        ids = self.ids
        return [result for result in self.results if result.text("tool_use_id") in ids]


def pair(spoken: list[Turn]) -> list[Round]:
    """All rounds that hold a call or a result, in order. ``spoken`` are the merged turns without those of the role system."""
    found = []
    for k, turn in enumerate(spoken):
        before = spoken[k - 1] if k else None
        after = spoken[k + 1] if k + 1 < len(spoken) else None
        if turn.role == "user":
            round = Round(before if before and before.role == "assistant" else None, turn, turn, [], [])
        elif turn.role == "assistant" and not (after and after.role == "user"):
            round = Round(turn, None, after, [], [])
        else:
            continue
        round.calls = [block for block in round.assistant.blocks if block.type == "tool_use"] if round.assistant else []
        round.results = [block for block in round.user.blocks if block.type == "tool_result"] if round.user else []
        if round.calls or round.results:
            found.append(round)
    return found
