"""One finding, whatever it came from: a history rule, a loop rule, or a crash."""

from dataclasses import asdict, dataclass

SEVERITIES = ("refused", "harmful", "advice")


@dataclass(frozen=True)
class Violation:
    """A rule that was broken, where, and what to do about it.

    ``where`` uses the reader's own indices, as in ``messages[3].content[1]``. ``api`` is the text of the API's own
    error, with the indices of the merged turns, or None when the API says nothing.
    """

    rule: str
    name: str
    severity: str
    where: str
    saw: str
    help: str
    api: str | None = None

    def as_dict(self) -> dict:
        """Return the seven fields as a plain dict, ready for JSON."""
        return asdict(self)
