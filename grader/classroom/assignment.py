"""What a class run grades: the exercises, the options that decide the points, and their digest."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from grader import places
from grader.judging.fuzz.exercise import POINTS as FUZZ_POINTS

_PACKAGE = Path(places.__file__).resolve().parent
_ROOMS_THAT_JUDGE = ("history", "replay", "judging", "classroom/sandbox")


@dataclass(frozen=True)
class Exercise:
    """One exercise, as course.toml has it (or one level of the contract). ``chapter``: 0 for the contract."""

    id: str
    kind: str
    name: str
    title: str
    points: float
    level: str | None = None
    fixture: str | None = None
    whole: bool = False
    coroutine: bool = False
    chapter: int = 0

    @property
    def is_the_loop(self) -> bool:
        """Whether it is about ``run_agent`` itself, which grows from chapter to chapter."""
        return self.kind == "loop" and self.name == "run_agent"


@dataclass(frozen=True)
class Sheet:
    """What one file is graded by. ``label``: "3" for a chapter, "pairing" for a level. ``stem``: the chapter's file
    name, or empty.

    ``functions``: the loop's name in the files, where it is not ``run_agent``.
    """

    label: str
    exercises: tuple[Exercise, ...]
    stem: str = ""
    function: str = "run_agent"
    fuzz: int = 0

    def name_of(self, exercise: Exercise) -> str:
        return self.function if exercise.is_the_loop else exercise.name

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(self.name_of(exercise) for exercise in self.exercises))

    @property
    def levels(self) -> list[str]:
        return [exercise.level for exercise in self.exercises if exercise.is_the_loop and exercise.level]

    @property
    def max_points(self) -> float:
        drawn = FUZZ_POINTS if self.fuzz and self.levels else 0
        return sum(exercise.points for exercise in self.exercises) + drawn

    def matches(self, file: str) -> bool:
        """Whether a file's name is that of this chapter: ``03_the_while_loop``, ``3_...``, ``chapter-3``."""
        found = re.match(r"(?:chapter|ch|kapitel)?[ _-]*0*(\d{1,2})(?!\d)", file.casefold())
        return file.startswith(self.stem) or (found is not None and found[1] == self.label)

    def to_dict(self) -> dict:
        return asdict(self)

    @staticmethod
    def from_dict(data: dict) -> Sheet:
        return Sheet(**(data | {"exercises": tuple(Exercise(**one) for one in data["exercises"])}))


@dataclass(frozen=True)
class Assignment:
    """A class run's task: one sheet, or one a chapter when the chapter is told from each file's name. ``title``: for
    headings.
    """

    title: str
    sheets: tuple[Sheet, ...]
    keep: str = "best"
    seed: int = 0

    def sheet_for(self, file: str) -> Sheet | None:
        """The sheet for a file, by its name where there are several."""
        if len(self.sheets) == 1:
            return self.sheets[0]
        return next((sheet for sheet in self.sheets if sheet.matches(file)), None)

    @property
    def max_points(self) -> float:
        return sum(sheet.max_points for sheet in self.sheets)


def digest(*parts: Any) -> str:
    """A short digest of JSON data and bytes."""
    state = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True, ensure_ascii=True).encode()
        state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()[:32]


def grader_digest() -> str:
    """A digest of all that decides a verdict besides the submission: the grader's version and code, and the fixtures."""
    parts: list[Any] = [_version()]
    for room in _ROOMS_THAT_JUDGE:
        for path in sorted((_PACKAGE / room).rglob("*.py")):
            parts += [path.relative_to(_PACKAGE).as_posix(), path.read_bytes()]
    for folder in (places.SCENARIOS, places.FUNCTIONS, places.HISTORIES):
        for path in sorted(folder.glob("*.json")):
            parts += [path.name, path.read_bytes()]
    return digest(*parts)


def _version() -> str:
    try:
        return version("agent-loop-by-hand")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0"


def seed_for(seed: int, learner: str, label: str) -> int:
    """A learner's own seed: nobody can use what a neighbour saw. It follows from the run's seed."""
    return 1 + int(digest(seed, learner, label)[:12], 16) % 999_999_999
