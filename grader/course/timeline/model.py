"""What is drawn: rows from top to bottom and the arrows between them. The three renderers read this and no more."""

from dataclasses import dataclass, field

SEVERITIES = ("refused", "harmful", "advice")


@dataclass(frozen=True)
class Row:
    """One line of the ladder. All texts are clean (see ``plain.clean``), none is escaped; only ``text`` and the notes
    may have line ends.

    ``kind``: "message" (opens a panel), "block", "reply" (stop_reason and tokens), "mark" (a violation), "api" (an
    answer of the API that is no reply) or "fold". ``panel``: rows of one panel belong together. ``tone``: whose
    panel: "user", "assistant", "other". ``place``: as in a violation, "messages[1].content[0]". ``call``: the number
    of the tool call that this row opens or answers. ``state``: of a call "answered", "late" or "open"; of a result
    "answer", "late" or "orphan". ``notes``: (label, text) pairs.
    """

    kind: str
    panel: int
    tone: str
    place: str = ""
    head: str = ""
    title: str = ""
    text: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    severity: str = ""
    call: int | None = None
    state: str = ""
    error: bool = False


@dataclass(frozen=True)
class Arrow:
    """From the row of a call to the row of its result; ``end`` is None for an open call, which dangles."""

    call: int
    start: int
    end: int | None
    state: str
    server: bool = False


@dataclass
class Ladder:
    """The whole drawing, laid out in order. ``checked``: somebody looked for violations, so that none means none."""

    rows: list[Row] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    messages: int = 0
    replies: int = 0
    last_stop: str = ""
    tokens: tuple[int, int] | None = None
    outcome: str = ""
    checked: bool = False

    @property
    def marks(self) -> list[Row]:
        return [row for row in self.rows if row.kind == "mark"]

    @property
    def open_calls(self) -> list[Row]:
        return [self.rows[arrow.start] for arrow in self.arrows if arrow.state == "open"]
