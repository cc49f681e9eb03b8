"""What a loop rule yields: one finding in one run, with the moment at which it shows."""

from dataclasses import dataclass

END = float("inf")


@dataclass(frozen=True)
class Finding:
    """``at``: the index of the request in which it shows, plus a half for what happens behind its reply; ``END`` for the return."""

    at: float
    where: str
    saw: str
    help: str
    api: str | None = None


def request_name(index: int, place: str = "") -> str:
    """A place in a run for people: the requests are counted from 1."""
    return f"request {index + 1}, {place}" if place else f"request {index + 1}"
