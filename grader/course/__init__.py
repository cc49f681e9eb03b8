"""The course: chapters as data, the build of the notebooks, and what a notebook imports."""

from grader.course.checking import CheckResult, check
from grader.course.live import LiveScenario, UnknownScenario, scenario
from grader.course.show import View, show
from grader.course.toy_terminal import ToyTerminal

__all__ = ["CheckResult", "LiveScenario", "ToyTerminal", "UnknownScenario", "View", "check", "scenario", "show"]
