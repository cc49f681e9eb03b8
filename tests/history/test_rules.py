"""Every declared rule is held to its own examples."""

import json
from dataclasses import replace

import pytest

from grader.history import RULES, lint
from grader.history.pages import FAMILIES, MEANING

HISTORY_RULES = {code: rule for code, rule in RULES.items() if rule.needs == "history"}
each_rule = pytest.mark.parametrize("rule", HISTORY_RULES.values(), ids=list(HISTORY_RULES))


@each_rule
def test_bad_example_breaks_this_rule_alone(rule):
    assert [violation.rule for violation in lint(rule.bad, replies=rule.replies)] == [rule.code]


@each_rule
def test_good_example_breaks_nothing(rule):
    assert lint(rule.good, replies=rule.replies) == []


@each_rule
def test_example_needs_the_check(rule, monkeypatch):
    """With the check taken out, the bad example passes: the violation comes from this check and from nowhere else."""
    monkeypatch.setitem(RULES, rule.code, replace(rule, check=lambda conversation: ()))
    assert lint(rule.bad, replies=rule.replies) == []


@each_rule
def test_violation_speaks(rule):
    (violation,) = lint(rule.bad, replies=rule.replies)
    assert violation.where and violation.saw.endswith((".", "...")) and violation.help.endswith((".", "}", ")"))
    assert "{" not in (violation.api or "")
    assert json.loads(json.dumps(violation.as_dict()))["rule"] == rule.code
    if rule.severity == "refused" and rule.code != "R17":  # R17: the SDK does not even send most of these
        assert violation.api
    if rule.severity != "refused":
        assert violation.api is None


@each_rule
def test_declaration_is_complete(rule):
    what, why, fix = rule.doc.split("\n\n")
    assert what and why and fix
    assert rule.sources and rule.code[0] in FAMILIES and rule.severity in MEANING
    assert rule.name == rule.name.lower() and " " not in rule.name


def test_rules_stand_in_the_order_of_their_codes():
    assert list(HISTORY_RULES) == sorted(HISTORY_RULES)


def test_only_the_asked_rules_run():
    bad = {
        "messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": [{"type": "text", "text": ""}]}]
    }
    assert [violation.rule for violation in lint(bad, rules=["E02"])] == ["E02"]


def test_a_broken_declaration_is_seen_at_once():
    from grader.history.rule import rule

    with pytest.raises(ValueError, match="declared twice"):
        rule("P01", "another-name", severity="refused", chapter=1)(lambda conversation: ())
    with pytest.raises(ValueError, match="severity"):
        rule("P98", "odd-severity", severity="bad", chapter=1)(lambda conversation: ())
    with pytest.raises(ValueError, match="docstring"):
        rule("P99", "no-docstring", severity="refused", chapter=1)(lambda conversation: ())
