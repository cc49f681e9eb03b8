"""Reading the fixtures of exercises that are no loop (their format: docs/authoring.md)."""

import json
from pathlib import Path


class FixtureError(Exception):
    """A fixture of the course cannot be used. The text is one line: the file, and what is wrong."""


def read_fixture(folder: Path, name: str) -> dict:
    """The fixture of that name in ``folder``. Raises FixtureError."""
    path = folder / f"{name}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FixtureError(f"{path.parent.name}/{path.name}: {error}") from None
    if not isinstance(data, dict) or data.get("name") != name:
        raise FixtureError(f'{path.parent.name}/{path.name}: its "name" should be {name!r}')
    return data


def squeezed(text) -> str:
    """A text with each run of white space as one space, and none at its ends."""
    return " ".join(str(text).split())


def is_blank(value) -> bool:
    """What reads "not attempted yet": ``...``, None, a blank text, an empty list."""
    return (
        value is ...
        or value is None
        or (type(value) in (str, list, tuple, dict) and not (value.strip() if type(value) is str else value))
    )
