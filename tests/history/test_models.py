import pytest

from grader.history.models import MODEL, allows_prefill, allows_system_role, binds_thinking

FACTS = [  # model, prefill, system role, binds thinking
    ("claude-3-5-haiku-20241022", True, False, False),
    ("claude-3-5-sonnet-latest", True, False, False),
    ("claude-3-7-sonnet-20250219", True, False, False),
    ("claude-3-opus-20240229", True, False, False),
    ("claude-4-sonnet-20250514", True, False, False),
    ("claude-sonnet-4-0", True, False, False),
    ("claude-sonnet-4-20250514", True, False, False),
    ("claude-opus-4-1-20250805", True, False, False),
    ("claude-sonnet-4-5-20250929", True, False, False),
    ("claude-haiku-4-5", True, False, False),
    ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", True, False, False),
    ("anthropic/claude-sonnet-4.6", False, False, False),
    ("claude-opus-4-5@20251101", True, False, False),
    ("claude-sonnet-4-6", False, False, False),
    ("claude-opus-4-7", False, False, False),
    ("claude-opus-4-8", False, True, False),
    ("claude-sonnet-5", False, True, False),
    ("claude-opus-5", False, True, False),
    ("claude-fable-5", False, True, False),
    ("claude-fable-5-1", False, True, True),
    ("claude-sonnet-5-5", False, True, True),
    ("claude-opus-5-5-20261001", False, True, True),
    ("claude-haiku-5-5", False, True, True),
    ("claude-mythos-preview", True, True, False),
    ("gpt-9", True, True, False),
    ("", True, True, False),
    (None, True, True, False),
    (17, True, True, False),
]


@pytest.mark.parametrize("model, prefill, system, binds", FACTS)
def test_facts(model, prefill, system, binds):
    assert (allows_prefill(model), allows_system_role(model), binds_thinking(model)) == (prefill, system, binds)


def test_the_model_of_the_course_takes_no_prefill():
    assert not allows_prefill(MODEL)
