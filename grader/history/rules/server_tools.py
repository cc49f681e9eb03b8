"""S: tools that the API runs itself. Their calls and results both stand in assistant messages."""

import re

from grader.history.examples import TASK, assistant, request, search, search_result, text, user
from grader.history.rule import found, rule

_CALLS = ("server_tool_use", "mcp_tool_use")
_ID = r"srvtoolu_[a-zA-Z0-9_]+"


@rule(
    "S01",
    "open-server-call",
    severity="refused",
    chapter=7,
    api="messages.{i}: `{tool}` tool use with id `{id}` was found without a corresponding `{tool}_tool_result` block",
    good=request(
        TASK, assistant(text("Searching."), search()), assistant(search_result(), text("Rain.")), user("Thank you.")
    ),
    bad=request(TASK, assistant(text("Searching."), search()), user("What did you find?")),
    sources=("public issues", "recorded: open calls are accepted while the turn is open"),
)
def open_server_call(conversation):
    """A tool that the API runs itself has its result in the same assistant turn, or opens the next one while the turn
    is open.

    A turn that stopped with `pause_turn` holds such an open call. Sent back as it is, the API goes on. With a user
    message behind it, the call can never be answered.

    Send a paused turn back before anything else is said. If it is over, remove the open call.
    """
    for block in _abandoned(conversation):
        tool = "mcp" if block.type == "mcp_tool_use" else (block.text("name") or "server")
        saw = f"The server call `{block.text('name')}` ({block.text('id')}) has no result, and the talk went on."
        help = "Send the paused turn back as it is before any other message, or remove this call."
        yield found(block.place, saw, help, tool=tool, id=block.text("id"))


def _abandoned(conversation):
    """Server calls still open when something other than results of client tools follows their turn."""
    waiting: dict[str, object] = {}
    for turn in conversation.spoken:
        if turn.role == "assistant":
            for block in turn.blocks:
                waiting.pop(block.text("tool_use_id"), None)
            if waiting and any(
                block.type not in ("tool_use", None) for block in turn.blocks
            ):  # code may call on and on
                yield from waiting.values()
                waiting = {}
            waiting.update(_still_open(turn))
        elif (
            turn.role == "user"
            and turn.readable
            and any(block.type not in ("tool_result", None) for block in turn.blocks)
        ):
            yield from waiting.values()
            waiting = {}


def _still_open(turn):
    answered = {block.text("tool_use_id") for block in turn.blocks} - {None}
    calls = (block for block in turn.blocks if block.type in _CALLS and block.text("id") is not None)
    return {block.text("id"): block for block in calls if block.text("id") not in answered}


@rule(
    "S02",
    "orphan-server-result",
    severity="refused",
    chapter=7,
    api="messages.{i}.content.{j}: unexpected `tool_use_id` found in `{type}` blocks: {id}. "
    "Each `{type}` block must have a corresponding `{call}` block before it.",
    good=request(TASK, assistant(search(), search_result(), text("Rain.")), user("Thank you.")),
    bad=request(TASK, assistant(search_result(), text("Rain.")), user("Thank you.")),
    sources=("public issues",),
)
def orphan_server_result(conversation):
    """The result of a server tool has its call before it.

    It breaks when a filter removes the calls of server tools and keeps their results, or when a history is cut inside a
    turn.

    Treat the call and its result as one: keep both or remove both.
    """
    seen = set()
    for block in conversation.blocks:
        if block.role != "assistant" or block.type in ("tool_result", None):
            continue
        if block.type in _CALLS:
            seen.add(block.text("id"))
        id = block.text("tool_use_id") if block.type.endswith("_tool_result") else None
        if id is not None and id not in seen:
            call = "mcp_tool_use" if block.type == "mcp_tool_result" else "server_tool_use"
            saw = f"This `{block.type}` answers {id}, but no `{call}` with that id stands before it."
            help = "Bring the call back, or remove the result with it."
            yield found(block.place, saw, help, type=block.type, call=call, id=id)


@rule(
    "S03",
    "bad-server-call-id",
    severity="harmful",
    chapter=7,
    good=request(TASK, assistant(search("srvtoolu_01"), search_result("srvtoolu_01")), user("Thank you.")),
    bad=request(TASK, assistant(search("call-1"), search_result("call-1")), user("Thank you.")),
    sources=("one public issue with the pattern ^srvtoolu_[a-zA-Z0-9_]+$",),
)
def bad_server_call_id(conversation):
    """The id of a `server_tool_use` begins with `srvtoolu_`.

    Only one public report says that the API refuses others, so this is a warning. The API makes these ids itself:
    another one means that somebody rewrote the history.

    Keep the blocks of server tools exactly as they came.
    """
    for block in conversation.of_type("server_tool_use"):
        id = block.text("id")
        if id is not None and not re.fullmatch(_ID, id):
            yield found(
                block.place,
                f"This server call has the id {id!r}.",
                "Keep the id that the API gave; it begins with srvtoolu_.",
            )
