"""Hypothesis strategies for plans.

All choices are made of coin tosses. Hypothesis mixes numbers and texts that it finds in the modules of the process
into what it draws of integers and texts: draws would then depend on what else was imported. Coins depend on the seed
alone.
"""

from hypothesis import strategies as st

from grader.judging.fuzz.catalogue import (
    FINAL,
    RETRIED,
    TRIES,
    ends_at,
    known,
    outcomes_at,
    reasons_at,
    thinking_at,
    tools_at,
)
from grader.judging.fuzz.plan import Break, Call, Failure, Gate, Plan, Turn

_TEXTS = ("Some words.", "", "\n\nWords with white space around.\n")
_MOST_TURNS, _MOST_CALLS = 5, 4


def pick(draw, options):
    """One of ``options``."""
    options = list(options)
    index = 0
    for _ in range((len(options) - 1).bit_length()):
        index = 2 * index + draw(st.booleans())
    return options[index % len(options)]


def rarely(draw, halvings: int) -> bool:
    """True once in two to the power of ``halvings``."""
    return all(draw(st.booleans()) for _ in range(halvings))


@st.composite
def plans(draw, level: str) -> Plan:
    """A conversation with what ``level`` knows, and nothing that only a later one knows."""
    turns = tuple(draw(st.lists(_turns(level), max_size=_MOST_TURNS)))
    end = draw(_ends(level))
    gates, hang = (), -1
    if known(level, "gates"):
        gates = tuple(draw(st.lists(_gates(len(turns) + 1), max_size=2, unique_by=lambda gate: gate.limit)))
        hang = pick(draw, (0, 1)) if rarely(draw, 5) else -1
    runs = 2 if rarely(draw, 4) else 1
    return Plan(level, turns, end, gates, hang, runs, known(level, "resume") and rarely(draw, 3))


@st.composite
def _turns(draw, level: str) -> Turn:
    """A reply from which the loop goes on."""
    reason = pick(draw, [*["tool_use"] * 3, *reasons_at(level)])
    paused = reason == "pause_turn"
    search = "open" if paused else ("answered" if known(level, "stop_reasons") and rarely(draw, 4) else "")
    return Turn(
        reason,
        thinking=_thinking(draw, level),
        text=pick(draw, _TEXTS),
        search=search,
        calls=() if paused and not rarely(draw, 1) else _calls(draw, level),
        cached=known(level, "gates") and rarely(draw, 2),
        failures=(*pick(draw, RETRIED), pick(draw, (1, 2))) if known(level, "gates") and rarely(draw, 4) else (),
    )


def _thinking(draw, level: str) -> tuple[str, ...]:
    return pick(draw, thinking_at(level)) if rarely(draw, 1) else ()


def _calls(draw, level: str) -> tuple[Call, ...]:
    first, most = draw(_call(level)), _MOST_CALLS - 1 if known(level, "parallel") else 0
    return (first, *(draw(st.lists(_call(level), max_size=most)) if most else ()))


@st.composite
def _call(draw, level: str) -> Call:
    if rarely(draw, 2):
        return Call("look", {}, again=pick(draw, (1, 2)))
    tool = pick(draw, tools_at(level)) if rarely(draw, 1) else "look"
    fault = pick(draw, ("missing", "extra", "type")) if known(level, "errors") and rarely(draw, 3) else ""
    outcomes = outcomes_at(level)
    return Call(tool, outcomes[0] if rarely(draw, 2) else pick(draw, outcomes), fault)


@st.composite
def _ends(draw, level: str):
    """What ends the conversation."""
    if known(level, "gates") and rarely(draw, 3):
        return draw(_breaks(level)) if rarely(draw, 1) else pick(draw, _failures())
    reason, holds = ("end_turn", "text") if rarely(draw, 2) else pick(draw, ends_at(level))
    thinking = _thinking(draw, level) if holds in ("text", "text+call", "call") else ()
    calls = _calls(draw, level) if "call" in holds else ()
    return Turn(
        reason,
        thinking=("said",) if holds == "thinking" else thinking,
        text={"text": "Done: {nonce:end}.", "text+call": "I go on.", "blank": "\n\n"}.get(holds, ""),
        calls=calls,
        cut_json=bool(calls) and reason == "max_tokens" and known(level, "resume") and draw(st.booleans()),
    )


def _failures() -> list[Failure]:
    last = [Failure(status, kind, TRIES) for status, kind in RETRIED]
    return [Failure(status, kind, 1) for status, kind in FINAL] + last


@st.composite
def _breaks(draw, level: str) -> Break:
    turn = Turn("tool_use", text="I look.", thinking=_thinking(draw, level), calls=_calls(draw, level))
    return Break(turn, after=pick(draw, range(1, 9)), says=draw(st.booleans()))


@st.composite
def _gates(draw, replies: int) -> Gate:
    limit = pick(draw, ("max_turns", "max_repeats", "token_budget", "timeout_s"))
    return Gate(limit, pick(draw, range(1, replies + 1)), pick(draw, (0, 0, 1, -1)))
