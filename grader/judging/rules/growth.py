"""How the history grows: the task, then each reply as it came, then the results, and nothing else."""

from grader.history.rule import rule
from grader.judging.finding import Finding, request_name
from grader.judging.pieces import Piece, brief

_THINKING = ("thinking", "redacted_thinking")


@rule("L01", "task-not-sent", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def task_not_sent(run):
    """The first request holds one message: the task, from the user.

    Why: the model knows nothing but what stands in the request. Fix: start with ``[{"role": "user", "content": task}]``.
    """
    if not run.steps or _is_of_another_run(run):
        return
    first = run.steps[0].history
    task = [Piece("user", {"type": "text", "text": run.transcript.task})]
    if first != task:
        other = len(first) == 1 and first[0].role == "user" and first[0].block.get("text")
        holds = f"the text “{brief(other, 60)}”" if other else _outline(first)
        saw = f"The first request holds {holds}. It should hold the task alone: “{brief(run.transcript.task, 60)}”."
        yield Finding(0, request_name(0, "messages"), saw, 'Start with messages = [{"role": "user", "content": task}].')


@rule("L23", "state-between-runs", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def state_between_runs(run):
    """A run starts from nothing: only its own task is in its first request.

    Why: a list that outlives the call (a global, a default argument) brings one conversation into the next.
    Fix: make the list inside the function.
    """
    if run.steps and _is_of_another_run(run):
        saw = f"The first request holds {_outline(run.steps[0].history)}: something of the run before is still there."
        yield Finding(0, request_name(0, "messages"), saw, "Make the messages list inside run_agent, on each call.")


def _is_of_another_run(run) -> bool:
    """Whether the first request carries more than a task, and the more can only come from a run before this one."""
    first = run.steps[0].history
    said_before = any(piece.role == "assistant" or piece.type == "tool_result" for piece in first[:-1])
    return said_before or (run.play > 1 and len(first) > 1)


@rule(
    "L02", "history-not-whole", severity="harmful", chapter=3, needs="transcript", sources=("contract.md", "facts.md 0")
)
def history_not_whole(run):
    """Each request carries everything that the request before carried, unchanged.

    Why: the API keeps nothing between requests. What is not in this request, the model has never seen.
    Fix: append to the one list and send the whole list each time.
    """
    for step, sequel in run.sequels:
        if sequel.broken_at is not None and not _lost_thinking(step, sequel):
            lost = step.history[sequel.broken_at]
            number = request_name(step.index + 1, "messages")
            saw = f"Request {step.index + 1} carried {_name(lost)} at {lost.where}. In request {step.index + 2} it is missing or changed."
            yield Finding(step.index + 1, number, saw, "Append to the same list and send all of it in each request.")
            return


@rule("L03", "reply-not-appended", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def reply_not_appended(run):
    """What the model said goes into the history before its results.

    Why: without the reply, the model sees an answer to a question that nobody asked, and the API refuses a result without its call.
    Fix: append ``{"role": "assistant", "content": response.content}`` before the results.
    """
    for step, sequel in run.sequels:
        if sequel.kept == "left_out" and step.decision.go_on and step.decision.keep == "must":
            late = _found(step.content, sequel.tail)
            saw = f"Reply {step.index + 1} ({_outline(step.content)}) " + (
                f"was appended too late: it stands at {late.where.partition('.')[0]} of request {step.index + 2}."
                if late
                else f"is not in request {step.index + 2}."
            )
            help_ = 'Append {"role": "assistant", "content": response.content} right after each reply.'
            yield Finding(step.index + 1, request_name(step.index + 1, "messages"), saw, help_)
            return


def _found(content: list[Piece], tail: list[Piece]) -> Piece | None:
    """The first piece of a whole reply within ``tail``, or None."""
    return next((tail[i] for i in range(len(tail)) if content and tail[i : i + len(content)] == content), None)


@rule("L04", "reply-changed", severity="harmful", chapter=3, needs="transcript", sources=("contract.md", "facts.md 4"))
def reply_changed(run):
    """The assistant's content is appended as it came: every block, in order, unchanged.

    Why: ids, text and signatures are what the next request is checked against, and what the model goes on from.
    Fix: append ``response.content`` itself; do not rebuild it, filter it or join its text.
    """
    for step, sequel in run.sequels:
        if sequel.kept == "changed":
            yield _changed(step, sequel)
            return


def _changed(step, sequel) -> Finding:
    sent = sequel.history[len(step.history) + sequel.odd :]
    came = step.content[sequel.odd :]
    there = sent[0] if sent and sent[0].role == "assistant" else None
    place = request_name(step.index + 1, there.where if there else "messages")
    if came and there:
        saw = f"Block {sequel.odd} of reply {step.index + 1} came as {_show(came[0])}, and went back as {_show(there)}."
    elif came:
        saw = f"Block {sequel.odd} of reply {step.index + 1}, {_show(came[0])}, did not go back."
    else:
        saw = f"{_show(there)} stands in the assistant's turn, but reply {step.index + 1} did not hold it."
    return Finding(step.index + 1, place, saw, "Append response.content as it came, all blocks of it.")


@rule(
    "L25", "thinking-dropped", severity="harmful", chapter=4, needs="transcript", sources=("contract.md", "facts.md 4")
)
def thinking_dropped(run):
    """Thinking blocks belong to the reply and go back with it.

    Why: the API accepts a turn without any of its thinking, but the model loses its own reasoning in the middle of the work;
    a turn with part of it is refused. Fix: append ``response.content`` itself.
    """
    for step, sequel in [*run.sequels, *filter(None, [run.returned_sequel])]:
        if lost := _lost_thinking(step, sequel):
            saw = f"Request {step.index + 1} carried the {lost.type} block of an earlier reply at {lost.where}. It is gone."
            help_ = "Leave the replies in the history as they came, the older ones too."
            yield Finding(step.index + 1, request_name(step.index + 1, "messages"), saw, help_)
            return
        if sequel.kept == "without_thinking":
            saw = f"Reply {step.index + 1} came with a {_first_thinking(step)} block. It did not go back."
            help_ = "Append response.content as it came; a list rebuilt from text and tool_use blocks loses the rest."
            yield Finding(step.index + 1, request_name(step.index + 1, "messages"), saw, help_)
            return


def _lost_thinking(step, sequel) -> Piece | None:
    """The first thinking block of an earlier turn that is gone from a history in which nothing else is missing at that place."""
    at = sequel.broken_at
    if at is None or step.history[at].type not in _THINKING:
        return None
    behind = next((piece for piece in step.history[at:] if piece.type not in _THINKING), None)
    goes_on = at < len(sequel.history) and sequel.history[at] == behind
    return step.history[at] if goes_on else None


def _first_thinking(step) -> str:
    return next(piece.type for piece in step.content if piece.type in _THINKING)


@rule(
    "L22", "something-added", severity="harmful", chapter=3, needs="transcript", sources=("contract.md", "facts.md 2")
)
def something_added(run):
    """Between two replies a loop adds the results of the calls, and nothing else.

    Why: text beside results may make the model end its turn early, and text before them is refused. A reply without calls
    is the end: there is nothing to add. Fix: send the results first and alone.
    """
    for step, sequel in run.sequels:
        if sequel.kept == "changed" or not step.decision.go_on or step.reply.get("stop_reason") == "pause_turn":
            continue
        extra = [piece for piece in sequel.tail if piece.type != "tool_result" or piece.role != "user"]
        if extra:
            saw = f"Request {step.index + 2} adds {_show(extra[0])}, which is not a result of a call."
            yield Finding(
                step.index + 1,
                request_name(step.index + 1, extra[0].where),
                saw,
                "Answer a reply with its results alone.",
            )
            return


@rule(
    "L21",
    "pause-not-continued",
    severity="harmful",
    chapter=7,
    needs="transcript",
    sources=("contract.md", "facts.md 6"),
)
def pause_not_continued(run):
    """``pause_turn``: append the content and send the history again, with nothing added (client calls in it are run and answered).

    Why: the model has stopped in the middle of a server tool's work and waits to go on.
    """
    for step in run.answered:
        if step.reply.get("stop_reason") != "pause_turn":
            continue
        after = run.next_step(step)
        if after is None and run.transcript.claim and step.decision.go_on and not step.decision.closed:
            saw = f"Reply {step.index + 1} stopped with pause_turn. The loop returned instead of sending the history again."
            yield Finding(
                step.index + 0.6, f"reply {step.index + 1}", saw, "Append the content and make the next request."
            )
            return
        sequel = run.sequel(step) if after else None
        extra = [piece for piece in sequel.tail if piece.type != "tool_result"] if sequel else []
        if extra:
            saw = f"After pause_turn, request {step.index + 2} adds {_show(extra[0])}."
            help_ = "After pause_turn append the content and send again, with nothing added."
            yield Finding(step.index + 1, request_name(step.index + 1, extra[0].where), saw, help_)
            return


@rule("L19", "tools-changed", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def tools_changed(run):
    """Every request carries the tools list that the loop was given, and the loop changes neither ``tools`` nor ``functions``.

    Why: without the definitions the model cannot ask for a tool, and the caller goes on using the same objects.
    Fix: pass ``tools=tools`` in every request; copy before you change.
    """
    given = [_plain(tool) for tool in run.transcript.tools]
    for step in run.steps:
        tools = step.exchange.request.get("tools")
        sent = [_plain(tool) for tool in tools] if isinstance(tools, list) else []
        if sent != given:
            saw = f"Request {step.index + 1} carries {len(sent)} tool definitions {_names(sent)}. The loop was given {_names(given)}."
            yield Finding(
                step.index, request_name(step.index, "tools"), saw, "Pass tools=tools, unchanged, in every request."
            )
            return
    for name in run.transcript.mutated:
        saw = f"The loop changed the object that it was given as {name}."
        yield Finding(len(run.steps), "run_agent", saw, f"Copy {name} before you change it; the caller keeps using it.")


def _plain(tool):
    return (
        {key: value for key, value in tool.items() if key != "cache_control" and value is not None}
        if isinstance(tool, dict)
        else tool
    )


def _names(tools) -> str:
    return "[" + ", ".join(str(tool.get("name")) if isinstance(tool, dict) else "?" for tool in tools) + "]"


def _outline(history) -> str:
    if not history:
        return "no content at all"
    kinds = ", ".join(f"{piece.role} {piece.type}" for piece in history[:4])
    return kinds + (f" and {len(history) - 4} more blocks" if len(history) > 4 else "")


def _name(piece) -> str:
    return f"a {piece.type} block of the {piece.role}"


def _show(piece) -> str:
    inner = (
        piece.block.get("text") or piece.block.get("thinking") or piece.block.get("content") or piece.block.get("input")
    )
    label = f"a {piece.type} block"
    if piece.type == "tool_use":
        return (
            f"{label} ({piece.block.get('name')}, {piece.block.get('id')}, input {brief(piece.block.get('input'), 40)})"
        )
    return f"{label} (“{brief(inner, 50)}”)" if inner else label
