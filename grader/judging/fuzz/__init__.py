"""Conversations that Hypothesis draws, for a loop that may know the public scenarios by heart."""

from grader.judging.fuzz.exercise import FuzzExercise, grade_fuzz
from grader.judging.fuzz.hunting import Found, hunt

__all__ = ["Found", "FuzzExercise", "grade_fuzz", "hunt"]
