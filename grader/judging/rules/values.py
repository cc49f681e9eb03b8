"""Findings of exercises that are no loop: an answer, a messages list, a function of the learner's own.

These are declared so that they have a code, a name and a page like all others; the exercises' modules find them.
"""

from grader.history import Violation
from grader.history.rule import RULES, rule


@rule("X01", "wrong-answer", severity="harmful", chapter=1, needs="value", sources=("the exercise's fixture",))
def wrong_answer(_):
    """An answer to a question is not the one that the course holds to be right."""
    return ()


@rule("X02", "wrong-result", severity="harmful", chapter=1, needs="value", sources=("the exercise's fixture",))
def wrong_result(_):
    """A function returned something else than its case asks for, or did not raise what it should raise."""
    return ()


@rule("X03", "function-raised", severity="harmful", chapter=1, needs="value", sources=("the exercise's fixture",))
def function_raised(_):
    """A function raised where its case asks for a result, or did not come back in time."""
    return ()


@rule("X04", "wrong-calls", severity="harmful", chapter=2, needs="value", sources=("the exercise's fixture",))
def wrong_calls(_):
    """A function of the learner's called other functions than its case asks for, or with other arguments."""
    return ()


@rule("X05", "not-the-conversation", severity="harmful", chapter=1, needs="value", sources=("the exercise's fixture",))
def not_the_conversation(_):
    """A messages list is sound, but it is not the conversation that the exercise is about."""
    return ()


def finding(code: str, where: str, saw: str, help_: str) -> Violation:
    """A finding of one of these rules, at ``where``."""
    declared = RULES[code]
    return Violation(code, declared.name, declared.severity, where, saw, help_)
