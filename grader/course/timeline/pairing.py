"""Which result answers which call: by id, between merged turns, as the API pairs them.

Source: facts.md sections 0, 1 and 5: neighbours of one role are one turn; the results of a turn's calls stand in the
next turn; a server tool's result stands in the same turn or opens the next assistant turn.
"""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    """A call or a result: the row it stands in, the merged turn it belongs to, its id."""

    row: int
    turn: int
    ident: str | None
    server: bool


def pair(calls: list[Party], results: list[Party]) -> dict[int, tuple[int, bool]]:
    """Row of a call -> (row of its result, in time). A call that is not in it is open; an id in two turns pairs
    within its own.

    Both lists come in the order of their rows. Two passes: an answer in time goes to its own call before an open call
    elsewhere may claim it as a late one.
    """
    found = {}
    by_turn = _queues(results, lambda result: (result.ident, result.server, result.turn))
    for call in calls:
        for distance in (0, 1, 2) if call.server else (1,):
            answer = _next_after(call, by_turn.get((call.ident, call.server, call.turn + distance)))
            if answer is not None:
                found[call.row] = (answer.row, True)
                break
    taken = {row for row, _ in found.values()}
    late = _queues((r for r in results if r.row not in taken), lambda result: (result.ident, result.server))
    for call in calls:
        if call.row not in found:
            answer = _next_after(call, late.get((call.ident, call.server)), later_turn=True)
            if answer is not None:
                found[call.row] = (answer.row, False)
    return found


def _queues(results, key) -> dict[tuple, deque]:
    queues: dict[tuple, deque] = {}
    for result in results:
        if result.ident is not None:
            queues.setdefault(key(result), deque()).append(result)
    return queues


def _next_after(call: Party, queue: deque | None, later_turn: bool = False) -> Party | None:
    """The first result below the call, on demand in a later turn. Calls come in order, so a result that stands too far
    up for this one is of no use to a later one."""
    while queue:
        result = queue.popleft()
        if result.turn > call.turn if later_turn else result.row > call.row:
            return result
    return None


def lanes(spans: list[tuple[int, int]], most: int) -> list[tuple[int, bool]]:
    """(lane, shared) for each (first row, last row), in the order of first rows: the innermost lane that is free all
    the way.

    Where more than ``most`` would be needed, the outermost takes all the rest, and is shared.
    """
    busy_to: list[int] = []
    chosen = []
    for first, last in spans:
        lane = next((i for i, busy in enumerate(busy_to) if busy < first), len(busy_to))
        busy_to[lane : lane + 1] = [last]
        chosen.append(lane)
    crowded = len(busy_to) > most
    return [(min(lane, most - 1), crowded and lane >= most - 1) for lane in chosen]
