"""Simpler plans than a given one, the greatest cuts first.

Hypothesis could shrink too. It shrinks the coin tosses that a plan was drawn from, and takes thousands of plays to see
that a turn can go; here the parts of a plan are known by name, and a hundred plays do.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from grader.judging.fuzz.catalogue import outcomes_at
from grader.judging.fuzz.plan import Break, Call, Gate, Plan, Turn

_SIMPLE_END = Turn("end_turn", text="Done: {nonce:end}.")
_SIMPLE_OUTCOME = outcomes_at("loop")[0]
_SIMPLE_CALL = Call("look", _SIMPLE_OUTCOME)


def shrink(plan: Plan, fails: Callable[[Plan], bool]) -> Plan:
    """The simplest plan for which ``fails`` is still true, by cuts of one thing at a time until none can be made."""
    tried = {repr(plan)}
    while True:
        for simpler in simpler_plans(plan):
            if repr(simpler) not in tried:
                tried.add(repr(simpler))
                if fails(simpler):
                    plan = simpler
                    break
        else:
            return plan


def simpler_plans(plan: Plan) -> Iterator[Plan]:
    """Every plan that is simpler than ``plan`` in one respect."""
    for start, length in _spans(len(plan.turns)):
        yield replace(plan, turns=plan.turns[:start] + plan.turns[start + length :])
    if plan.end != _SIMPLE_END:
        yield replace(plan, end=_SIMPLE_END)
    for i, gate in enumerate(plan.gates):
        yield replace(plan, gates=plan.gates[:i] + plan.gates[i + 1 :])
        for simpler in _simpler_gates(gate):
            yield replace(plan, gates=(*plan.gates[:i], simpler, *plan.gates[i + 1 :]))
    for key, plainest in (("hang", -1), ("runs", 1), ("coroutines", False)):
        if getattr(plan, key) != plainest:
            yield replace(plan, **{key: plainest})
    for i, turn in enumerate(plan.turns):
        for simpler in _simpler_turns(turn, stops=False):
            yield replace(plan, turns=(*plan.turns[:i], simpler, *plan.turns[i + 1 :]))
    if isinstance(plan.end, Turn):
        yield from (replace(plan, end=simpler) for simpler in _simpler_turns(plan.end, stops=True))
    if isinstance(plan.end, Break):
        yield from (
            replace(plan, end=replace(plan.end, turn=one)) for one in _simpler_turns(plan.end.turn, stops=False)
        )


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """(start, length) of what may be cut out of so many: the longest first."""
    for length in range(count, 0, -1):
        yield from ((start, length) for start in range(count - length + 1))


def _simpler_gates(gate: Gate) -> Iterator[Gate]:
    if gate.beyond:
        yield replace(gate, beyond=0)
    if gate.at > 1:
        yield replace(gate, at=gate.at - 1)


def _simpler_turns(turn: Turn, *, stops: bool) -> Iterator[Turn]:
    """``stops``: the run ends with this reply, so it needs no call. One that goes on needs one, or an open search."""
    least = 0 if stops or turn.search == "open" else 1
    for start, length in _spans(len(turn.calls)):
        if len(turn.calls) - length >= least:
            yield replace(turn, calls=turn.calls[:start] + turn.calls[start + length :])
    if not stops and turn.reason != "tool_use":
        yield replace(turn, reason="tool_use", search="", calls=turn.calls or (_SIMPLE_CALL,))
    for key, plainest in (("thinking", ()), ("cached", False), ("failures", ()), ("cut_json", False)):
        if getattr(turn, key) != plainest:
            yield replace(turn, **{key: plainest})
    if len(turn.thinking) > 1:
        yield replace(turn, thinking=turn.thinking[:1])
    if turn.search == "answered":
        yield replace(turn, search="")
    if turn.text and (turn.calls or turn.search):
        yield replace(turn, text="")
    for i, call in enumerate(turn.calls):
        for simpler in _simpler_calls(call):
            yield replace(turn, calls=(*turn.calls[:i], simpler, *turn.calls[i + 1 :]))


def _simpler_calls(call: Call) -> Iterator[Call]:
    if call == _SIMPLE_CALL:
        return
    yield _SIMPLE_CALL
    if call.again > 1:
        yield replace(call, again=1)
    if call.outcome != _SIMPLE_OUTCOME and not call.again:
        yield replace(call, outcome=_SIMPLE_OUTCOME)
    if call.fault:
        yield replace(call, fault="")
    if call.tool != "look" and not call.again:
        yield replace(call, tool="look")
