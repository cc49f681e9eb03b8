"""A history that more than one test draws."""

import pytest

from tests.course.timeline.examples import assistant, call, result, text, user


@pytest.fixture
def weather():
    """Two parallel calls; the second is not answered."""
    return [
        user("How warm is it in Oslo and in Bergen?"),
        assistant(text("I look."), call("toolu_1", city="Oslo"), call("toolu_2", city="Bergen")),
        user(result("toolu_1")),
    ]
