"""R, first part: is it a history at all, and are its messages messages?"""

from grader.history.conversation import describe
from grader.history.examples import TASK, assistant, request, user
from grader.history.plain import UNSENDABLE
from grader.history.rule import found, rule
from grader.history.turns import ROLES, Place

_SHAPE = ("published probe", "recorded traffic")
_KEYS = {"role", "content"}
_SYSTEM_KEYS = _KEYS | {"clear_at", "output_config"}  # beta, SDK types


@rule(
    "R01",
    "not-a-history",
    severity="refused",
    chapter=1,
    good=request(TASK),
    bad={"prompt": "What is the weather in Oslo?"},
    sources=_SHAPE,
)
def not_a_history(conversation):
    """A history is a list of messages, or a request that holds one in `messages`.

    A single message, a whole reply or a text is none.

    Put the message into a list: `messages = [message]`.
    """
    if conversation.misfit:
        help = 'Give a list of messages, or an object like {"messages": [...]}.'
        yield found("history", conversation.misfit.saw, help, api=conversation.misfit.api)


@rule(
    "R02",
    "no-messages",
    severity="refused",
    chapter=1,
    api="messages: at least one message is required",
    good=request(TASK),
    bad=request(),
    sources=_SHAPE,
)
def no_messages(conversation):
    """There is at least one message.

    The API keeps nothing between requests: whatever the model shall know has to be in the list.

    Begin with the task as a user message.
    """
    if not conversation.messages and not conversation.misfit:
        yield found(
            Place("messages"), "The list of messages is empty.", "Begin with a user message that holds the task."
        )


@rule(
    "R03",
    "message-not-object",
    severity="refused",
    chapter=1,
    api="messages.{i}: Input should be an object",
    good=request(TASK),
    bad=request("What is the weather in Oslo?"),
    sources=_SHAPE,
)
def message_not_object(conversation):
    """Each message is an object with a role and a content.

    A bare string has no role, and a list inside the list is no message.

    Write `{"role": "user", "content": "..."}`.
    """
    for message in conversation.messages:
        if not isinstance(message.data, dict) and message.data is not UNSENDABLE:
            saw = f"This message is {describe(message.data)}."
            yield found(message.place, saw, 'Write it as {"role": ..., "content": ...}.')


@rule(
    "R04",
    "message-key-missing",
    severity="refused",
    chapter=1,
    api="messages.{i}.{key}: Field required",
    good=request(TASK),
    bad=request({"role": "user"}),
    sources=_SHAPE,
)
def message_key_missing(conversation):
    """Each message has a `role` and a `content`.

    The role says who speaks, the content what is said.

    Add the key that is missing.
    """
    for message in _of_known_role(conversation):
        for key in ("role", "content"):
            if key not in message.data and not (key == "content" and message.data.get("output_config")):
                yield found(message.place, f"This message has no `{key}`.", f"Add `{key}` to the message.", key=key)
                break


@rule(
    "R05",
    "message-content-shape",
    severity="refused",
    chapter=1,
    api="messages.{i}.content: Input should be a valid list",
    good=request(user({"type": "text", "text": "Hello"})),
    bad=request(user(), {"role": "user", "content": {"type": "text", "text": "Hello"}}),
    sources=_SHAPE,
)
def message_content_shape(conversation):
    """The content of a message is a string or a list of blocks.

    A single block needs the list around it. `None` is what other APIs use for "only calls"; here the calls are blocks
    in the list.

    Write `"content": [block]`.
    """
    for message in _of_known_role(conversation):
        content = message.data.get("content", UNSENDABLE)
        if not message.readable and content is not UNSENDABLE and not _foreign_keys(message):
            saw = f"The content of this message is {describe(content)}."
            yield found(message.place, saw, "Make it a string or a list of blocks.")


@rule(
    "R06",
    "message-extra-key",
    severity="refused",
    chapter=1,
    api="messages.{i}.{key}: Extra inputs are not permitted",
    good=request(TASK, assistant("It is 12 C."), user("Thank you.")),
    bad=request(TASK, {"id": "msg_01", "stop_reason": "end_turn", **assistant("It is 12 C.")}, user("Thank you.")),
    sources=_SHAPE,
)
def message_extra_key(conversation):
    """A message has no other keys than `role` and `content`.

    A reply has many more (`id`, `model`, `usage`, ...), and the API does not take them back. `tool_calls`,
    `tool_call_id` and `name` belong to another API.

    Append `{"role": "assistant", "content": reply.content}`, not the whole reply.
    """
    for message in _of_known_role(conversation):
        keys = _foreign_keys(message)
        if keys and message.data.keys() >= _KEYS:  # else R04: the words may stand under another key
            saw = f"This message has keys that don't belong there: {', '.join(keys)}."
            yield found(message.place, saw, "Keep `role` and `content` only.", key=keys[0])


@rule(
    "R07",
    "unknown-role",
    severity="refused",
    chapter=1,
    api='messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"',
    good=request(TASK),
    bad=request(TASK, {"role": "tool", "content": "12 C"}),
    sources=("published probe", "public issues"),
)
def unknown_role(conversation):
    """The role of a message is `user` or `assistant`; newer models also take `system` inside the list.

    `tool` and `function` are roles of another API. Here a result is a block in a user message.

    Send results as `{"role": "user", "content": [{"type": "tool_result", ...}]}`.
    """
    for message in conversation.messages:
        role = message.data.get("role", UNSENDABLE) if isinstance(message.data, dict) else UNSENDABLE
        if role is not UNSENDABLE and role not in ROLES:
            shown = role if isinstance(role, str) else describe(role)
            help = "Use `user` or `assistant`."
            if shown in ("tool", "function"):
                help = "Put the output into a `tool_result` block of a user message."
            yield found(message.place, f"This message has the role {shown!r}.", help, role=shown)


def _of_known_role(conversation):
    """Messages that are objects and whose role, if they have one, is known: R07 speaks about the others."""
    for message in conversation.messages:
        if isinstance(message.data, dict) and ("role" not in message.data or message.role in ROLES):
            yield message


def _foreign_keys(message):
    allowed = _SYSTEM_KEYS if message.role == "system" else _KEYS
    return [key for key in message.data if key not in allowed]
