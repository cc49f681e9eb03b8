"""``scenario``: one live play of a scenario, for the cells of a notebook."""

import difflib
from collections.abc import Callable

from grader.course.show import View, show
from grader.course.timeline import Timeline
from grader.places import SCENARIOS
from grader.replay import Player, Scenario, Transcript, in_process, load_scenario, play

DEFAULT_SEED = 1  # a demo shows the same ids each time it runs; check takes a new seed


class UnknownScenario(LookupError):
    """There is no scenario of that name. The text names the nearest one."""

    def __str__(self) -> str:
        return self.args[0]


class LiveScenario:
    """A scenario that is being played: a client that answers from its script, and what the grader sees of it.

    The client refuses what the API refuses (``anthropic.BadRequestError``, with the API's text). The script is
    finite; ask for the scenario again to start anew.
    """

    def __init__(self, script: Scenario, seed: int):
        self.name: str = script.name
        self.seed = seed
        self.limits: dict = dict(script.limits)
        self._script = script
        self._player = Player(script, seed)
        self.task: str = self._player.task
        self.tools: list = self._player.tools
        self.functions: dict[str, Callable] = self._player.functions()

    def client(self):
        """A real ``anthropic.Anthropic`` that talks to this scenario."""
        return in_process.client(self._player)

    def async_client(self):
        """A real ``anthropic.AsyncAnthropic`` that talks to this scenario."""
        return in_process.async_client(self._player)

    @property
    def transcript(self) -> Transcript:
        """What the grader saw so far: exchanges and tool runs."""
        return self._player.transcript

    @property
    def requests(self) -> list[dict]:
        """The bodies of the requests so far, as they arrived."""
        return [exchange.request for exchange in self.transcript.exchanges]

    def play(self, function: Callable, **limits) -> View | Timeline:
        """Play the whole scenario from its start with a loop function, apart from what was sent through
        ``client()``.

        In: the function; limits to pass to it (default: the scenario's). Out: the transcript, as ``show`` draws it.
        Never raises for a fault in the function; a stub gives "not attempted yet".
        """
        transcript = play(self._script, function, seed=self.seed, limits=limits or None)
        if transcript.crash is not None and transcript.crash.type == "NotImplementedError" and not transcript.exchanges:
            return View.message("Not attempted yet: the function is still the stub.")
        return show(transcript)

    def __repr__(self) -> str:
        seen = len(self.transcript.exchanges)
        return f'scenario "{self.name}": {self.task!r} ({seen} request{"" if seen == 1 else "s"} so far)'


def scenario(name: str, *, seed: int = DEFAULT_SEED) -> LiveScenario:
    """Start a scenario of the course.

    In: its name, as in fixtures/loops/; a seed, from which its ids and words are made. Out: the live scenario.
    Raises UnknownScenario.
    """
    known = sorted(path.stem for path in SCENARIOS.glob("*.json"))
    if name not in known:
        close = difflib.get_close_matches(str(name), known, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else ""
        raise UnknownScenario(f"There is no scenario called {name!r}.{hint}")
    return LiveScenario(load_scenario(name), seed)
