"""The kinds of exercise, and the one way into them: ``grade_value(exercise, value)``."""

from grader.judging.exercises.answer import grade_answer
from grader.judging.exercises.function import grade_function
from grader.judging.exercises.history import grade_history
from grader.judging.exercises.loop import grade_level

__all__ = ["grade_exercise"]

_KINDS = {"answer": grade_answer, "function": grade_function, "history": grade_history, "loop": grade_level}


def grade_exercise(exercise, value, *, seed: int):
    """Judge what a learner made of one exercise.

    In: the exercise (an entry of course.toml), the learner's object, a seed. Out: an ``ExerciseReport``. Raises nothing for what
    the learner did; raises FixtureError when the exercise's own fixture cannot be used.
    """
    return _KINDS[exercise.kind](exercise, value, seed=seed)
