"""What a function that repairs a history keeps, and one that makes it shorter."""

from grader.history import lint
from grader.history.models import MODEL
from grader.history.plain import plain
from grader.judging.exercises.arguments import Calls, build
from grader.judging.exercises.properties.declare import holds
from grader.judging.exercises.properties.histories import histories, open_ids
from grader.judging.pieces import pieces

NEXT = {"role": "user", "content": "Please go on."}


def _broken():
    """Histories with open calls, in the middle and at the end, each reply and each answer in one message. In some of
    them the replies are the client's objects, as a loop has them."""
    from hypothesis import strategies as st

    return st.builds(_as_a_loop_has_it, histories(split=False).filter(open_ids), st.booleans())


def _as_a_loop_has_it(messages: list, objects: bool) -> tuple[list]:
    if not objects:
        return (messages,)
    return (
        [
            {**message, "content": [build({"$block": block}, Calls()) for block in message["content"]]}
            if message["role"] == "assistant" and isinstance(message["content"], list)
            else message
            for message in messages
        ],
    )


def _whole():
    """Histories without an open call. Some end with the model's last word."""
    from hypothesis import strategies as st

    last = st.sampled_from(([], [{"role": "assistant", "content": "All is in order."}]))
    return st.builds(lambda messages, end: messages + end, histories(open_calls=False, split=False), last)


def _trimmable():
    """A whole history, each turn in one message, and how many of its last messages are to be kept."""
    from hypothesis import strategies as st

    return st.tuples(histories(open_calls=False, split=False), st.integers(1, 8))


@holds(
    "answers-open-calls",
    title="any history with open calls",
    strategy=_broken,
    help="Add one error result for each open call, in front of the user turn right after it. Change nothing else.",
)
def answers_open_calls(arguments, result):
    """``repair(messages)`` can be sent, holds all that was there in its order, and answers what was open."""
    messages = plain(arguments[0])[0]
    if fault := _no_history(result):
        return fault
    result = plain(result)[0]
    return _lost(messages, result) or _refused(result) or _wrong_additions(messages, result)


@holds(
    "leaves-whole-histories",
    title="any history without open calls",
    strategy=lambda: _whole().map(lambda messages: (messages,)),
    help="Where every call has its result there is nothing to repair: return the same messages.",
)
def leaves_whole_histories(arguments, result):
    """``repair(messages)`` of a history without an open call equals it."""
    (messages,) = arguments
    if fault := _no_history(result):
        return fault
    result = plain(result)[0]
    if pieces(result) == pieces(messages) and len(result) == len(messages):
        return None
    changed = f"Nothing was open in these {len(messages)} messages. {_count(result)} came back, not the same ones."
    return _lost(messages, result) or changed


@holds(
    "trims-between-pairs",
    title="any history, cut anywhere",
    strategy=_trimmable,
    help="Step back from the cut until the first message of the rest holds no results.",
)
def trims_between_pairs(arguments, result):
    """``trimmed(messages, keep)``: the first message and the last ``keep``, and as few more as keep pairs together."""
    messages, keep = arguments
    if fault := _no_history(result):
        return fault
    result, wanted = plain(result)[0], messages[:1] + messages[_cut(messages, keep) :]
    if result == wanted:
        return None
    asked = f"The last {keep} of {len(messages)} messages were to stay, beside the first"
    if result[:1] != messages[:1]:
        return f"{asked}. The first message, the task, is missing or changed."
    rest = result[1:]
    if rest != messages[len(messages) - len(rest) :]:
        return f"{asked}. What came back behind the first message is not the end of the history, unchanged."
    if len(rest) < min(keep, len(messages) - 1):
        return f"{asked}. {_count(rest)} stayed."
    if refusal := _refusal(result):
        return f"{asked}. The API refuses what came back: {refusal.saw}"
    return f"{asked}. {_count(rest)} stayed; {len(wanted) - 1} are enough to keep every call with its results."


def _cut(messages: list, keep: int) -> int:
    """The last index not after the asked one at which no result would be parted from its call."""
    at = max(1, len(messages) - keep)
    while at > 1 and _refusal(messages[:1] + messages[at:]):
        at -= 1
    return at


def _no_history(result) -> str | None:
    if not isinstance(result, list) or not all(isinstance(message, dict) for message in result):
        kind = "None (is there a return?)" if result is None else f"a {type(result).__name__}"
        return f"The function returned {kind}; it should return a list of messages."
    return None


def _refusal(messages: list):
    """Why the API refuses the messages with a next one of the user's, or None."""
    found = lint({"model": MODEL, "messages": [*messages, NEXT]})
    return next((violation for violation in found if violation.severity == "refused"), None)


def _refused(messages: list) -> str | None:
    if refusal := _refusal(messages):
        return f"With the user's next message behind it, the API refuses this at {refusal.where}: {refusal.saw}"
    harmful = next((v for v in lint(messages) if v.severity == "harmful"), None)
    return f"The API would take what came back, but at {harmful.where} it harms: {harmful.saw}" if harmful else None


def _lost(before: list, after: list) -> str | None:
    """What was there before and is not there any more, in the same order."""
    left = iter(pieces(after))
    for piece in pieces(before):
        if not any(piece == other for other in left):
            return f"The {piece.type} block at {piece.where} is missing in what came back, or changed, or moved."
    return None


def _wrong_additions(before: list, after: list) -> str | None:
    there = pieces(before)
    added = [piece for piece in pieces(after) if piece not in there]
    opened = open_ids(before)
    for piece in added:
        if piece.type != "tool_result" or piece.block.get("tool_use_id") not in opened:
            return f"A {piece.type} block was added that answers no open call."
        if piece.block.get("is_error") is not True:
            id = piece.block["tool_use_id"]
            return f"The result for {id} lacks is_error: True. The model has to know that it was not run."
    if len(pieces(after)) != len(there) + len(opened):
        return f"{len(opened)} calls were open; {len(pieces(after)) - len(there)} blocks were added."
    return None


def _count(messages: list) -> str:
    return f"{len(messages)} message{'' if len(messages) == 1 else 's'}"
