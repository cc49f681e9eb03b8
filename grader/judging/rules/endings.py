"""How a run ends: when the loop stops, and for what reason it says."""

from grader.history.rule import rule
from grader.judging.finding import END, Finding, request_name
from grader.judging.pieces import brief

# What the SDK tries again (anthropic/_base_client.py, _should_retry).
_RETRIED = (408, 409, 429, 500, 502, 503, 504, 529)


@rule("L13", "stopped-too-early", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def stopped_too_early(run):
    """The loop goes on as long as the model asks for tools.

    Why: the work is half done, and the last results were never read. Fix: return only when a reply holds no call.
    """
    if run.transcript.claim is None:
        return
    if run.last is None:
        yield Finding(
            END,
            "run_agent",
            "The function returned without sending a request.",
            "Call client.messages.create with the task.",
        )
        return
    step = run.last
    if step.outcome == "error" and step.tries == 1 and step.exchange.status in _RETRIED and run.transcript.unused:
        saw = f"Request {step.index + 1} got the status {step.exchange.status}, and it was never tried again."
        yield Finding(step.index + 0.6, request_name(step.index), saw, "Leave the SDK's own retries (max_retries) on.")
        return
    if (
        step.outcome != "reply"
        or not step.decision.go_on
        or step.reply.get("stop_reason") == "pause_turn"
        or run.gate_claimed
    ):
        return
    if "done" in step.decision.statuses and run.status == "done":
        if step.served:
            saw = f"Reply {step.index + 1} held a call. It was run, but its result was never sent."
            yield Finding(
                step.index + 0.6,
                f"reply {step.index + 1}",
                saw,
                "When you run a call, send its result in a next request.",
            )
        return
    names = ", ".join(call.get("name") for call in step.calls)
    saw = f"Reply {step.index + 1} asked for {names} (stop_reason {step.reply.get('stop_reason')}). The loop returned {run.status!r}."
    yield Finding(
        step.index + 0.6, f"reply {step.index + 1}", saw, "Run the call, append its result, and make the next request."
    )


@rule(
    "L14",
    "went-on-after-the-end",
    severity="harmful",
    chapter=3,
    needs="transcript",
    sources=("contract.md", "facts.md 6"),
)
def went_on_after_the_end(run):
    """When a reply ends the work, no further request is made; a refusal or a failed request is not tried again by the loop.

    Why: each request costs money, and asking the same again brings the same. Fix: return as soon as the reply says stop.
    """
    for step in run.steps:
        if run.next_step(step) is None:
            return
        ended = step.outcome == "reply" and not step.decision.go_on and not step.decision.closed
        if ended:
            saw = f"Reply {step.index + 1} ended the work (stop_reason {step.reply.get('stop_reason')}). The loop sent another request."
            yield Finding(step.index + 1, request_name(step.index + 1), saw, "Return when a reply ends the work.")
            return
        if step.outcome in ("error", "broken") and run.gated:
            saw = f"Request {step.index + 1} failed for good ({_error(step)}), after the SDK's own retries. The loop sent another request."
            yield Finding(
                step.index + 1, request_name(step.index + 1), saw, 'Return "api_error"; the SDK has already retried.'
            )
            return


def _error(step) -> str:
    error = step.exchange.error or {}
    return (
        f"{step.exchange.status} {error.get('type', 'stream broke')}" if step.outcome == "error" else "the stream broke"
    )


@rule("L15", "wrong-status", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def wrong_status(run):
    """The status says why the loop stopped, in the contract's words.

    Why: the caller decides by it: a cut answer is not a finished one. Fix: see the table of statuses in the contract.
    """
    step = run.last
    if run.status is None or step is None or not run.statuses or run.status in run.statuses:
        return
    if step.outcome == "reply" and (step.decision.go_on and not step.decision.statuses or run.gate_claimed):
        return
    why = f"stop_reason {step.reply.get('stop_reason')}" if step.outcome == "reply" else _error(step)
    if step.outcome == "reply" and step.decision.closed:
        why += f", and {' and '.join(step.decision.closed)} was reached"
    saw = f"The run ended with {why}. The loop returned the status {run.status!r}; right is {_either(run.statuses)}."
    yield Finding(END, "the returned status", saw, f"Return {_either(run.statuses)} here.")


def _either(statuses) -> str:
    return " or ".join(repr(status) for status in sorted(statuses))


@rule(
    "L27",
    "request-refused",
    severity="refused",
    chapter=3,
    needs="transcript",
    sources=("the API's reference of Messages",),
)
def request_refused(run):
    """Each request has what the API needs besides its messages: a model, ``max_tokens``, and tools in their shape.

    Why: a refused request brings no reply. A loop that reports it as ``api_error`` hides a mistake of its own. Fix: read the API's
    text, which names the field.
    """
    for step in run.steps:
        if step.outcome == "refused" and not any(fault.severity == "refused" for fault in step.exchange.violations):
            complaint = (step.exchange.error or {}).get("message", "")
            saw = f"The API refused request {step.index + 1}: {brief(complaint, 200)}"
            help_ = "Mend the field that the API names, in the call of client.messages.create."
            yield Finding(step.index, request_name(step.index), saw, help_, complaint)
            return


@rule(
    "L20", "stopped-reply-run", severity="harmful", chapter=7, needs="transcript", sources=("contract.md", "facts.md 6")
)
def stopped_reply_run(run):
    """Nothing is run of a reply that was cut off, refused, or stopped for a reason that the loop does not know.

    Why: a call in a truncated reply may be cut in the middle of its input. Fix: look at ``stop_reason`` before you run anything.
    """
    for step in run.answered:
        if step.decision.run == "none" and step.served:
            reason = step.reply.get("stop_reason")
            saw = (
                f"Reply {step.index + 1} stopped with {reason}. Its call of {step.served[0].name} was run all the same."
            )
            yield Finding(
                step.index + 0.5,
                f"reply {step.index + 1}",
                saw,
                "Check stop_reason first; run calls of whole replies only.",
            )


@rule(
    "G06",
    "api-error-escaped",
    severity="harmful",
    chapter=8,
    needs="transcript",
    sources=("contract.md", "facts.md 10"),
)
def api_error_escaped(run):
    """A request that fails for good ends the loop with the status ``api_error`` and the history that was there before.

    Why: the caller loses everything when the exception escapes. Fix: catch ``anthropic.APIError`` around the request; a stream
    that breaks raises an error of httpx2, or ends without a stop_reason.
    """
    crash, step = run.transcript.crash, run.last
    if crash is None or step is None or step.outcome not in ("error", "broken") or not run.gated:
        return
    saw = f"Request {step.index + 1} failed for good ({_error(step)}). {crash.type} ended the loop."
    help_ = 'Catch anthropic.APIError around the request and return "api_error".'
    if step.outcome == "broken":
        help_ += (
            " A loop that streams catches httpx2.HTTPError too: a stream that breaks while it is read is no APIError."
        )
    yield Finding(step.index + 0.6, request_name(step.index), saw, help_)


@rule("G07", "gate-too-early", severity="harmful", chapter=8, needs="transcript", sources=("contract.md",))
def gate_too_early(run):
    """A gate stops the loop when it is reached, not before.

    Why: off by one, the model loses a turn that it was given. Fix: count requests that were made; compare with ``>=`` before the next.
    """
    if not run.gate_claimed:
        return
    step = run.last
    books = f"{len(run.answered)} requests had been made" if run.status == "max_turns" else "it had not been reached"
    limit = run.limit_of(run.status)
    saw = f"The loop stopped with {run.status!r} behind reply {step.index + 1}, but {books} ({limit})."
    yield Finding(step.index + 0.6, f"reply {step.index + 1}", saw, "Close a gate only when its number is reached.")
