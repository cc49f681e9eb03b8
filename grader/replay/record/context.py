"""``with record("name") as rec``: record what a notebook or a test does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.replay.record.door import ForwardingDoor, default_upstream
from grader.replay.record.scenario_text import scenario_from, write_scenario
from grader.replay.scenario import Scenario


class Recording:
    """What is being recorded. ``scenario()`` makes a scenario of it, ``save`` a file; both also after the ``with``
    block.

    ``notes`` tell what could not be kept, after ``scenario()`` or ``save``.
    """

    def __init__(self, name: str, *, level: str = "loop", upstream: str | None = None, source: str = ""):
        self.name, self.level = name, level
        self.source = source or f"a run called {name}"
        self.notes: list[str] = []
        self.door = ForwardingDoor(upstream or default_upstream())

    @property
    def base_url(self) -> str:
        """Where a program has to send its requests."""
        return self.door.base_url

    def client(self, **options: Any) -> Any:
        """An ``anthropic.Anthropic`` that is recorded. ``options`` go to it (default: the key from the environment)."""
        import anthropic
        import httpx2

        http = httpx2.Client(trust_env=False, verify=False, timeout=anthropic.DEFAULT_TIMEOUT)
        return anthropic.Anthropic(base_url=self.base_url, http_client=http, **options)

    def async_client(self, **options: Any) -> Any:
        """The same as an ``anthropic.AsyncAnthropic``."""
        import anthropic
        import httpx2

        http = httpx2.AsyncClient(trust_env=False, verify=False, timeout=anthropic.DEFAULT_TIMEOUT)
        return anthropic.AsyncAnthropic(base_url=self.base_url, http_client=http, **options)

    def scenario(self) -> Scenario:
        """What was recorded so far, as a scenario. Raises RecordingError."""
        made, self.notes = scenario_from(
            self.door.passed, name=self.name, source=self.source, level=self.level, secrets=self.door.secrets
        )
        return made

    def save(self, folder: str | Path = ".") -> Path:
        """Write NAME.json into ``folder`` and return its path. Raises RecordingError, OSError."""
        path = Path(folder) / f"{self.name}.json"
        write_scenario(self.scenario(), path)
        return path

    def __enter__(self) -> Recording:
        self.door.__enter__()
        return self

    def __exit__(self, *exception) -> None:
        self.door.__exit__(*exception)


def record(name: str, *, level: str = "loop", upstream: str | None = None, source: str = "") -> Recording:
    """Record the requests of a ``with`` block: ``with record("name") as rec: client = rec.client()``.

    In: the scenario's name (small letters, digits, dashes); its level; where requests go (default: where the SDK sends
    them); what is recorded, in words. What the block raises goes on; what was recorded until then can still be saved.
    """
    return Recording(name, level=level, upstream=upstream, source=source)
