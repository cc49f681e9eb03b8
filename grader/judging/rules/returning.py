"""What comes back from a run: a status and the history, an exception, or nothing at all."""

from pathlib import PurePath

from grader.history.rule import rule
from grader.judging.finding import END, Finding
from grader.judging.pieces import as_if_a_dict, brief


@rule("L17", "crashed", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def crashed(run):
    """The function ends with a return, not with an exception.

    Fix: read the last line of the error: it names what went wrong, and the line above it where.
    """
    crash = run.transcript.crash
    if crash is None:
        return
    place = "run_agent"
    if crash.frames:
        place = _line_of(*crash.frames[-1])
    saw = (
        f"{crash.type}: {brief(crash.message, 200)}"
        if crash.message
        else f"{crash.type} was raised, without a message."
    )
    saw += "" if saw.endswith((".", "!", "?")) else "."
    moment = f" It came after reply {len(run.answered)}." if run.answered else " No reply had been received yet."
    help_ = as_if_a_dict(crash) or _without_await(crash) or "Mend the line that the message names, then check again."
    yield Finding(END - 1 if run.steps else -1, place, saw + moment, help_)


def _without_await(crash) -> str:
    missing = "An await is missing: without it, the call of an async function gives a coroutine, not its result."
    return missing if "'coroutine' object" in crash.message else ""


def _line_of(file: str, line: int, function: str, source: str) -> str:
    """A frame for people: a file's own name; a notebook's cell has none that says anything."""
    name = PurePath(file).name
    where = f"line {line}" if "ipykernel" in file or name.startswith("<") else f"{name}, line {line}"
    return f"{where}, in {function}: {source}".rstrip(": ")


@rule("L18", "never-returned", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def never_returned(run):
    """The function comes back.

    Why: a loop without an end burns time and money. Fix: look for a ``while`` whose condition never changes.
    """
    if run.transcript.timed_out:
        asked = (
            f"after {len(run.steps)} request{'s' if len(run.steps) > 1 else ''}"
            if run.steps
            else "before its first request"
        )
        saw = f"The function had not returned when its time was up, {asked}."
        yield Finding(
            END,
            "run_agent",
            saw,
            "Look for a loop whose condition never changes, or for something that waits for ever.",
        )


@rule("L24", "bad-return", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def bad_return(run):
    """The function returns ``(status, messages)``: a str and a list of messages."""
    claim = run.transcript.claim
    if claim is None or claim.raw_type is None:
        return
    what = "None. Is there a return?" if claim.raw_type == "NoneType" else f"{claim.raw_type}."
    saw = f"The function returned {what}"
    yield Finding(END, "the returned value", saw, "Return two things: a status (str) and the messages list.")


@rule("L16", "returned-history-wrong", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def returned_history_wrong(run):
    """The returned ``messages`` are the history as it stands: all that was sent, then the last reply (and the results of its calls).

    Why: the caller shows it, saves it and goes on from it. Fix: append the last reply before you return.
    """
    returned, step = run.returned, run.last
    if returned is None or step is None or step.outcome in ("refused", "after_end"):
        return
    fault = _empty_message_fault(run)
    fault = fault or (
        _failed_request_fault(run, step) if step.outcome != "reply" else _reply_fault(*run.returned_sequel)
    )
    if fault:
        yield Finding(END, "the returned messages", *fault)


def _empty_message_fault(run):
    for i, message in enumerate(run.transcript.claim.messages):
        if isinstance(message, dict) and message.get("content") in ("", [], None):
            return (
                f"messages[{i}] of the role {message.get('role')} has no content.",
                "Do not append a reply without content.",
            )
    return None


def _failed_request_fault(run, step):
    if run.returned != step.history:
        return (
            f"Request {step.index + 1} failed. The returned messages are not the history that it carried.",
            "After a failed request return the history as it was before it: append only what was received whole.",
        )
    return None


def _reply_fault(step, sequel):
    what = f"reply {step.index + 1}"
    if sequel.broken_at is not None:
        lost = step.history[sequel.broken_at]
        return (
            f"The {lost.type} block that was sent at {lost.where} is missing or changed.",
            "Return the same list that you sent.",
        )
    if sequel.kept == "left_out" and step.decision.keep == "must":
        return f"They end before {what}, the last one.", "Append the reply's content before you return."
    if sequel.kept == "whole" and step.content and step.decision.keep == "never":
        return (
            f"They hold {what}, which cannot be sent back (nothing but empty or thinking content).",
            "Leave such a reply out.",
        )
    if sequel.kept == "changed":
        return f"They do not hold the content of {what} as it came.", "Append response.content as it came."
    ids = {call.get("id") for call in step.calls}
    for piece in sequel.tail:
        if piece.type != "tool_result" or piece.role != "user" or piece.block.get("tool_use_id") not in ids:
            return (
                f"Behind {what} stands {piece.where}, a {piece.type} block of the {piece.role} that was never sent or received.",
                ("Return the history as it stands; add nothing to it."),
            )
    answered = {piece.block.get("tool_use_id") for piece in sequel.results}
    if step.served and step.decision.run != "none" and not answered:
        return f"The calls of {what} were run, but their results are not there.", "Append the results of what you ran."
    return None
