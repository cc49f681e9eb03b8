"""What a timeline is made from, whatever was handed in: the messages, and what is known of the run around them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.course.timeline.plain import clean, to_plain

_MOST = 2_000  # findings


@dataclass(frozen=True)
class Reply:
    """What a reply said beside its content. ``tokens``: (input with both cache counts, output), None where there is
    no usage.
    """

    number: int | None
    stop_reason: str
    tokens: tuple[int, int] | None
    cached: int = 0


@dataclass(frozen=True)
class Insert:
    """Something that is no message of the history: a reply (``content``), or another answer of the API (``text``).

    ``newest``: the reply simply has not become a message yet; any other reply is missing from the history.
    """

    head: str
    text: str = ""
    content: list | None = None
    reply: Reply | None = None
    newest: bool = False


@dataclass(frozen=True)
class Finding:
    """A violation as plain, clean texts; empty where it has none."""

    rule: str
    name: str
    severity: str
    where: str
    saw: str
    help: str
    api: str


@dataclass
class Source:
    """``replies``: by the index of their message. ``inserts``: by the index of the message that they stand before.
    ``sent``: how many messages each request carried. ``checked``: somebody looked for violations, so that none means
    none. ``returned``: the messages are those that the loop returned, as far as anybody knows.
    """

    messages: list = field(default_factory=list)
    replies: dict[int, Reply] = field(default_factory=dict)
    inserts: dict[int, list[Insert]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    outcome: str = ""
    checked: bool = False
    returned: bool = True


def get(thing, name: str):
    """A field of a mapping or an attribute of an object, whatever happens on the way; None where there is none."""
    try:
        return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
    except Exception:  # a learner's object may raise anything from any method
        return None


def findings(violations) -> list[Finding]:
    """Violations of any shape; a growing history repeats them, so each is kept once."""
    plain = to_plain(violations) if isinstance(violations, (list, tuple)) else []
    found = {}
    for item in plain:
        if isinstance(item, dict):
            texts = [_word(item.get(key)) for key in ("rule", "name", "severity", "where", "saw", "help", "api")]
            finding = Finding(*texts)
            found.setdefault((finding.rule, finding.where, finding.saw), finding)
    return list(found.values())[:_MOST]


def _word(value) -> str:
    return "" if value is None else clean(value, 4000)


def reply_of(message, number: int | None = None) -> Reply | None:
    """The stop_reason and the tokens of a whole reply; None when ``message`` is an ordinary dict of a history."""
    if not isinstance(message, dict) or not ("stop_reason" in message or "usage" in message):
        return None
    stop = message.get("stop_reason")
    usage = message.get("usage") if isinstance(message.get("usage"), dict) else {}
    cached = _count(usage.get("cache_read_input_tokens"))
    sent = _count(usage.get("input_tokens")) + _count(usage.get("cache_creation_input_tokens")) + cached
    tokens = (sent, _count(usage.get("output_tokens"))) if usage else None
    return Reply(number, "null" if stop is None else clean(stop, 60), tokens, cached)


def _count(value) -> int:
    return value if type(value) is int and 0 <= value < 10**15 else 0
