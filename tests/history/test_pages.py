import pytest

from grader.history import RULES
from grader.history.pages import explain, write_pages
from grader.history.rule import Rule
from grader.places import RULE_PAGES

LOOP_RULE = Rule(
    "L99", "never-asked", "harmful", 3, "Ask the model.\n\nWhy | how.\n\nAsk.", lambda run: (), needs="transcript"
)


def test_a_page_for_each_rule_and_an_index(tmp_path):
    written = write_pages(tmp_path, {**RULES, "L99": LOOP_RULE})
    assert {path.stem for path in written} == {*RULES, "L99", "index"}
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    for rule in RULES.values():
        assert f"[{rule.code} {rule.name}]({rule.code}.md)" in index
        assert rule.doc in (tmp_path / f"{rule.code}.md").read_text(encoding="utf-8")
    loop_page = (tmp_path / "L99.md").read_text(encoding="utf-8")
    assert "never-asked" in loop_page and "## Wrong" not in loop_page and "What the API says" not in loop_page


def test_the_same_bytes_each_time_and_no_stale_page(tmp_path):
    (tmp_path / "X01.md").write_text("an old rule")
    first = {path.name: path.read_bytes() for path in write_pages(tmp_path)}
    second = {path.name: path.read_bytes() for path in write_pages(tmp_path)}
    assert first == second
    assert {path.name for path in tmp_path.iterdir()} == set(first)


def test_the_pages_in_docs_are_those_of_the_declarations(tmp_path):
    """The index is made with the loop rules as well, see `python -m grader build`."""
    for path in write_pages(tmp_path, {code: rule for code, rule in RULES.items() if rule.needs == "history"}):
        if path.name != "index.md":
            stored = RULE_PAGES / path.name
            assert stored.read_bytes() == path.read_bytes(), f"docs/rules is stale: {path.name}"


def test_markdown_of_a_page_has_no_gaps(tmp_path):
    for path in write_pages(tmp_path, {**RULES, "L99": LOOP_RULE}):
        content = path.read_text(encoding="utf-8")
        assert "\n\n\n" not in content and content.endswith("\n") and not content.endswith("\n\n"), path.name


def test_explain():
    text = explain("P01")
    assert text.startswith("P01 unanswered-call  (refused, chapter 1)\n")
    for part in (RULES["P01"].doc, "The API says:", "Wrong:", "Right:"):
        assert part in text
    assert explain(RULES["P01"]) == explain("p01") == explain("unanswered-call") == explain(" Unanswered-Call ")
    assert "Wrong" not in explain("L99", {"L99": LOOP_RULE})


def test_explain_what_is_no_rule():
    with pytest.raises(KeyError):
        explain("P00")
