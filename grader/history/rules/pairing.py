"""P, first part: every call has its result right after it, and every result its call."""

from grader.history.examples import TASK, assistant, call, request, result, text, user
from grader.history.rule import found, rule
from grader.history.turns import ROLES

UNANSWERED = (
    "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
ORPHAN = (
    "messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
)
TWO_CALLS = assistant(call("toolu_01"), call("toolu_02", "Rome"))


@rule(
    "P01",
    "unanswered-call",
    severity="refused",
    chapter=1,
    api=UNANSWERED,
    good=request(TASK, TWO_CALLS, user(result("toolu_01"), result("toolu_02"))),
    bad=request(TASK, TWO_CALLS, user(result("toolu_01"))),
    sources=("recorded traffic", "documentation on tool use", "many public issues"),
)
def unanswered_call(conversation):
    """Every call is answered right after it: the next user message holds a `tool_result` for each `tool_use` of the
    reply.

    Some of several is not enough, and later is too late. A call that was interrupted, that failed or that was never run
    needs an answer too. Once a history with an open call is saved, every request made from it fails.

    Answer each call in the next user message. For a call that did not run, send a result with `is_error: true` that
    says so.
    """
    elsewhere = {block.text("tool_use_id") for block in _misplaced(conversation, "tool_result")}
    for round in conversation.rounds:
        open_calls = [block for block in round.open if block.text("id") not in elsewhere]
        if open_calls and not _is_told_elsewhere(round, conversation):
            ids = ", ".join(dict.fromkeys(block.text("id") for block in open_calls))
            help = "Put one `tool_result` for each call into the next user message, before anything else."
            yield found(open_calls[0].place, _what_is_open(open_calls, round), help, ids=ids)


def _is_told_elsewhere(round, conversation):
    """The root cause is another rule's: the list ends (P17), a result has a wrong id (P04, P05, P10), or R."""
    if round.follower is None:
        return not conversation.is_request
    if round.follower.role not in ROLES or not round.follower.readable:
        return True
    return len(round.strays) + len(round.repeats) >= len(round.open)


def _what_is_open(open_calls, round):
    calls = " and ".join(dict.fromkeys(f"`{block.text('name')}` ({block.text('id')})" for block in open_calls))
    if round.user is None:
        return f"The model called {calls}, and no user message follows with the result."
    it = "it" if len(open_calls) == 1 else "them"
    return f"The model called {calls}, and the next message has no `tool_result` for {it}."


@rule(
    "P02",
    "block-after-call",
    severity="refused",
    chapter=4,
    api=UNANSWERED,
    good=request(TASK, assistant(text("Let me see."), call()), user(result())),
    bad=request(TASK, assistant(call(), text("Let me see.")), user(result())),
    sources=("recorded: two refused requests; none of 3,268 replies and no accepted history has it", "public issues"),
)
def block_after_call(conversation):
    """In an assistant message, nothing stands after a `tool_use` except more `tool_use` blocks.

    The API always writes its calls last. Whoever sorts the blocks, or joins two replies into one, can bring text behind
    a call; the error then talks of a missing result, although the result is there.

    Append the content of a reply as it came, in its order.
    """
    for turn in conversation.turns:
        first = next((block for block in turn.blocks if block.type == "tool_use"), None)
        if turn.role != "assistant" or first is None:
            continue
        late = next((block for block in turn.blocks[first.position + 1 :] if _may_not_follow_a_call(block.type)), None)
        if late:
            id = first.text("id")
            saw = f"A `{late.type}` block stands after the call {id}."
            yield found(
                late.place, saw, "Keep the blocks of a reply in the order in which they came: calls last.", ids=id
            )


def _may_not_follow_a_call(type):
    known = (
        "text",
        "thinking",
        "redacted_thinking",
        "image",
        "document",
        "search_result",
        "server_tool_use",
        "mcp_tool_use",
    )
    return type in known or (type or "").endswith("_tool_result")


@rule(
    "P03",
    "content-before-results",
    severity="refused",
    chapter=4,
    api=UNANSWERED,
    good=request(TASK, assistant(call()), user(result())),
    bad=request(TASK, assistant(call()), user(text("Be short."), result())),
    sources=("documentation: results come first in the content", "published probe", "no accepted history breaks it"),
)
def content_before_results(conversation):
    """In the message that answers calls, the results stand before everything else, also when it is sent as several user
    messages.

    The API says that a result is missing; the true fault is the order. A reminder put in front of the last user message
    does this, and so does an image sent between two results.

    Put all results first. Text and images come after them, or inside a result.
    """
    for round in conversation.rounds:
        answers = round.answers
        if not answers:
            continue
        before = round.user.blocks[: answers[-1].position]
        early = next((block for block in before if block.type not in (None, "tool_result", "tool_use")), None)
        if early:
            late = next(block for block in answers if block.position > early.position)
            id = late.text("tool_use_id")
            saw = f"A `{early.type}` block stands before the result of {id}."
            help = "Put all `tool_result` blocks first, and everything else after them."
            yield found(early.place, saw, help, i=round.assistant.index, ids=id)


@rule(
    "P04",
    "orphan-result",
    severity="refused",
    chapter=1,
    api=ORPHAN,
    good=request(TASK, assistant(call("toolu_01")), user(result("toolu_01"))),
    bad=request(TASK, assistant("I can look that up."), user(result("toolu_01"))),
    sources=("recorded traffic", "many public issues"),
)
def orphan_result(conversation):
    """Every `tool_result` answers a `tool_use` of the assistant message right before it.

    This breaks when a history is cut or summarised and the call goes while its result stays, when a result comes a
    message too late, when its id is wrong, or when the user message is appended before the reply.

    Use the id of the call. Cut a history only between whole turns: remove a call and its result together, or keep both.
    """
    elsewhere = {block.text("id") for block in _misplaced(conversation, "tool_use")}
    for round in conversation.rounds:
        for block in round.strays:
            id = block.text("tool_use_id")
            if id and id not in elsewhere:
                saw = f"This result answers {id}, but the assistant message before it has no call with that id."
                yield found(block.place, saw, _help_with_orphan(round), id=id)


def _help_with_orphan(round):
    if round.open:
        return f"Use the id of the call that it answers: {_ids_of(round.open)}."
    return "Remove the result, or bring back its call: a call and its result stay or go together."


@rule(
    "P05",
    "duplicate-result",
    severity="refused",
    chapter=4,
    api="messages.{i}.content.{j}: each tool_use must have a single result. "
    "Found multiple `tool_result` blocks with id: {id}",
    good=request(TASK, assistant(call()), user(result())),
    bad=request(TASK, assistant(call()), user(result(content="partial")), user(result(content="full"))),
    sources=("public issues", "a published probe of two user messages in a row"),
)
def duplicate_result(conversation):
    """A call has one result. User messages in a row count as one, so a second message with the same id is refused too.

    It happens when a session is replayed, when a partial result is followed by the full one, or when all calls are
    answered with the id of the first.

    Keep one result for each id. When there are several calls, give each result the id of its own call.
    """
    for round in conversation.rounds:
        for block in round.repeats:
            id = block.text("tool_use_id")
            help = "Keep one of them."
            if round.open:
                help = f"One of them may belong to {_ids_of(round.open)}, which has no result."
            yield found(block.place, f"The call {id} has more than one result.", help, id=id)


@rule(
    "P06",
    "duplicate-call-id",
    severity="refused",
    chapter=4,
    api="messages.{i}.content.{j}: `tool_use` ids must be unique",
    good=request(TASK, TWO_CALLS, user(result("toolu_01"), result("toolu_02"))),
    bad=request(TASK, assistant(call("toolu_01"), call("toolu_01", "Rome")), user(result("toolu_01"))),
    sources=("public issues",),
)
def duplicate_call_id(conversation):
    """Inside one assistant turn, each `tool_use` has an id of its own.

    A message that is converted from two sources holds each call twice; a loop that makes up ids may use one twice.

    Append the content of a reply as it came, once.
    """
    for round in conversation.rounds:
        seen = set()
        for block in round.calls:
            id = block.text("id")
            if id is not None and id in seen:
                yield found(
                    block.place,
                    f"Two calls of this turn have the id {id}.",
                    "Append each reply once, with the ids it came with.",
                )
            seen.add(id)


def _ids_of(calls):
    """A few of the ids, however many there are."""
    ids = [call.text("id") for call in calls]
    return " or ".join(ids[:3]) + (" or another" if len(ids) > 3 else "")


def _misplaced(conversation, type):
    """Calls outside assistant messages and results outside user messages: P09 names them, P01 and P04 need not."""
    home = "assistant" if type == "tool_use" else "user"
    return [block for block in conversation.of_type(type) if block.role != home]
