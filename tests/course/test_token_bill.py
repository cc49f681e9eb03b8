"""The bill of a run: the course's numbers, and sliders that set them."""

from itertools import accumulate

import pytest

from grader.course.token_bill import TokenBill, price, tokens_sent


@pytest.mark.parametrize(("turns", "tokens"), [(0, 0), (1, 400), (2, 1100), (10, 17_500), (20, 65_000)])
def test_the_bill_is_the_sum_of_all_requests(turns, tokens):
    assert tokens_sent(turns, 400, 300) == tokens


def test_the_formula_is_the_sum():
    sizes = [70 + 30 * k for k in range(30)]
    assert [tokens_sent(n, 70, 30) for n in range(1, 31)] == list(accumulate(sizes))


def test_what_comes_from_the_cache_costs_a_tenth():
    assert price(1000, 0) == 1000
    assert price(1000, 1) == pytest.approx(100)
    assert price(1000, 0.5) == pytest.approx(550)


def test_the_text_says_what_the_course_says():
    assert "65,000 tokens (3.7 times)" in repr(TokenBill())
    assert "all 10 requests" in TokenBill()._repr_html_()
    assert repr(TokenBill()) == repr(TokenBill())


def test_a_slider_changes_the_bill():
    bill = TokenBill()
    box = bill._widget()
    turns = next(child for child in box.children if getattr(child, "description", "") == "turns")
    turns.value = 20
    assert bill.run.turns == 20
    assert "65,000 tokens" in box.children[-1].value and "all 20 requests" in repr(bill)


def test_a_notebook_gets_a_widget_and_a_table_for_where_there_are_none():
    bundle = TokenBill().set(cache_share=90)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "as much as 3,325 tokens" in bundle["text/plain"] and "<table>" in bundle["text/html"]
