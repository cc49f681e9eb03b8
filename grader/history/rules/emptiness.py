"""E: empty messages and texts, and how a request may end."""

from grader.history.examples import TASK, assistant, call, request, result, text, user
from grader.history.models import allows_prefill
from grader.history.rule import found, rule

_OLDER = "claude-haiku-4-5"  # a model that lets you begin its answer


@rule(
    "E01",
    "empty-message",
    severity="refused",
    chapter=1,
    api="messages.{i}: all messages must have non-empty content except for the optional final assistant message",
    good=request(TASK, assistant("It is 12 C."), user("And tomorrow?")),
    bad=request(TASK, assistant("It is 12 C."), user()),
    sources=("recorded: two requests with an empty user message were answered 400", "published probe"),
)
def empty_message(conversation):
    """A message says something: its content is neither an empty string nor an empty list.

    User messages in a row count as one. The API itself can return a reply with `content: []`; appended to the history,
    it breaks the next request.

    Leave an empty reply out, and don't send a list of results that has no result in it.
    """
    for message in _empty(conversation):
        saw = f"The {message.role} message is empty: its content is {message.data['content']!r}."
        yield found(message.place, saw, "Leave this message out, or put something into it.")


def _empty(conversation):
    last = conversation.messages[-1] if conversation.messages else None
    for turn in conversation.turns:
        if turn.role == "user" and not turn.blocks and turn.readable:
            yield turn.messages[0]
        elif turn.role in ("assistant", "system"):
            hollow = (message for message in turn.messages if message.readable and not message.blocks)
            for message in hollow:
                is_end = message is last and turn.role == "assistant"  # E04 and E06 look at the end
                if not is_end and not message.data.get("output_config"):
                    yield message


@rule(
    "E02",
    "empty-text",
    severity="refused",
    chapter=1,
    api="messages: text content blocks must be non-empty",
    good=request(TASK, assistant(call()), user(result())),
    bad=request(TASK, assistant(text(""), call()), user(result())),
    sources=("many public issues",),
)
def empty_text(conversation):
    """A text block has text in it.

    The API can return an empty text block, and then refuses to take it back.

    Leave out text blocks whose `text` is empty, also those of a reply.
    """
    for block in conversation.of_type("text"):
        if block.data.get("text") == "" and not block.data.get("cache_control"):  # with a cache mark: C02
            yield found(block.place, "This text block is empty.", "Leave the block out.")


@rule(
    "E03",
    "blank-text",
    severity="refused",
    chapter=1,
    api="messages: text content blocks must contain non-whitespace text",
    good=request(TASK, assistant(text(" "), call()), user(result())),
    bad=request(TASK, assistant("\n\n"), user("Go on.")),
    sources=("public issues", "recorded: a blank text beside other blocks of an assistant message is accepted"),
)
def blank_text(conversation):
    """Text in a user message is more than spaces and line breaks, and so is an assistant message as a whole.

    A blank text beside other blocks of an assistant message is accepted.

    Leave blank texts out. Strip what a user typed before you send it.
    """
    for turn in conversation.turns:
        if turn.role == "user":
            blank = [block for block in turn.blocks if _is_blank(block)]
        elif turn.role == "assistant" and turn.blocks and all(_is_blank(block) for block in turn.blocks):
            blank = [] if _is_prefill_anyway(turn, conversation) else turn.blocks[:1]
        else:
            blank = []
        for block in blank:
            yield found(block.place, f"This text is only white space: {block.data['text'][:20]!r}.", "Leave it out.")


def _is_blank(block):
    text = block.text("text") if block.type == "text" else None
    return bool(text) and text.isspace()


def _is_prefill_anyway(turn, conversation):
    """The model takes no assistant message at the end at all: E04 says so."""
    return conversation.is_request and turn is conversation.turns[-1] and not allows_prefill(conversation.model)


def _final_reply(conversation):
    """The assistant turn that ends a request, unless the API was asked to go on with a turn that it had paused.

    A paused turn is sent back as it is. It holds calls of server tools, and may end in one, in a result, or in a
    compaction.
    """
    turn = conversation.turns[-1] if conversation.turns else None
    if not (conversation.is_request and turn and turn.role == "assistant" and turn.readable):
        return None
    types = {block.type for block in turn.blocks}
    return None if types & {"server_tool_use", "mcp_tool_use", "compaction"} else turn


@rule(
    "E04",
    "prefill",
    severity="refused",
    chapter=3,
    api="This model does not support assistant message prefill. The conversation must end with a user message.",
    good=request(TASK, assistant("It is"), model=_OLDER),
    bad=request(TASK, assistant("It is")),
    sources=("recorded traffic", "documentation", "published probe"),
)
def prefill(conversation):
    """A request ends with a user message.

    Models up to 4.5 took an assistant message at the end as the beginning of their answer (prefill); from 4.6 on they
    refuse it. A turn that stopped with `pause_turn` is the exception: it is sent back as it is.

    When the model has ended its turn, there is nothing to send. Ask again only after the user has said something.
    """
    turn = _final_reply(conversation)
    if turn and not allows_prefill(conversation.model) and _ends_in_words(turn):
        saw = f"The last message is the assistant's, and {conversation.model} wants a user message there."
        yield found(
            turn.messages[-1].place, saw, "End with a user message, or don't send the request: the turn is over."
        )


def _ends_in_words(turn):
    """Calls, results and thinking at the end are named by rules of their own; unknown blocks may be a pause."""
    return not turn.blocks or turn.blocks[-1].type in (
        "text",
        "image",
        "document",
        "search_result",
        "redacted_thinking",
    )


@rule(
    "E05",
    "prefill-trailing-space",
    severity="refused",
    chapter=3,
    api="messages: final assistant content cannot end with trailing whitespace",
    good=request(TASK, assistant("The answer is ("), model=_OLDER),
    bad=request(TASK, assistant("The answer is "), model=_OLDER),
    sources=("many public issues",),
)
def prefill_trailing_space(conversation):
    """Where a request may end with the assistant's words, they don't end with a space or a line break.

    The model goes on right behind the last character, and a space there splits a token.

    Strip the end of the text: `text.rstrip()`.
    """
    turn = _final_reply(conversation)
    block = turn.blocks[-1] if turn and turn.blocks else None
    if block and block.type == "text" and allows_prefill(conversation.model):
        words = block.text("text") or ""
        if words[-1:].isspace() and not words.isspace():
            yield found(block.place, f"The last text ends with {words[-1]!r}.", "Strip the end of the text.")


@rule(
    "E06",
    "empty-reply-kept",
    severity="harmful",
    chapter=7,
    good=[TASK, assistant("It is 12 C.")],
    bad=[TASK, assistant()],
    sources=(
        "recorded: 40 replies with an empty content",
        "it follows from empty-message: the next request is refused",
    ),
)
def empty_reply_kept(conversation):
    """An empty reply does not belong into the history.

    The API may end a turn with `content: []`. As the last message it does no harm yet; with the next user message
    behind it, the request is refused.

    Append a reply only when it has content.
    """
    last = conversation.messages[-1] if conversation.messages else None
    if last and not conversation.is_request and last.role == "assistant" and last.readable and not last.blocks:
        yield found(last.place, "The list ends with an empty assistant message.", "Leave the empty reply out.")
