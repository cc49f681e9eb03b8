"""R, second part: messages with the role system."""

from grader.history.examples import TASK, assistant, call, request, result, user
from grader.history.models import allows_system_role
from grader.history.rule import found, rule
from grader.history.turns import ROLES

_SOURCES = ("recorded: 50 accepted requests on newer models", "published probe")
_BLOCKS = ("text", "tool_addition", "tool_removal")


def system(content) -> dict:
    return {"role": "system", "content": content}


@rule(
    "R08",
    "system-role-unsupported",
    severity="refused",
    chapter=3,
    api="role 'system' is not supported on this model",
    good=request(TASK, system("Answer in French.")),
    bad=request(TASK, system("Answer in French."), model="claude-haiku-4-5"),
    sources=_SOURCES,
)
def system_role_unsupported(conversation):
    """Only newer models take messages with the role `system`: opus-4-8, sonnet-5, fable-5, opus-5 and later ones.

    The system prompt itself is no message on any model. It is the parameter `system` of the request.

    Use the parameter `system`, or say it in a user message.
    """
    if allows_system_role(conversation.model):
        return
    for turn in conversation.turns:
        if turn.role == "system":
            saw = f"This message has the role system, and {conversation.model} does not take it."
            yield found(turn.messages[0].place, saw, "Use the parameter `system` of the request.")


@rule(
    "R09",
    "system-role-misplaced",
    severity="refused",
    chapter=3,
    good=request(TASK, assistant(call()), user(result()), system("Answer in French.")),
    bad=request(system("You are helpful."), TASK),
    sources=_SOURCES,
)
def system_role_misplaced(conversation):
    """A system message stands behind a user message, and before an assistant message or at the end.

    It may also follow an assistant message that ends in the result of a server tool. It can't be first: what the model
    shall know from the beginning is the parameter `system`.

    Move a first system message to the parameter `system`, and a later one behind the user's message.
    """
    if not allows_system_role(conversation.model):
        return
    turns = conversation.turns
    for k, turn in enumerate(turns):
        if turn.role != "system":
            continue
        before = turns[k - 1] if k else None
        after = turns[k + 1] if k + 1 < len(turns) else None
        if before is None or not _may_precede(before):
            saw = (
                "The list begins with a system message."
                if before is None
                else "This system message follows an assistant message."
            )
            yield found(turn.messages[0].place, saw, _help(before), api=_MUST_FOLLOW)
        elif after and after.role == "user":
            saw = "A user message stands behind this system message."
            yield found(
                turn.messages[0].place, saw, "Put the system message behind the user messages.", api=_MUST_PRECEDE
            )


_MUST_FOLLOW = (
    "messages.{i}: role 'system' must follow a 'user' message "
    "or an 'assistant' message ending in a server tool result; "
    "use the top-level `system` parameter for the initial system prompt."
)
_MUST_PRECEDE = "messages.{i}: role 'system' must precede an 'assistant' message or end the array"


def _may_precede(turn):
    if turn.role == "assistant" and turn.readable:
        last = turn.blocks[-1].type if turn.blocks else ""
        return last is None or last.endswith("_tool_result")
    return turn.role not in ROLES or turn.role == "user" or not turn.readable


def _help(before):
    if before is None:
        return "Use the parameter `system` of the request for the system prompt."
    return "Put the system message behind a user message."


@rule(
    "R10",
    "system-content",
    severity="refused",
    chapter=3,
    api="{at}: Input tag '{type}' found using 'type' does not match any of the expected tags: "
    "'text', 'tool_addition', 'tool_removal'",
    good=request(TASK, system([{"type": "text", "text": "Answer in French."}])),
    bad=request(
        TASK, system([{"type": "document", "source": {"type": "text", "data": "Notes", "media_type": "text/plain"}}])
    ),
    sources=("published probe", "SDK types; the text follows the API's usual wording for a wrong type"),
)
def system_content(conversation):
    """A system message holds text, or the blocks that add and remove tools.

    Results, images and documents come from the user's side.

    Put other blocks into a user message.
    """
    for turn in conversation.turns:
        for block in turn.blocks if turn.role == "system" else ():
            if block.type is not None and block.type not in _BLOCKS:
                saw = f"A `{block.type}` block stands in a system message."
                yield found(block.place, saw, "Put it into a user message.", type=block.type)
