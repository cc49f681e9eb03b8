"""Widgets to look at a loop with: a stepper, and cards that ask what comes next.

They are made of ipywidgets' core only, and each is a table or a list where there is no kernel or no widget front end.
"""

from grader.course.widgets.cards import Card, Cards, what_next
from grader.course.widgets.our_loop import our_loop
from grader.course.widgets.stepper import Stepper, steps

__all__ = ["Card", "Cards", "Stepper", "our_loop", "steps", "what_next"]
