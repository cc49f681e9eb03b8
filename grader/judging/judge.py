"""From a transcript to a judgement: the root cause first, what follows from it behind it."""

from dataclasses import dataclass, field

from grader.history import RULES, Violation
from grader.judging import rules as _declared  # noqa: F401  (declares the loop rules)
from grader.judging.finding import END, request_name
from grader.judging.run import Run

# Findings of one moment, by what causes what: a reply that is not appended orphans its results, a text put before the results leaves
# the call unanswered. The lower number is the cause. History rules not named here stand at _REFUSED, those of pairing at _PAIRING.
# N01 and N02 tell what becomes of a returned history that L16 or another rule has found wrong.
_CAUSE = {
    "L23": 0,
    "L01": 0,
    "L19": 0,
    "L02": 1,
    "L03": 1,
    "L21": 1,
    "L25": 2,
    "L04": 3,
    "L09": 5,
    "N01": 7,
    "N02": 7,
    "L22": 8,
}
_REFUSED, _PAIRING, _OTHER, _LAST = 2, 4, 6, 9


@dataclass
class Judgement:
    """What is wrong with one run. ``root`` is None when nothing is; ``notes`` are advice and cost no points."""

    root: Violation | None = None
    follows: list[Violation] = field(default_factory=list)
    notes: list[Violation] = field(default_factory=list)
    not_attempted: bool = False

    @property
    def passed(self) -> bool:
        return self.root is None and not self.not_attempted


def judge(transcript, scenario, level: str, play: int = 1) -> Judgement:
    """What is wrong with a run, by the rules up to ``level`` (a name of ``contract.LEVELS``). ``play``: 2 and on for further plays."""
    if is_stub(transcript):
        return Judgement(not_attempted=True)
    run = Run(transcript, scenario, level, play)
    found = _history_findings(run) + _loop_findings(run)
    found.sort(key=lambda item: item[:2])
    wrong, notes = [], []
    for _, _, violation in found:
        (notes if violation.severity == "advice" else wrong).append(violation)
    wrong, notes = _first_of_each(_without_echoes(wrong)), _first_of_each(notes)
    return Judgement(wrong[0] if wrong else None, wrong[1:], notes)


def is_stub(transcript) -> bool:
    """Whether the function is still the stub: it raised NotImplementedError before its first request."""
    crash = transcript.crash
    return crash is not None and crash.type == "NotImplementedError" and not transcript.exchanges


def _history_findings(run: Run) -> list[tuple]:
    found = []
    for step in run.steps:
        for violation in step.exchange.violations:
            if violation.severity != "harmful" or RULES[violation.rule].chapter <= run.chapter:
                place = request_name(step.index, violation.where)
                rank = _PAIRING if violation.rule.startswith("P") else _REFUSED
                rank = rank if violation.severity == "refused" else _OTHER
                found.append((step.index, rank, _at_place(violation, place)))
    if run.resumable and run.returned is not None:
        split = [violation for violation in run.faults_of_returned if violation.rule == "P13"]
        found += [(END - 3, _LAST, _at_place(violation, f"returned {violation.where}")) for violation in split]
    return found


def _at_place(violation: Violation, where: str) -> Violation:
    return Violation(**(violation.as_dict() | {"where": where}))


def _loop_findings(run: Run) -> list[tuple]:
    found = []
    for code, rule in RULES.items():
        if rule.needs != "transcript" or rule.chapter > run.chapter:
            continue
        for finding in rule.check(run):
            violation = Violation(code, rule.name, rule.severity, finding.where, finding.saw, finding.help, finding.api)
            found.append((finding.at, _CAUSE.get(code, _OTHER), violation))
    return found


def _first_of_each(violations: list[Violation]) -> list[Violation]:
    """A growing history repeats a fault in each later request: keep its first place."""
    seen, kept = set(), []
    for violation in violations:
        if violation.rule not in seen:
            seen.add(violation.rule)
            kept.append(violation)
    return kept


def _without_echoes(violations: list[Violation]) -> list[Violation]:
    """The crash that an explained cause ends in says nothing new."""
    explained = any(violation.rule in ("L26", "G06") or violation.severity == "refused" for violation in violations)
    return [violation for violation in violations if violation.rule != "L17" or not explained]
