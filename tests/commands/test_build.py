"""``grader build``: what is made from declarations is up to date, and says so when it is not."""

from click.testing import CliRunner

from grader.cli import main
from grader.commands import build
from grader.commands.rulebook import all_rules


def test_pages_schemas_and_the_readme_are_up_to_date():
    stale = [
        path
        for path, text in build.generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run: python -m grader build"
    assert build._left_over_pages() == []


def test_a_stale_page_is_found(monkeypatch):
    made = build.generated()
    first = next(iter(made))
    monkeypatch.setattr(build, "generated", lambda: made | {first: made[first] + "more"})
    assert build._short(first) in build.stale()


def test_each_rule_has_a_page():
    names = {path.name for path in build.generated() if path.suffix == ".md"}
    for rule in all_rules().values():
        assert any(rule.code in name for name in names), rule.code


def test_stats_has_a_line_a_chapter():
    result = CliRunner().invoke(main, ["build", "--stats"])
    assert result.exit_code == 0
    assert "01 you_are_the_loop" in result.output
