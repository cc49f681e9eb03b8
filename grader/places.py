"""Where the course's data files are: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent

ROOT = _CHECKOUT if (_CHECKOUT / "fixtures").is_dir() else _PACKAGE / "_data"
FIXTURES = ROOT / "fixtures"
SCENARIOS = FIXTURES / "loops"
HISTORIES = FIXTURES / "histories"
FUNCTIONS = FIXTURES / "functions"
CHAPTERS = ROOT / "chapters"
NOTEBOOKS = ROOT / "notebooks"
SOLUTIONS = ROOT / "solutions"
RULE_PAGES = ROOT / "docs" / "rules"
