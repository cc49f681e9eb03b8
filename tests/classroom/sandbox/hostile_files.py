"""The hostile submissions and what each of them must get, as the files themselves say."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "hostile"
_LINE = re.compile(r"^#: (\w+) = (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Hostile:
    """``outcomes``: the ones that are right. ``passes``: whether it did the work and so gets its points."""

    path: Path
    tries: str
    outcomes: tuple[str, ...]
    passes: bool


def hostile_files() -> list[Hostile]:
    return [_read(path) for path in sorted(FOLDER.iterdir()) if path.suffix in (".py", ".ipynb")]


def _read(path: Path) -> Hostile:
    text = path.read_text(encoding="utf-8")
    head = json.loads(text)["metadata"]["hostile"] if path.suffix == ".ipynb" else dict(_LINE.findall(text))
    outcomes = tuple(word.strip() for word in head["outcome"].split("|"))
    return Hostile(path, head["tries"], outcomes, {"yes": True, "no": False}[head["passes"]])
