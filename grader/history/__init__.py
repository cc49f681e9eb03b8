"""What a message history is, and the rules that it must keep. Knows no HTTP, no notebook, no chapter."""

from grader.history.linter import lint
from grader.history.models import MODEL
from grader.history.rule import RULES, Rule
from grader.history.violation import Violation

__all__ = ["MODEL", "RULES", "Rule", "Violation", "lint"]
