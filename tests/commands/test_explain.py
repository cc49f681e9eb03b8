"""``grader explain``: by code, by name, the list, and a name that does not exist."""

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.commands.rulebook import all_rules


@pytest.mark.parametrize("word", ["P01", "p01", "unanswered-call", "L03", "X01"])
def test_a_rule_is_explained(word):
    result = CliRunner().invoke(main, ["explain", word])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 2


def test_without_a_code_all_rules_are_listed():
    lines = CliRunner().invoke(main, ["explain"]).output.splitlines()
    assert len(lines) == len(all_rules())


def test_an_unknown_rule_exits_with_2_and_says_what_to_do():
    result = CliRunner().invoke(main, ["explain", "Z99"])
    assert result.exit_code == 2
    assert "grader explain" in result.output
