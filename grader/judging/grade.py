"""Grading: from a learner's object, or a whole submission, to a report."""

import random
from dataclasses import dataclass

from grader.judging.contract import LEVELS
from grader.judging.exercises import grade_exercise
from grader.judging.exercises.loop import is_stuck, play_all, scenarios_of
from grader.judging.report import ExerciseReport, Report, whole_report

POINTS_OF_A_LEVEL = 10


@dataclass(frozen=True)
class LevelExercise:
    """One level of the contract as an exercise of its own: its own scenarios, judged by all rules up to the level asked for."""

    level: str
    points: int = POINTS_OF_A_LEVEL
    kind: str = "loop"
    name: str = "run_agent"

    @property
    def id(self) -> str:
        return self.level

    @property
    def title(self) -> str:
        return f"The contract, level {self.level}"


def new_seed() -> int:
    """A seed that nobody can know beforehand."""
    return random.SystemRandom().randrange(1, 1_000_000)


def grade_value(exercise, value, *, seed: int | None = None) -> Report:
    """Judge what a learner made for one exercise.

    In: the exercise (an entry of course.toml: id, kind, name, level or fixture, points, title), the learner's object, a seed (default: a
    new one). Out: the report. What the learner did never raises.
    """
    seed = new_seed() if seed is None else seed
    return whole_report([grade_exercise(exercise, value, seed=seed)], seed if exercise.kind == "loop" else None)


def grade_loop(function, *, level: str, seed: int | None = None, own_level_only: bool = False, player=None) -> Report:
    """Judge a loop against the contract up to ``level``: one exercise a level.

    ``own_level_only``: play the scenarios of that level alone. ``player``: see ``play_all``. The scenarios of all levels are judged by
    the rules up to ``level``.
    """
    seed = new_seed() if seed is None else seed
    levels = list(LEVELS)[: list(LEVELS).index(level) + 1]
    exercises = [LevelExercise(name) for name in ([level] if own_level_only else levels)]
    return whole_report(grade_levels(exercises, function, level, seed=seed, player=player), seed)


def grade_levels(exercises, function, level: str, *, seed: int, player=None) -> list[ExerciseReport]:
    """Judge one loop by several exercises, one a level: each plays its own level's scenarios, by the rules up to ``level``.

    After one in which the loop did not come back, no more is played.
    """
    reports: list[ExerciseReport] = []
    for exercise in exercises:
        stuck = any(is_stuck(report) for report in reports)
        scenarios = scenarios_of([exercise.level])
        reports.append(play_all(exercise, function, scenarios, level, seed=seed, player=player, stuck=stuck))
    return reports
