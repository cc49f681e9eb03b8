"""The stop gates: turns, tokens, time, repeats, and tools that do not come back."""

from grader.history.rule import rule
from grader.judging.finding import END, Finding, request_name
from grader.judging.pieces import brief


def _went_on(run, gate: str, saw: str, help_: str):
    """The finding that the loop made another request behind a closed gate."""
    for step in run.answered:
        if (
            step.decision.closed
            and step.decision.closed[0] == gate
            and run.next_step(step) is not None
            and not step.decision.go_on
        ):
            yield Finding(
                step.index + 1,
                request_name(step.index + 1),
                saw.format(n=step.index + 1, limit=run.limit_of(gate)),
                help_,
            )
            return


@rule(
    "G01", "max-turns-ignored", severity="harmful", chapter=8, needs="transcript", sources=("contract.md", "facts.md 9")
)
def max_turns_ignored(run):
    """After ``max_turns`` requests the loop stops, even when the model still wants tools.

    Why: a model that goes in circles goes on until somebody stops it. Fix: count requests (pause_turn counts too).
    """
    yield from _went_on(
        run,
        "max_turns",
        "{n} requests had been made ({limit}). The loop sent another.",
        "Count requests; stop at max_turns.",
    )


@rule(
    "G02",
    "token-budget-ignored",
    severity="harmful",
    chapter=8,
    needs="transcript",
    sources=("contract.md", "facts.md 6"),
)
def token_budget_ignored(run):
    """Before each request the tokens of all replies are added up; at ``token_budget`` the loop stops.

    Count ``input_tokens``, ``cache_creation_input_tokens``, ``cache_read_input_tokens`` and ``output_tokens`` of every reply.
    """
    saw = "Behind reply {n} the replies' tokens had reached the budget ({limit}). The loop sent another request."
    yield from _went_on(
        run,
        "token_budget",
        saw,
        "Add up input, both cache counts and output of each reply; stop when used >= token_budget.",
    )


@rule("G03", "deadline-ignored", severity="harmful", chapter=8, needs="transcript", sources=("contract.md",))
def deadline_ignored(run):
    """Before each request the loop looks at the clock (``time.monotonic``); after ``timeout_s`` seconds it stops."""
    saw = "Behind reply {n} the time was up ({limit}). The loop sent another request."
    yield from _went_on(run, "timeout", saw, "Compare time.monotonic() with the start before each request.")


_COUNT = "Count calls over the whole run, by name and input (the order of its keys means nothing); don't run the one that reaches max_repeats."


@rule("G04", "repeat-run", severity="harmful", chapter=8, needs="transcript", sources=("contract.md", "facts.md 9"))
def repeat_run(run):
    """The same (name, input), asked for the ``max_repeats``-th time in a run, is not run again; the loop stops.

    Why: the same call brings the same answer. Public reports tell of hundreds of equal calls in a night. Fix: count calls by name
    and input, whatever the order of the keys, over the whole run, failed ones too.
    """
    for step in run.answered:
        for call in step.calls:
            if call.get("id") not in step.decision.repeated:
                continue
            again = [
                served
                for served in step.served
                if served.name == call.get("name") and served.input == call.get("input")
            ]
            again = again[_twins_before(step, call) :]
            asked = f"{call.get('name')} with {brief(call.get('input'), 50)}"
            if again:
                saw = f"Reply {step.index + 1} asked for {asked} once too often ({run.limit_of('repeated_call')}). It was run again."
                yield Finding(step.index + 0.5, f"reply {step.index + 1}", saw, _COUNT)
                return
            if run.next_step(step) is not None:
                saw = f"Reply {step.index + 1} asked for {asked} once too often ({run.limit_of('repeated_call')}). The loop went on."
                yield Finding(step.index + 1, request_name(step.index + 1), saw, 'Return "repeated_call".')
                return


def _twins_before(step, call) -> int:
    """How many equal calls of the same reply may be run: those that had not reached the limit."""
    twins = [
        other
        for other in step.calls
        if (other.get("name"), other.get("input")) == (call.get("name"), call.get("input"))
    ]
    return sum(other.get("id") not in step.decision.repeated for other in twins)


@rule("G05", "tool-timeout-ignored", severity="harmful", chapter=8, needs="transcript", sources=("contract.md",))
def tool_timeout_ignored(run):
    """A tool over its time is answered after ``tool_timeout_s`` with an error result; the loop does not wait for it.

    Fix: run the tool in a thread and wait for its result with a timeout.
    """
    if not run.gated:
        return
    for step in run.answered:
        waited = [served for served in step.served if served.outcome == "hung" and served.waited_for]
        if waited:
            saw = (
                f"{waited[0].name} hung, and the loop waited for it beyond its time ({run.limit_of('tool_timeout_s')})."
            )
            help_ = "Run tools in a thread and wait for at most tool_timeout_s."
            yield Finding(step.index + 0.6, f"reply {step.index + 1}", saw, help_)
            return


@rule("G08", "late-output-used", severity="harmful", chapter=8, needs="transcript", sources=("contract.md",))
def late_output_used(run):
    """What a tool returns after its time goes nowhere."""
    for answer in run.answers:
        late = answer.run
        if (
            late
            and late.outcome == "hung"
            and answer.result
            and not answer.marked
            and isinstance(late.output, str)
            and late.output == answer.text
        ):
            saw = f"{late.name} came back after its time, and its output was sent as the result of {answer.id}."
            yield Finding(
                answer.step.index + 1, answer.where, saw, "Answer a late call with an error result and drop its output."
            )


@rule(
    "N01",
    "open-call-returned",
    severity="harmful",
    chapter=9,
    needs="transcript",
    sources=("contract.md", "facts.md 9"),
)
def open_call_returned(run):
    """Whatever the reason of the stop, no call in the returned history is left open.

    Why: the next request with this history is refused, and so is every one after it: the most frequent fault in public reports.
    Fix: answer each call that was not run with an error result that says so.
    """
    if not run.resumable or run.returned is None:
        return
    answered = {piece.block.get("tool_use_id") for piece in run.returned if piece.type == "tool_result"}
    for piece in run.returned:
        if piece.type == "tool_use" and piece.block.get("id") not in answered:
            saw = (
                f"The call {piece.block.get('name')} ({piece.block.get('id')}) has no result in the returned messages."
            )
            help_ = "Answer it with an error result that says it was not run."
            yield Finding(END - 3, f"returned {piece.where}", saw, help_)
            return


@rule("N02", "returned-history-refused", severity="harmful", chapter=9, needs="transcript", sources=("contract.md",))
def returned_history_refused(run):
    """The returned history can be sent: with the user's next message behind it, the API takes it.

    A history that ends in an open pause is sent again as it is.
    """
    if not run.resumable or run.returned is None:
        return
    refusal = next((fault for fault in run.faults_of_returned if fault.severity == "refused"), None)
    if refusal is not None and refusal.rule != "P01":
        yield Finding(END - 3, f"returned {refusal.where}", refusal.saw, refusal.help, refusal.api)
