"""P, first part: every call has its result, and every result its call."""

from grader.history.examples import TASK, assistant, call, request, result, text, user
from grader.history.rule import found, rule

UNANSWERED = (
    "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)


@rule(
    "P01",
    "unanswered-call",
    severity="refused",
    chapter=1,
    api=UNANSWERED,
    good=request(TASK, assistant(call("toolu_01"), call("toolu_02", "Rome")), user(result("toolu_01"), result("toolu_02"))),
    bad=request(TASK, assistant(call("toolu_01"), call("toolu_02", "Rome")), user(result("toolu_01"))),
    sources=("recorded traffic", "documentation: handle tool calls", "many public issues"),
)
def unanswered_call(conversation):
    """Every call is answered right after it: the next user message holds a `tool_result` for each `tool_use` of the turn.

    Some of several is not enough, and later is too late. A call that was interrupted, that failed or that was never run needs an
    answer too. Once a history with an open call is saved, every request made from it fails.

    Answer each call in the next user message. For a call that did not run, send a result with `is_error: true` that says so.
    """
    for round in conversation.rounds:
        open_calls = _open_calls(round)
        if not open_calls or _is_unfinished(round, conversation):
            continue
        ids = ", ".join(dict.fromkeys(call.text("id") for call in open_calls))
        yield found(open_calls[0].place, _saw_open(open_calls, round), _help_open(open_calls), ids=ids)


def _open_calls(round):
    answered = {block.text("tool_use_id") for block in round.results}
    return [block for block in round.calls if block.text("id") is not None and block.text("id") not in answered]


def _is_unfinished(round, conversation):
    """A transcript that ends with the calls: see P17."""
    return not conversation.is_request and round.follower is None


def _saw_open(open_calls, round):
    calls = " and ".join(f"`{block.text('name')}` ({block.text('id')})" for block in open_calls)
    where = "the next message has no `tool_result` for" if round.user else "nothing follows to answer"
    return f"The model called {calls}, and {where} {'it' if len(open_calls) == 1 else 'them'}."


def _help_open(open_calls):
    return "Put one `tool_result` block for each call into the next user message, before anything else."


@rule(
    "P04",
    "orphan-result",
    severity="refused",
    chapter=1,
    api="messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    good=request(TASK, assistant(call("toolu_01")), user(result("toolu_01"))),
    bad=request(TASK, assistant("I can look that up."), user(result("toolu_01"), text("Well?"))),
    sources=("recorded traffic", "many public issues"),
)
def orphan_result(conversation):
    """Every `tool_result` answers a `tool_use` of the assistant turn right before it.

    This breaks when a history is cut or summarised and the call goes while its result stays, when a result comes a turn too late, or
    when the user message is appended before the reply.

    Cut a history only between whole turns: remove a call and its result together, or keep both.
    """
    for round in conversation.rounds:
        ids = round.ids
        for block in round.results:
            id = block.text("tool_use_id")
            if id and id not in ids:
                saw = f"This result answers {id}, but the assistant message before it has no call with that id."
                yield found(block.place, saw, "Remove the result, or put its call back right before it.", id=id)
