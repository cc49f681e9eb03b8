"""``lint``: which rules does a history break?"""

import grader.history.rules  # noqa: F401  (declares the rules)
from grader.history.conversation import read
from grader.history.rule import RULES
from grader.history.violation import SEVERITIES, Violation


def lint(history, *, replies=None, rules=None, parsed: bool = False) -> list[Violation]:
    """Return what is wrong with a history, by place, what the API refuses first.

    ``history`` is a request about to be sent (a mapping with ``messages``), a bare list of messages (a transcript,
    which may end with the assistant), or the JSON text of either; SDK objects may stand anywhere inside. ``replies`` is
    what the API returned so far in this run: a list of content lists, or of ``{"content": [...], "request": {...}}``
    with the request that each answered. Rules that compare with the original look there and are silent without it.
    ``rules`` keeps only these codes. ``parsed`` says that history and replies come from a JSON parser: they are not read
    through for values that JSON has no room for, which takes most of the time.
    Never raises on odd data: what is not a history is a violation.
    """
    conversation = read(history, replies, parsed)
    kept = None if rules is None else set(rules)
    chosen = [rule for code, rule in RULES.items() if rule.needs == "history" and (kept is None or code in kept)]
    found = [
        (finding.order, SEVERITIES.index(rule.severity), number, rule.violation(finding))
        for number, rule in enumerate(chosen)
        for finding in rule.check(conversation)
    ]
    found.sort(key=lambda entry: entry[:3])
    return [violation for *_, violation in found]
