"""The course as data: what stands in ``chapters/course.toml``."""

import tomllib
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grader.places import CHAPTERS

Kind = Literal["loop", "function", "history", "answer"]
Level = Literal["loop", "pairing", "parallel", "errors", "stop_reasons", "gates", "resume"]
LADDER = "run_agent"  # the one loop that grows from chapter to chapter


class CourseError(Exception):
    """The course's own files are wrong: course.toml, a chapter, or a notebook made from it. The text is one line
    for the author."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exercise(_Table):
    """One exercise: what the learner hands in, what it is judged by, and what it is worth."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=40)]
    kind: Kind
    name: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$")]
    level: Level | None = None
    fixture: str | None = None
    points: Annotated[int, Field(ge=0)]
    whole: bool = False  # all points or none: what is handed out nearly works
    coroutine: bool = False  # a loop that has to be ``async def``
    title: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self):
        if self.kind == "loop":
            if self.level is None or self.fixture is not None:
                raise ValueError('a loop exercise has a "level" and no "fixture"')
        elif self.fixture is None or self.level is not None:
            raise ValueError(f'an exercise of kind {self.kind!r} has a "fixture" and no "level"')
        return self


class Chapter(_Table):
    """One chapter: its row in the README and its exercises."""

    n: Annotated[int, Field(ge=1, le=99)]
    slug: Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=40)]
    title: Annotated[str, Field(min_length=1)]
    line: Annotated[str, Field(min_length=1)]
    minutes: Annotated[int, Field(ge=1)]
    exercise: tuple[Exercise, ...] = ()

    @property
    def stem(self) -> str:
        """The name of the chapter's files, without what follows the dot: ``03_the_while_loop``."""
        return f"{self.n:02d}_{self.slug}"

    def find(self, exercise_id: str) -> Exercise | None:
        """The exercise of that id in this chapter, or None."""
        return next((e for e in self.exercise if e.id == exercise_id), None)


class Course(_Table):
    """All chapters, in order."""

    chapter: tuple[Chapter, ...]

    @model_validator(mode="after")
    def _is_in_order_and_unique(self):
        numbers = [c.n for c in self.chapter]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ValueError(f"chapters should be numbered 1, 2, 3, … in order, but are {numbers}")
        for what, names in (("slug", [c.slug for c in self.chapter]), ("exercise id", [e.id for e in self.exercises])):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"the {what} {twice[0]!r} is used twice")
        return self

    @model_validator(mode="after")
    def _ladder_is_named_by_its_levels(self):
        """The first ``run_agent`` of each level has the level's name as its id, and no other exercise has it."""
        rungs = {}
        for exercise in self.exercises:
            if exercise.kind == "loop" and exercise.name == LADDER:
                rungs.setdefault(exercise.level, exercise)
        for level, exercise in rungs.items():
            if exercise.id != level:
                raise ValueError(
                    f"the first {LADDER} of a level is named by its level: id {exercise.id!r} should be {level!r}"
                )
        for exercise in self.exercises:
            if exercise.id in get_args(Level) and rungs.get(exercise.id) is not exercise:
                raise ValueError(
                    f"the id {exercise.id!r} is a level's name: only the first {LADDER} of that level has it"
                )
        return self

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises of the course, in order."""
        return tuple(e for c in self.chapter for e in c.exercise)

    def find(self, exercise_id: str) -> Exercise | None:
        """The exercise of that id, or None."""
        return next((e for e in self.exercises if e.id == exercise_id), None)


def load_course(path: Path | None = None) -> Course:
    """Read the course's data.

    In: the path of a course.toml (default: the course's own). Out: the course. Raises CourseError, whose text is
    one line that says which file, which entry and what is wrong.
    """
    path = CHAPTERS / "course.toml" if path is None else Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path.name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CourseError(f"{path.name}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path.name}: is not TOML: {error}") from None
    try:
        return Course.model_validate(data)
    except ValidationError as error:
        raise CourseError(f"{path.name}: {_one_line(error, data)}") from None


def _one_line(error: ValidationError, data: dict) -> str:
    """The first fault, placed as an author would say it: ``chapter 3, exercise "loop", points: …``."""
    first = error.errors(include_url=False)[0]
    words, here = [], data
    for step in first["loc"]:
        here = _inside(here, step)
        if isinstance(step, int):
            name = here.get("id") or here.get("n") if isinstance(here, dict) else None
            words[-1] += f" {name if name is not None else f'number {step + 1}'}"
        else:
            words.append(str(step))
    place = ", ".join(words)
    text = first["msg"].removeprefix("Value error, ")
    return f"{place}: {text}" if place else text


def _inside(data, step):
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        return None
