"""What the class as a whole got right and wrong, counted while the rows pass by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from grader.classroom.assignment import Assignment
from grader.classroom.rows import Row
from grader.history import RULES
from grader.judging import rules as _declared  # noqa: F401  (declares the loop rules)

BINS = 10


@dataclass
class Tally:
    """Counts of learners. ``rules``: those whose work broke a rule. ``exercises``: heading -> verdict -> learners.
    ``shares``: points
    in tenths of what there is to get. ``heading``: of an exercise, by sheet and id.
    """

    learners: int = 0
    handed_in: int = 0
    late: int = 0
    points: float = 0.0
    verdicts: Counter = field(default_factory=Counter)
    outcomes: Counter = field(default_factory=Counter)
    rules: Counter = field(default_factory=Counter)
    exercises: dict[str, Counter] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    shares: list[int] = field(default_factory=lambda: [0] * BINS)
    isolation: Counter = field(default_factory=Counter)

    @property
    def mean(self) -> float:
        return self.points / self.handed_in if self.handed_in else 0.0

    def by_chapter(self) -> dict[int, list[tuple[str, int]]]:
        """The broken rules, those that most learners broke first, under the chapter that teaches them."""
        found: dict[int, list[tuple[str, int]]] = {}
        for code, count in sorted(self.rules.items(), key=lambda item: (-item[1], item[0])):
            if code in RULES:  # X: wrong values and answers, which every chapter has
                found.setdefault(0 if code.startswith("X") else RULES[code].chapter, []).append((code, count))
        return dict(sorted(found.items()))


def count(tally: Tally, row: Row, assignment: Assignment) -> None:
    """Add one learner."""
    tally.learners += 1
    tally.verdicts[row.verdict] += 1
    if not row.kept:
        return
    tally.handed_in += 1
    tally.late += row.late
    tally.points += row.points
    tally.outcomes[row.outcome or "not run"] += 1
    share = row.points / row.max_points if row.max_points else 0
    tally.shares[min(BINS - 1, int(share * BINS))] += 1
    broken = set()
    several = len(assignment.sheets) > 1
    for label, one in row.kept.items():
        tally.isolation[one["report"]["isolation"]] += 1
        for exercise in one["report"]["exercises"]:
            heading = f"{label}/{exercise['id']}" if several else exercise["id"]
            tally.titles[heading] = exercise["title"]
            tally.exercises.setdefault(heading, Counter())[exercise["verdict"]] += 1
            broken |= {violation["rule"] for violation in exercise["violations"]}
    tally.rules.update(broken)
