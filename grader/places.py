"""Where the course's data files are: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent

# Asked in this order: beside an installed package there may be a folder "fixtures" of another package.
ROOT = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _CHECKOUT
FIXTURES = ROOT / "fixtures"
SCENARIOS = FIXTURES / "loops"
HISTORIES = FIXTURES / "histories"
FUNCTIONS = FIXTURES / "functions"
CHAPTERS = ROOT / "chapters"
NOTEBOOKS = ROOT / "notebooks"
SOLUTIONS = ROOT / "solutions"
RULE_PAGES = ROOT / "docs" / "rules"
