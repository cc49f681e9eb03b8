"""Wrong loops, one fault each, are caught at the level where the fault belongs, by the rule that says what is wrong."""

import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from mutants.catalogue import FAMILIES, MUTANTS  # noqa: E402
from mutants.mutant import Mutant  # noqa: E402
from mutants.witnesses import WITNESSES  # noqa: E402

import grader.replay  # noqa: E402
from grader.history import RULES  # noqa: E402
from grader.judging import LEVELS, grade_loop  # noqa: E402

# Rules that no loop can break first, each with the reason.
UNREACHED = {
    "E06": "about bare lists",
    "P07": "an id changes before it is malformed: L04",
    "P08": "an input changes before it is malformed: L04",
    "P14": "advice; the text itself is L22",
    "P15": "advice; an id that comes twice was changed: L04",
    "P17": "about bare lists",
    "R01": "the SDK sends a list",
    "R02": "L01 says it first",
    "R03": "L01 says it first",
    "R04": "L03 says it first",
    "R08": "about models that the course does not use",
    "R10": "what else a system message may hold",
    "R17": "about files",
    "R18": "advice",
    "R19": "advice: the nulls of a plain model_dump()",
    "S01": "what was left out is L04 or L16",
    "S02": "what was left out is L04",
    "S03": "a server call's id changes before it is malformed: L04",
    "T04": "emptied thinking is T01 or T02",
    "T05": "thinking moved to the end is L04",
    "T06": "needs thinking of type enabled, which the scenarios don't carry",
    "T07": "needs thinking of type enabled, which the scenarios don't carry",
    "T08": "what moved the thinking is L02",
    "G08": "a loop that uses late output has waited for it: G05",
}


@pytest.fixture(autouse=True)
def scenarios_read_once(monkeypatch):
    """Reading all scenarios anew for each mutant would take longer than playing them."""
    monkeypatch.setattr(grader.replay, "all_scenarios", lambda: SCENARIOS)


SCENARIOS = grader.replay.all_scenarios()


@pytest.fixture
def short_deadline(monkeypatch, mutant):
    """A loop that never returns need not be waited for as long as a learner's."""
    if "L18" in mutant.rules:
        monkeypatch.setattr("grader.judging.exercises.loop.DEADLINE_S", 2.0)


def told(report):
    """What a report says, for the assertion's message."""
    return [(check.name, one.rule, one.where, one.saw) for check in played(report) for one in check.violations]


def played(report):
    return [check for exercise in report.exercises for check in exercise.checks]


def param(mutant):
    marks = [pytest.mark.xfail(reason=mutant.missed, strict=True)] if mutant.missed else []
    return pytest.param(mutant, id=mutant.name, marks=marks)


@pytest.mark.usefixtures("short_deadline")
@pytest.mark.parametrize("mutant", [param(mutant) for mutant in MUTANTS])
def test_a_wrong_loop_is_caught_by_its_rule(mutant):
    report = grade_loop(mutant.function(), level=mutant.level, seed=21, own_level_only=True)
    assert report.verdict == "failed", "not caught"
    assert report.violations[0].rule in mutant.rules, told(report)
    if mutant.name in WITNESSES.values():
        [scenario] = [name for name, witness in WITNESSES.items() if witness == mutant.name]
        assert {check.name for check in played(report) if check.verdict != "passed"} == {scenario}


@pytest.mark.parametrize("mutant", [pytest.param(m, id=m.name) for m in MUTANTS if m.level != "loop"])
def test_a_wrong_loop_passes_the_level_before(mutant):
    before = list(LEVELS)[list(LEVELS).index(mutant.level) - 1]
    report = grade_loop(mutant.function(), level=before, seed=22)
    assert report.verdict == "passed", told(report)


def test_every_graded_scenario_has_a_mutant_of_its_level_that_it_alone_catches():
    """That it catches it, and no other does, is seen where the mutant is played."""
    levels = {mutant.name: mutant.level for mutant in MUTANTS if not mutant.missed}
    graded = {scenario.name: scenario.level for scenario in SCENARIOS if not scenario.demo}
    assert {name: levels[witness] for name, witness in WITNESSES.items()} == graded
    assert max(Counter(WITNESSES.values()).values()) == 1


def test_names_are_unique_and_each_mutant_says_why():
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1
    assert all(mutant.why and mutant.level in LEVELS and mutant.rules for mutant in MUTANTS)
    assert len(MUTANTS) >= 90 and all(family.MUTANTS for family in FAMILIES)


def test_no_two_mutants_are_the_same_loop():
    """Equal up to white space and comments would be one fault counted twice."""
    trees = Counter(ast.dump(ast.parse(mutant.text())) for mutant in MUTANTS)
    assert max(trees.values()) == 1


def test_an_edit_that_does_not_fit_its_base_is_refused():
    broken = Mutant("broken", "L01", "loop", "its edit names a text that is not there", [("no such text", "")])
    with pytest.raises(ValueError, match="0 places"):
        broken.text()


def test_every_rule_is_reached_by_a_mutant_or_says_why_not():
    declared = {code for code, rule in RULES.items() if rule.needs in ("history", "transcript")}
    named = {mutant.rules[0] for mutant in MUTANTS if not mutant.missed}
    assert named <= declared
    assert declared - named == set(UNREACHED)
