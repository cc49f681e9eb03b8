"""A drawn conversation before it gets its ids and its wire shape: what is said, what the tools do, which limits are
set.

Plans are what Hypothesis draws and shrinks; ``build`` makes scenarios of them.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Call:
    """A call: of which tool (a name in ``catalogue.TOOLS``), with which outcome (keys of a scenario's behaviour).

    ``fault``: how its input does not fit ("missing", "extra", "type"). ``again``: it asks once more for what the call
    so many places before it asked for, with the keys in another order; 0 is a call of its own.
    """

    tool: str
    outcome: dict
    fault: str = ""
    again: int = 0


@dataclass(frozen=True)
class Turn:
    """One reply. ``thinking``: kinds of thinking blocks. ``search``: a server tool's call, "answered" in the reply or
    left "open".

    ``failures``: (status, type, times) of an HTTP error before it, which the SDK's retries get over. ``cut_json``: it
    comes as a stream in which the last call's JSON breaks off.
    """

    reason: str
    thinking: tuple[str, ...] = ()
    text: str = ""
    search: str = ""
    calls: tuple[Call, ...] = ()
    cached: bool = False
    failures: tuple = ()
    cut_json: bool = False


@dataclass(frozen=True)
class Failure:
    """A request that fails for good: an HTTP error, ``times`` times in a row."""

    status: int
    type: str
    times: int


@dataclass(frozen=True)
class Break:
    """A stream that breaks off behind ``after`` events of a reply; ``says``: with an error event in place of a lost
    connection.
    """

    turn: Turn
    after: int
    says: bool = False


@dataclass(frozen=True)
class Gate:
    """A limit near what is reached: at the ``at``-th reply, met exactly (0), not yet met there (1) or more than met
    (-1).
    """

    limit: str
    at: int
    beyond: int = 0


@dataclass(frozen=True)
class Plan:
    """A whole conversation at a level. ``hang``: which call's tool does not come back (-1: none). ``runs``: how often
    it is played.
    """

    level: str
    turns: tuple[Turn, ...]
    end: Turn | Failure | Break
    gates: tuple[Gate, ...] = field(default=())
    hang: int = -1
    runs: int = 1
    coroutines: bool = False
