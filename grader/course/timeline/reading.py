"""Tells apart what was handed to ``show``: messages, a request, JSON text, a transcript, or a check's result."""

import json

from grader.course.timeline.plain import to_plain
from grader.course.timeline.sources import Source, findings, get
from grader.course.timeline.transcripts import read_transcript


def read(thing, violations=None) -> Source:
    """``thing`` as a source; ``violations`` (objects or dicts) instead of the ones that it carries itself. Never
    raises.

    A check's result is anything with a ``transcript``; a transcript is anything with ``exchanges``; each a mapping or
    an object.
    """
    known = get(thing, "violations") if violations is None else violations
    transcript = thing if get(thing, "exchanges") is not None else get(thing, "transcript")
    if get(transcript, "exchanges") is not None:
        source, own = read_transcript(transcript)
        # A transcript has looked at its history alone, so when it has found nothing, that says nothing yet.
        known = own if known is None and own else known
    else:
        source = Source(_messages(thing))
    source.checked = isinstance(known, (list, tuple))
    source.findings = findings(known)
    return source


def _messages(thing) -> list:
    plain = to_plain(_parsed(thing) if isinstance(thing, (str, bytes)) else thing)
    if isinstance(plain, dict) and "messages" in plain:
        plain = plain["messages"]
    return plain if isinstance(plain, list) else [plain]


def _parsed(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
