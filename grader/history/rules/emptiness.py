"""E: empty messages and texts, and how a history may end."""

from grader.history.examples import TASK, assistant, request, user
from grader.history.rule import found, rule


@rule(
    "E01",
    "empty-message",
    severity="refused",
    chapter=1,
    api="messages.{i}: all messages must have non-empty content except for the optional final assistant message",
    good=request(TASK, assistant("It is 12 C."), user("And tomorrow?")),
    bad=request(TASK, assistant("It is 12 C."), user()),
    sources=("recorded: two requests with an empty user message were answered 400", "published probe: the rule counts merged user turns"),
)
def empty_message(conversation):
    """A message must say something: its content may be neither an empty string nor an empty list.

    User messages in a row count as one. The API itself can return a reply with `content: []`; appended to the history, it breaks the
    next request.

    Leave an empty reply out, and don't send a list of results that has no result in it.
    """
    for message in _empty_messages(conversation):
        saw = f"The {message.role} message is empty: its content is {message.data['content']!r}."
        yield found(message.place, saw, "Leave this message out, or put something in it.")


def _empty_messages(conversation):
    last = conversation.messages[-1] if conversation.messages else None
    for turn in conversation.turns:
        if turn.role == "user" and not turn.blocks and turn.readable:
            yield turn.messages[0]
        if turn.role == "assistant":
            yield from (m for m in turn.messages if m.readable and not m.blocks and m is not last)
        if turn.role == "system":
            yield from (m for m in turn.messages if m.readable and not m.blocks and not m.data.get("output_config"))
