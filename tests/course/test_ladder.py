"""The ladder: the loop of each chapter passes the contract up to its own level, and fails the next one on what the next chapter teaches."""

import pytest

from grader.course.chapters import load_course
from grader.history import RULES
from grader.judging import LEVELS, grade_loop
from grader.judging.submission import load_submission
from grader.places import NOTEBOOKS, SOLUTIONS

NAMES = list(LEVELS)
CHAPTERS = [
    (chapter, exercise) for chapter in load_course().chapter for exercise in chapter.exercise if exercise.kind == "loop"
]
LADDER = [pair for pair in CHAPTERS if pair[1].name == "run_agent"]


def named(pairs):
    return pytest.mark.parametrize(
        ("chapter", "exercise"), pairs, ids=[f"{chapter.n}-{exercise.id}" for chapter, exercise in pairs]
    )


@pytest.fixture(scope="module")
def loop_of():
    """The object of a name in a notebook. Each notebook is run once."""
    loaded = {}

    def find(folder, chapter, name):
        path = folder / f"{chapter.stem}.ipynb"
        if path not in loaded:
            loaded[path] = load_submission(path)
        return loaded[path].names[name]

    return find


@named(CHAPTERS)
def test_the_solution_passes_its_level(loop_of, chapter, exercise):
    report = grade_loop(loop_of(SOLUTIONS, chapter, exercise.name), level=exercise.level, seed=11)
    assert report.verdict == "passed", [violation.as_dict() for violation in report.violations]


@named([pair for pair in LADDER if pair[1].level != NAMES[-1]])
def test_it_fails_the_next_level_on_a_rule_of_the_next_chapter(loop_of, chapter, exercise):
    above = NAMES[NAMES.index(exercise.level) + 1]
    report = grade_loop(loop_of(SOLUTIONS, chapter, exercise.name), level=above, seed=11)
    assert report.verdict == "failed"
    below, own = report.exercises[:-1], report.exercises[-1]
    # the next chapter's rules hold for the scenarios of the levels below too: an open call is one wherever a loop stops
    assert {RULES[violation.rule].chapter for one in below for violation in one.violations} <= {chapter.n + 1}
    assert chapter.n + 1 in {RULES[violation.rule].chapter for violation in own.violations}, own.violations


@named(LADDER)
def test_the_stub_is_not_attempted(loop_of, chapter, exercise):
    report = grade_loop(loop_of(NOTEBOOKS, chapter, exercise.name), level=exercise.level, seed=11)
    assert (report.verdict, report.points) == ("not_attempted", 0)


@named([pair for pair in CHAPTERS if pair not in LADDER])
def test_a_loop_that_is_to_be_mended_does_not_pass_as_it_is(loop_of, chapter, exercise):
    report = grade_loop(loop_of(NOTEBOOKS, chapter, exercise.name), level=exercise.level, seed=11)
    assert report.verdict in ("failed", "not_attempted")


def test_every_level_has_its_chapter():
    taught = {exercise.level: chapter.n for chapter, exercise in LADDER if exercise.id == exercise.level}
    assert all(taught[level] == LEVELS[level] for level in taught)
