"""Reads a transcript: the history as it stood at the end, with each reply at its message and whatever did not become
one.
"""

from grader.course.timeline.plain import clean, to_plain
from grader.course.timeline.sources import Insert, Source, get, reply_of

_NOT_A_REPLY = {
    "error": "API error",
    "refused": "refused by the API",
    "after_end": "after the last reply",
    "broken": "connection broken",
}


def read_transcript(transcript) -> tuple[Source, list]:
    """``transcript``: a ``grader.replay`` Transcript or its ``to_dict()``. Returns the source and the violations
    found on the way.
    """
    exchanges = list(_listed(get(transcript, "exchanges")))
    source = Source(outcome=_outcome(transcript))
    replies = _gather(exchanges, source)
    last = get(exchanges[-1], "request") if exchanges else None
    sent = to_plain(list(_listed(get(last, "messages"))))
    returned = _returned(transcript, sent)
    source.messages, source.returned = (sent, False) if returned is None else (returned, True)
    _place(replies, source)
    _keep_in_reach(source)
    violations = [violation for exchange in exchanges for violation in _listed(get(exchange, "violations"))]
    return source, violations


def _listed(value) -> list:
    return value if isinstance(value, (list, tuple)) else []


def _gather(exchanges: list, source: Source) -> list[tuple[int, dict, int]]:
    """The replies as (number, whole message, length of the request); what is no reply goes into the source at once."""
    replies = []
    for exchange in exchanges:
        length = len(_listed(get(get(exchange, "request"), "messages")))
        if not get(exchange, "retry") or not source.sent:
            source.sent.append(length)
        number = len(source.sent)
        reply = to_plain(get(exchange, "reply"))
        if isinstance(reply, dict):
            replies.append((number, reply, length))
        else:
            source.inserts.setdefault(length, []).append(_api_answer(number, exchange))
    return replies


def _api_answer(number: int, exchange) -> Insert:
    kind, status, error = get(exchange, "kind"), get(exchange, "status"), to_plain(get(exchange, "error"))
    words = _NOT_A_REPLY.get(kind if isinstance(kind, str) else "", "no reply")
    said = clean(error.get("message", "")) if isinstance(error, dict) else ""
    name = clean(error.get("type", ""), 60) if isinstance(error, dict) else ""
    code = str(status) if type(status) is int else ""
    return Insert(f"request {number}: {words}", " ".join(part for part in (code, name, said) if part))


def _returned(transcript, sent: list) -> list | None:
    """The returned history, when it goes on from the last request: it shows what became of the last reply."""
    claimed = get(get(transcript, "claim"), "messages")
    if not isinstance(claimed, (list, tuple)) or len(claimed) < len(sent):
        return None
    claimed = to_plain(claimed)
    same = all(_role(ours) == _role(theirs) for ours, theirs in zip(sent, claimed, strict=False))
    return claimed if same else None


def _role(message):
    return message.get("role") if isinstance(message, dict) else None


def _ids(content) -> list[str]:
    blocks = content if isinstance(content, list) else []
    return [
        b["id"] for b in blocks if isinstance(b, dict) and b.get("type") == "tool_use" and isinstance(b.get("id"), str)
    ]


def _place(replies: list[tuple[int, dict, int]], source: Source) -> None:
    """Each reply to its message: by the id of a call where it has one, or else by its place. What has none becomes an
    insert.
    """
    by_id = {}
    for index, message in enumerate(source.messages):
        if _role(message) == "assistant":
            for ident in _ids(message.get("content")):
                by_id.setdefault(ident, index)
    for number, reply, length in replies:
        facts = reply_of(reply, number)
        index = next((by_id[ident] for ident in _ids(reply.get("content")) if ident in by_id), length)
        here = source.messages[index] if index < len(source.messages) else None
        if facts is not None and _role(here) == "assistant" and index not in source.replies:
            source.replies[index] = facts
            continue
        # The last reply of a run that isn't over, or that returned nothing, is simply the newest; any other is missing.
        newest = number == len(source.sent) and length == len(source.messages)
        head = f"reply {number}" if newest else f"reply {number}, not in the history"
        at = min(length, len(source.messages))
        source.inserts.setdefault(at, []).append(Insert(head, content=_content(reply), reply=facts, newest=newest))


def _keep_in_reach(source: Source) -> None:
    """A request may have carried more messages than the history has now: what came of it stands at the end."""
    end = len(source.messages)
    for index in sorted(index for index in source.inserts if index > end):
        source.inserts.setdefault(end, []).extend(source.inserts.pop(index))


def _content(reply: dict) -> list:
    content = reply.get("content")
    return content if isinstance(content, list) else [content]


def _outcome(transcript) -> str:
    """How the run ended, as a sentence; empty while it goes on."""
    crash, claim = get(transcript, "crash"), get(transcript, "claim")
    if get(transcript, "timed_out") is True:
        return "The function did not come to an end and was stopped."
    if crash is not None:
        kind, said = (clean(to_plain(get(crash, key))) for key in ("type", "message"))
        return f"The function stopped with {kind}: {_without_body(said)}{_line_of(crash)}."
    if claim is None:
        return ""
    odd = get(claim, "raw_type")
    if isinstance(odd, str):
        return f"The function returned {clean(odd, 80)}, not (status, messages)."
    return f"The function returned {clean(repr(to_plain(get(claim, 'status'))), 80)}."


def _without_body(said: str) -> str:
    """An API error's text without the body of the reply, which is drawn at its place."""
    return said.split(" - {", 1)[0] if said.startswith("Error code: ") else said


def _line_of(crash) -> str:
    """The last of the learner's own lines that the exception went through."""
    frames = to_plain(_listed(get(crash, "frames")))
    last = frames[-1] if frames and isinstance(frames[-1], list) and len(frames[-1]) > 2 else None
    return f" in line {clean(last[1], 20)} of {clean(last[2], 80)}" if last else ""
