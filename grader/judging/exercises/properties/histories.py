"""Histories that are drawn, and what the functions that read them must keep."""

from grader.history.conversation import read
from grader.judging.exercises.properties.declare import holds

_WORDS = ("Let me see.", "One moment.", "And now?", "Thank you.")


def histories(
    *, open_calls: bool = True, thinking: bool = True, parallel: bool = True, split: bool = True, late: bool = False
):
    """A hypothesis strategy of message lists, as dicts that are ready to be sent.

    ``open_calls``: some calls have no result, in the middle or at the end. ``thinking``: replies may hold thinking. ``parallel``: up to
    three calls a reply. ``split``: one turn may stand in several messages of the same role, which the API reads as one. ``late``:
    results of open calls may come in a later user turn, where they answer nothing. Without ``open_calls`` the API takes every list.
    """
    from hypothesis import strategies as st

    @st.composite
    def draw_history(draw):
        messages = [{"role": "user", "content": "Look after the shop."}]
        numbers, owed = iter(range(1, 100)), []
        rounds = 0
        while rounds < 3 and draw(
            st.integers(0, 3)
        ):  # asked before each round: so a round that says nothing can be shrunk away
            rounds += 1
            ids = [f"call_{next(numbers)}" for _ in range(draw(st.integers(0, 3 if parallel else 1)))]
            messages += _reply(draw, st, ids, thinking, split)
            answered = [id for id in ids if not (open_calls and draw(st.integers(0, 3)) == 3)]
            order = draw(st.permutations(answered))
            extra = [owed.pop(0)] if late and owed and draw(st.booleans()) else []
            messages += _answer(draw, st, [*order, *extra], split)
            owed += [id for id in ids if id not in answered]
        if open_calls and messages[-1]["content"] in _WORDS and draw(st.booleans()):
            messages.pop()
        return messages

    return draw_history()


def _reply(draw, st, ids, thinking, split) -> list[dict]:
    blocks = []
    if thinking and ids and draw(st.booleans()):
        blocks.append({"type": "thinking", "thinking": "The shelf first.", "signature": "Eo8BCkYIDBgC"})
    if not ids or draw(st.booleans()):
        blocks.append({"type": "text", "text": draw(st.sampled_from(_WORDS))})
    blocks += [{"type": "tool_use", "id": id, "name": "look", "input": {}} for id in ids]
    if not ids and draw(st.booleans()):
        return [{"role": "assistant", "content": blocks[0]["text"]}]
    return _in_messages(
        draw, st, "assistant", blocks, split and not any(block["type"] == "thinking" for block in blocks)
    )


def _answer(draw, st, ids, split) -> list[dict]:
    blocks = [{"type": "tool_result", "tool_use_id": id, "content": "7"} for id in ids]
    if not blocks:
        return [{"role": "user", "content": draw(st.sampled_from(_WORDS))}]
    return _in_messages(draw, st, "user", blocks, split)


def _in_messages(draw, st, role, blocks, split) -> list[dict]:
    cut = draw(st.integers(0, len(blocks) - 1)) if split else 0
    return [{"role": role, "content": part} for part in (blocks[:cut], blocks[cut:]) if part]


def open_ids(messages) -> list[str]:
    """The ids of the calls that the next (merged) user turn does not answer, in the order of the calls."""
    return [block.text("id") for round in read(messages).rounds for block in round.open]


@holds(
    "finds-open-calls",
    title="the open calls of any history",
    strategy=lambda: histories(late=True).map(lambda messages: (messages,)),
    help="A call is answered when its result stands in the user turn right after it; messages of one role in a row are one turn.",
)
def finds_open_calls(arguments, result):
    """``unanswered(messages)`` returns the list of the ids of all open calls, in the order of the calls."""
    (messages,) = arguments
    if not isinstance(result, list):
        return f"The function returned a {type(result).__name__}; it should return a list of ids."
    truth = open_ids(messages)
    missed = [id for id in truth if id not in result]
    if missed:
        return f"{missed[0]} is not in what came back ({result}). {_why_open(messages, missed[0])}"
    extra = [id for id in result if id not in truth]
    if extra:
        return f"{extra[0]} is in what came back ({result}), but {_why_not_open(messages, extra[0])}"
    return (
        None
        if result == truth
        else f"The function returned {result}; in the order of the calls, each once, it is {truth}."
    )


def _why_open(messages, id) -> str:
    late = next(iter(_places(messages, "tool_result", "tool_use_id", id)), None)
    if late is not None:
        return f"Its result comes too late, in messages[{late}]: the model has spoken in between."
    return "No result has this id."


def _why_not_open(messages, id) -> str:
    if not _places(messages, "tool_use", "id", id):
        return "no call has this id."
    place = _places(messages, "tool_result", "tool_use_id", id)[0]
    return f"its result is in messages[{place}], in the user turn right after the call."


def _places(messages, type, key, id) -> list[int]:
    return [
        i
        for i, message in enumerate(messages)
        if isinstance(message["content"], list)
        and any(block["type"] == type and block[key] == id for block in message["content"])
    ]
