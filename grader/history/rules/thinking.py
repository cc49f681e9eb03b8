"""T: thinking blocks."""

from grader.history.examples import TASK, assistant, call, request, result, text, thinking, user
from grader.history.issued import changed_thinking, rewritten_past, unknown_signatures
from grader.history.models import binds_thinking
from grader.history.plain import UNSENDABLE
from grader.history.rule import found, rule

_THINKING = ("thinking", "redacted_thinking")
_ENABLED = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
_OTHER = "EoUCCkYIDBgC"
_REPLY = [thinking(), thinking("Oslo is in Norway.", _OTHER), call()]


@rule(
    "T01",
    "thinking-changed",
    severity="refused",
    chapter=4,
    api="messages.{i}.content.{j}: `thinking` or `redacted_thinking` blocks in the latest assistant message "
    "cannot be modified. "
    "These blocks must remain as they were in the original response.",
    good=request(TASK, assistant(*_REPLY), user(result())),
    bad=request(TASK, assistant(_REPLY[0], _REPLY[2]), user(result())),
    replies=[_REPLY],
    sources=("documentation on extended thinking", "public issues"),
)
def thinking_changed(conversation):
    """The thinking of the latest assistant turn goes back as it came: the same blocks, the same text, the same order.

    The signature covers the text. Shortening it, sorting the blocks or dropping some of several breaks it. This rule
    needs to know the reply, so it speaks only where a run is played.

    Append the whole content of a reply, in its order.
    """
    for block, saw in changed_thinking(conversation):
        yield found(block.place, saw, "Append the content of the reply as it came, with all its thinking blocks.")


@rule(
    "T02",
    "signature-missing",
    severity="refused",
    chapter=4,
    api="{at}.thinking.signature: Field required",
    good=request(TASK, assistant(thinking(), call()), user(result())),
    bad=request(TASK, assistant({"type": "thinking", "thinking": "Let me see."}, call()), user(result())),
    sources=("published probe", "public issues"),
)
def signature_missing(conversation):
    """A thinking block has its `signature`.

    In a stream the signature comes in a piece of its own (`signature_delta`); a reader that looks only for text loses
    it.

    Keep the signature, or leave the whole thinking block out.
    """
    for block in conversation.of_type("thinking"):
        signature = block.data.get("signature")
        is_there = signature is UNSENDABLE or (isinstance(signature, str) and signature != "")
        if is_there or (signature == "" and block.data.get("thinking") == ""):  # both empty: T04
            continue
        api = None if "signature" not in block.data else "{at}: Invalid `signature` in `thinking` block"
        yield found(block.place, "This thinking block has no signature.", "Send the block back as it came.", api=api)


@rule(
    "T03",
    "signature-unknown",
    severity="refused",
    chapter=4,
    api="{at}: Invalid `signature` in `thinking` block",
    good=request(TASK, assistant(thinking(), call()), user(result())),
    bad=request(TASK, assistant(thinking(signature="made-up"), call()), user(result())),
    replies=[[thinking(), call()]],
    sources=("published probe", "public issues"),
)
def signature_unknown(conversation):
    """The signature of a thinking block is one that the API gave, with the text that it gave it for.

    A signature can't be made up, and not be moved to another text. This rule needs to know the replies, so it speaks
    only where a run is played.

    Send thinking blocks back as they came, or leave them all out.
    """
    for block in unknown_signatures(conversation):
        saw = "The API never gave this signature for this thinking."
        api = None if block.type == "thinking" else "{at}: Invalid `data` in `redacted_thinking` block"
        yield found(block.place, saw, "Send the thinking block back as it came.", api=api)


@rule(
    "T04",
    "thinking-empty",
    severity="refused",
    chapter=4,
    api="{at}.thinking: each thinking block must contain thinking",
    good=request(TASK, assistant(thinking(words=""), call()), user(result())),
    bad=request(TASK, assistant(thinking(words="", signature=""), call()), user(result())),
    sources=("published probe",),
)
def thinking_empty(conversation):
    """The text and the signature of a thinking block are not both empty.

    An empty text with a signature is fine: that is how thinking comes when it is not shown.

    Leave the empty block out, or keep its signature.
    """
    for block in conversation.of_type("thinking"):
        if block.data.get("thinking") == "" and block.data.get("signature") == "":
            yield found(
                block.place, "This thinking block has neither text nor signature.", "Send the block back as it came."
            )


@rule(
    "T05",
    "ends-with-thinking",
    severity="refused",
    chapter=4,
    api="messages.{i}: The final block in an assistant message cannot be `thinking`.",
    good=request(TASK, assistant(thinking(), text("It is 12 C.")), user("Thank you.")),
    bad=request(TASK, assistant(thinking()), user("Go on.")),
    sources=("published probe", "public issues"),
)
def ends_with_thinking(conversation):
    """An assistant message does not end with thinking.

    A reply that was cut off while the model was thinking looks like this, and so does a turn from which an open call
    was removed.

    Leave such a reply out, or remove its thinking with the call.
    """
    for turn in conversation.turns:
        if turn.role == "assistant" and turn.blocks and turn.blocks[-1].type == "thinking":
            saw = "This assistant message ends with a thinking block."
            yield found(turn.blocks[-1].place, saw, "Leave the thinking out, or the whole reply.")


@rule(
    "T06",
    "turn-without-thinking",
    severity="refused",
    chapter=4,
    api="messages.{i}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{type}`. "
    "When `thinking` is enabled, a final `assistant` message must start with a thinking block",
    good=request(TASK, assistant(thinking(), call()), user(result()), **_ENABLED),
    bad=request(TASK, assistant(call()), user(result()), **_ENABLED),
    sources=("public issues", "recorded: 112 of 112 accepted requests keep it"),
)
def turn_without_thinking(conversation):
    """With `thinking.type: "enabled"`, the turn that tool results continue starts with thinking.

    With "adaptive" it need not. Older turns may go without.

    Keep the thinking blocks of the reply, or switch thinking off until the turn is over.
    """
    turns = _turns_of_the_tool_loop(conversation)
    firsts = [_first_block(turn) for turn in turns]
    if firsts and all(first and first.type not in _THINKING for first in firsts):
        first = firsts[-1]
        saw = f"Thinking is enabled, but the reply that these results continue starts with `{first.type}`."
        yield found(first.place, saw, "Send the reply back with its thinking blocks in front.", type=first.type)


def _turns_of_the_tool_loop(conversation):
    """The assistant turns since the user last spoke, when tool results continue them; the first may hold it."""
    if _thinking_type(conversation) != "enabled" or not conversation.spoken or conversation.spoken[-1].role != "user":
        return []
    found = []
    for turn in reversed(conversation.spoken):
        if turn.role == "assistant" and turn.blocks:
            found.append(turn)
        elif turn.role != "user" or not any(block.type == "tool_result" for block in turn.blocks):
            break
    return found[::-1]


def _first_block(turn):
    """The block that a turn starts with, or None when it starts with something that may stand before thinking."""
    block = turn.blocks[0] if turn.blocks else None
    return block if block and block.type in ("text", "tool_use", "server_tool_use", *_THINKING) else None


def _thinking_type(conversation):
    config = conversation.request.get("thinking")
    return config.get("type") if isinstance(config, dict) else None


@rule(
    "T07",
    "forced-tool-with-thinking",
    severity="refused",
    chapter=4,
    api="Thinking may not be enabled when tool_choice forces tool use.",
    good=request(TASK, thinking={"type": "adaptive"}, tool_choice={"type": "any"}),
    bad=request(TASK, tool_choice={"type": "any"}, **_ENABLED),
    sources=("public issues", "recorded: with adaptive thinking it is accepted"),
)
def forced_tool_with_thinking(conversation):
    """With `thinking.type: "enabled"`, `tool_choice` does not force a tool.

    A forced call leaves no room to think first.

    Use `tool_choice: {"type": "auto"}`, or adaptive thinking.
    """
    choice = conversation.request.get("tool_choice")
    forced = isinstance(choice, dict) and choice.get("type") in ("any", "tool")
    if forced and _thinking_type(conversation) == "enabled":
        yield found("tool_choice", "Thinking is enabled, and tool_choice forces a tool.", 'Use {"type": "auto"}.')


@rule(
    "T08",
    "thinking-moved",
    severity="refused",
    chapter=9,
    api="{at}: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
    good=request(TASK, assistant(thinking(), call()), user(result()), model="claude-sonnet-5-5"),
    bad=request(user("What is the weather?"), assistant(thinking(), call()), user(result()), model="claude-sonnet-5-5"),
    replies=[{"content": [thinking(), call()], "request": request(TASK, model="claude-sonnet-5-5")}],
    sources=("documentation", "published probe; the text before the binding sentence is our reading"),
)
def thinking_moved(conversation):
    """On the newest models, thinking is valid only behind what stood before it when it was written.

    Changing the system prompt, the tools or an earlier message makes the block invalid (opus-5-5, sonnet-5-5,
    haiku-5-5, fable-5-1 and later). This rule needs the request that the reply answered.

    When you rewrite a history, leave out all thinking behind the change.
    """
    if binds_thinking(conversation.model) and (moved := rewritten_past(conversation)):
        block, what = moved
        saw = f"This thinking was written behind another history: {what} changed since."
        yield found(block.place, saw, "Keep what stood before it, or leave the thinking out.")
