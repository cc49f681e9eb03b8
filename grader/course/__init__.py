"""The course: chapters as data, the build of the notebooks, and what a notebook imports."""

from grader.course.checking import CheckResult, check
from grader.course.live import LiveScenario, UnknownScenario, scenario
from grader.course.plots import Picture, line_chart
from grader.course.progress import Progress, progress
from grader.course.show import View, show
from grader.course.token_bill import TokenBill
from grader.course.toy_terminal import ToyTerminal
from grader.course.widgets import Card, Cards, Stepper, our_loop, steps, what_next

__all__ = [
    "Card",
    "Cards",
    "CheckResult",
    "LiveScenario",
    "Picture",
    "Progress",
    "Stepper",
    "TokenBill",
    "ToyTerminal",
    "UnknownScenario",
    "View",
    "check",
    "line_chart",
    "our_loop",
    "progress",
    "scenario",
    "show",
    "steps",
    "what_next",
]
