"""Prediction cards: the right choice comes from a run."""

import pytest

from grader.course import Card, Cards, what_next

NAME = "ch03-bakery"
CARD = Card(("<i>shown</i>",), ("<b>one</b>", "two"), 1, "Because <3.")


def test_each_message_of_a_run_asks_for_the_next_one():
    cards = what_next("ch02-rye-stock").cards
    assert len(cards) == 4
    rights = [card.choices[card.right] for card in cards]
    assert [right.split(":")[0] for right in rights] == ["assistant", "user", "assistant", "nothing"]
    assert "tool_use count_stock" in rights[0] and "tool_result" in rights[1]
    for card, right in zip(cards[1:], rights, strict=False):
        assert card.shown[-1] == right


def test_choices_are_distinct_and_hold_the_right_one():
    for card in what_next(NAME).cards:
        assert 2 <= len(set(card.choices)) == len(card.choices) <= 4
        assert 0 <= card.right < len(card.choices)
        assert card.shown[-1] not in card.choices


def test_a_run_without_messages_says_so():
    with pytest.raises(ValueError, match="nothing to ask about"):
        what_next(NAME, lambda *args: ("done", []))
    with pytest.raises(ValueError, match="at least one"):
        Cards("none", [])


def test_the_score_counts_first_choices():
    cards = Cards("two", [CARD, CARD])
    assert not cards.choose(0) and cards.choose(1)
    cards.number = 1
    assert cards.choose(1) and not cards.choose(0)
    assert cards.at_once == 1 and cards.tried == [[0, 1], [1]]


def test_clicks_check_themselves_and_lead_on():
    cards = Cards("two", [CARD, CARD])
    top, choices, answer, buttons = cards._widget().children
    back, on = buttons.children
    choices.children[0].children[0].click()
    assert "Not that" in answer.value and choices.children[0].children[0].description == "a ✗"
    choices.children[1].children[0].click()
    assert "Right." in answer.value and "Because &lt;3." in answer.value
    assert all(row.children[0].disabled for row in choices.children)
    assert back.disabled and not on.disabled
    on.click()
    assert "card 2 of 2" in top.value and "Right" not in answer.value
    choices.children[1].children[0].click()
    assert "All cards done, 1 of 2 at once." in answer.value


def test_texts_are_escaped_and_stored_the_same_each_time():
    bundle = Cards("<u>", [CARD])._repr_mimebundle_()
    assert all(tag not in bundle["text/html"] for tag in ("<u>", "<i>", "<b>one"))
    assert "<details><summary>Answer" in bundle["text/html"] and "Because" not in bundle["text/plain"]
    again = what_next(NAME), what_next(NAME)
    assert repr(again[0]) == repr(again[1]) and again[0]._repr_html_() == again[1]._repr_html_()
