"""What the arithmetic of a run keeps: its bill, and a history with its cache mark."""

from grader.history.plain import plain
from grader.judging.exercises.properties.declare import holds
from grader.judging.exercises.properties.histories import histories
from grader.judging.pieces import number, pieces


def _runs():
    """Turns, tokens of the first request, tokens that each turn adds: large enough to tell the usual mistakes apart."""
    from hypothesis import strategies as st

    return st.tuples(st.integers(4, 60), st.integers(100, 5_000), st.integers(10, 3_000))


@holds(
    "sums-each-request",
    title="any run",
    strategy=_runs,
    help="Request 1 carries start, request 2 start + growth, request 3 start + 2 * growth, and so on. Add them all up.",
)
def sums_each_request(arguments, result):
    """``bill(turns, start, growth)`` is the sum of all requests, each of which carries all turns before it."""
    turns, start, growth = arguments
    truth = turns * start + growth * turns * (turns - 1) // 2
    if type(result) not in (int, float):
        kind = "None (is there a return?)" if result is None else f"a {type(result).__name__}"
        return f"The function returned {kind}; it should return a number."
    if result == truth:
        return None
    known = {
        start + (turns - 1) * growth: "That is the last request alone, not all of them.",
        turns * start
        + growth
        * turns
        * (turns + 1)
        // 2: "That has one growth too many in each request: the first one carries none.",
        turns * start
        + growth
        * (turns - 1): "That adds the growth once a turn, as if each request carried what is new and nothing else.",
        turns
        * (
            start + growth
        ): "That adds the growth once a turn, as if each request carried what is new and nothing else.",
    }
    return f"The function returned {number(result)}; it should return {truth}. {known.get(result, '')}".rstrip()


def _to_send():
    """Whole histories; most end with a user message, some with a reply that is sent back as it is, as after a pause."""
    from hypothesis import strategies as st

    last = st.sampled_from(
        ([{"role": "user", "content": "And now?"}], [{"role": "assistant", "content": "I go on."}], [])
    )
    return st.builds(lambda messages, end: (messages + end,), histories(open_calls=False), last)


@holds(
    "marks-the-last-user-block",
    title="any history",
    strategy=_to_send,
    help="Copy the list, and put a new message in the place of the last user message: the same content, "
    'with {"type": "ephemeral"} as cache_control of its last block.',
)
def marks_the_last_user_block(arguments, result):
    """``marked(messages)`` equals the history, apart from one mark: on the last block of the last user message."""
    (messages,) = arguments
    if not isinstance(result, list) or not all(isinstance(message, dict) for message in result):
        kind = "None (is there a return?)" if result is None else f"a {type(result).__name__}"
        return f"The function returned {kind}; it should return a list of messages."
    result = plain(result)[0]
    if len(result) != len(messages) or pieces(result) != pieces(messages):
        return f"{len(messages)} messages went in. Apart from the mark, what came back is not the same as they are."
    at = max(i for i, message in enumerate(messages) if message["role"] == "user")
    marks = [
        (i, j)
        for i, message in enumerate(result)
        for j, block in enumerate(_blocks(message))
        if block.get("cache_control")
    ]
    stray = [i for i, message in enumerate(result) if "cache_control" in message]
    if stray:
        return f"The mark stands in messages[{stray[0]}] itself. It belongs into a content block."
    wanted = (at, len(_blocks(result[at])) - 1)
    if wanted not in marks:
        seen = f"is in messages[{marks[0][0]}].content[{marks[0][1]}]" if marks else "is nowhere"
        place = f"messages[{wanted[0]}].content[{wanted[1]}]"
        return f"The mark {seen}; it should be in {place}, the last block of the last user message."
    if len(marks) > 1:
        return f"{len(marks)} blocks are marked. One is enough, and five are too many for the API."
    mark = _blocks(result[at])[-1]["cache_control"]
    return (
        None
        if isinstance(mark, dict) and mark.get("type") == "ephemeral"
        else f'The mark is {mark!r}; it should be {{"type": "ephemeral"}}.'
    )


def _blocks(message) -> list[dict]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
