"""Drawn conversations as an exercise: all its points when all of them hold, and none otherwise."""

from dataclasses import dataclass

from grader.judging.exercises.loop import unplayable
from grader.judging.fuzz.hunting import Found, hunt
from grader.judging.report import CheckReport, ExerciseReport, exercise_report

POINTS = 10
_UNSTEADY = (
    "The loop failed on this conversation and held when it was played again. Look for state that outlives a run "
    "(a global, a default argument), or for a race between threads."
)


@dataclass(frozen=True)
class FuzzExercise:
    """``examples`` drawn conversations of a level of the contract."""

    level: str
    examples: int
    points: int = POINTS
    kind: str = "fuzz"
    id: str = "fuzz"
    name: str = "run_agent"
    whole: bool = True

    @property
    def title(self) -> str:
        return f"{self.examples} drawn conversations, level {self.level}"


def grade_fuzz(exercise: FuzzExercise, function, *, seed: int, player=None) -> ExerciseReport:
    """Judge a loop by drawn conversations. The report shows the smallest one that it fails on."""
    return fuzz_report(exercise, function, seed=seed, player=player)[0]


def fuzz_report(exercise: FuzzExercise, function, *, seed: int, player=None) -> tuple[ExerciseReport, Found]:
    """The report, and what was found: with the conversation itself, to be written as a scenario file."""
    if fault := unplayable(exercise, function, player):
        return exercise_report(exercise, [fault]), Found()
    found = hunt(function, level=exercise.level, examples=exercise.examples, seed=seed, player=player)
    if found.scenario is None:
        verdict = "not_attempted" if found.stub else "passed"
        check = CheckReport(name="fuzz", title=exercise.title, verdict=verdict)
        return exercise_report(exercise, [check]), found
    told = f"Conversation {found.played} of {exercise.examples} broke the loop. The smallest that does is shown."
    return exercise_report(exercise, [found.check()], message=f"{told} {_UNSTEADY}" if found.unsteady else told), found
