"""What a rule is, and the one registry of all of them.

A rule is declared beside its check::

    @rule("P01", "unanswered-call", severity="refused", chapter=1, api="messages.{i}: ...", good=..., bad=...)
    def unanswered_call(conversation):
        '''What it says. Why. How to fix it.'''
        yield found(place, "what was seen", "what to do", ids="toolu_01")
"""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass

from grader.history.violation import SEVERITIES, Violation

LONGEST = 400  # characters of what was seen: a name or an id can be of any length


class Finding(namedtuple("Finding", "where saw help order api fields", defaults=((), None, {}))):
    """What a check yields: where, what was seen, what to do, a sort key, and the API's text or what to fill it with."""

    __slots__ = ()


def found(at, saw: str, help: str, *, api: str | None = None, **fields) -> Finding:
    """Make a finding.

    ``at`` is a string, or a place of a conversation (it has ``where``, ``order`` and ``fields``). ``api`` replaces the
    rule's own template where one rule has several texts. ``fields`` fill the template.
    """
    if len(saw) > LONGEST:
        saw = f"{saw[:LONGEST]}..."
    if isinstance(at, str):
        return Finding(at, saw, help, api=api, fields=fields)
    return Finding(at.where, saw, help, order=at.order, api=api, fields={**at.fields, **fields})


@dataclass(frozen=True)
class Rule:
    """One declared rule. ``needs`` says what its check reads: a ``history``, or the ``transcript`` of a run."""

    code: str
    name: str
    severity: str
    chapter: int
    doc: str
    check: Callable  # subject -> findings
    good: object = None
    bad: object = None
    api: str | None = None
    sources: tuple[str, ...] = ()
    needs: str = "history"
    replies: object = None  # what the API had returned before the two examples; None for most rules

    def violation(self, finding: Finding) -> Violation:
        """Turn a finding of this rule's check into a violation."""
        template = finding.api or self.api
        api = template.format_map(finding.fields) if template else None
        return Violation(self.code, self.name, self.severity, finding.where, finding.saw, finding.help, api)


RULES: dict[str, Rule] = {}


def rule(code, name, *, severity, chapter, api=None, good=None, bad=None, sources=(), needs="history", replies=None):
    """Declare the decorated check as a rule and register it in ``RULES``; its docstring becomes the rule's text.

    Raises ValueError when the code or name is taken, the severity is unknown, or there is no docstring: a broken
    declaration is a mistake of ours and has to be seen at import.
    """

    def register(check):
        if code in RULES or any(known.name == name for known in RULES.values()):
            raise ValueError(f"rule {code} {name} is declared twice")
        if severity not in SEVERITIES:
            raise ValueError(f"rule {code} has the unknown severity {severity!r}")
        if not check.__doc__:
            raise ValueError(f"rule {code} has no docstring")
        doc = check.__doc__.replace("\n    ", "\n").strip()  # inspect.cleandoc, without importing inspect
        RULES[code] = Rule(code, name, severity, chapter, doc, check, good, bad, api, tuple(sources), needs, replies)
        return check

    return register
