"""Lays a source out as a ladder: rows from top to bottom, a mark below what it is about, an arrow from each call to
its result.
"""

from dataclasses import replace

from grader.course.timeline.blocks import Described, describe
from grader.course.timeline.model import SEVERITIES, Arrow, Ladder, Row
from grader.course.timeline.pairing import Party, pair
from grader.course.timeline.places import Places
from grader.course.timeline.plain import clean, one_line
from grader.course.timeline.reading import read
from grader.course.timeline.sources import Finding, Insert, Reply, Source, reply_of

MAX_ROWS = 20_000
_TONES = {"user": "user", "assistant": "assistant"}


def ladder(thing, violations=None) -> Ladder:
    """The drawing of messages, a request, a transcript or a check's result, as rows and arrows. Never raises.

    ``violations``: ``Violation`` objects or their dicts, drawn at the places that they name; without them, the ones
    that a transcript or a check's result carries.
    """
    source = read(thing, violations)
    builder = _Builder(source)
    builder.run()
    builder.connect()
    return builder.ladder


class _Builder:
    def __init__(self, source: Source):
        self.source = source
        self.ladder = Ladder(messages=len(source.messages), outcome=one_line(source.outcome), checked=source.checked)
        self.rows = self.ladder.rows
        self.panel = -1
        self.turn = 0  # of the learner's count: one assistant reply with what answers it
        self.merged = 0  # of the API's count: neighbours of one role are one
        self.calls: list[Party] = []
        self.results: list[Party] = []
        self.places = Places(source)

    def run(self) -> None:
        before = None
        for index, message in enumerate(self.source.messages):
            if len(self.rows) >= MAX_ROWS:
                self._leave_out(len(self.source.messages) - index)
                break
            self._inserts(index)
            role = message.get("role") if isinstance(message, dict) else None
            self.merged += role != before
            before = role
            self._message(index, message, role)
        self._inserts(len(self.source.messages))
        self._rest()

    def _message(self, index: int, message, role) -> None:
        place = f"messages[{index}]"
        self.turn += role == "assistant"
        head = clean(role, 40) if isinstance(role, str) else "no role" if isinstance(message, dict) else "not a message"
        tone = _TONES.get(role, "other") if isinstance(role, str) else "other"
        self._open(tone, place, head, f"turn {self.turn}" if self.turn and tone != "other" else "")
        if isinstance(message, dict):
            self._content(message.get("content", "(no content)"), place, tone, index)
        else:
            self._block(describe(message), place, tone, paired=False)
        self._mark(self.places.of_message(index), tone)
        reply = self.source.replies.get(index) or reply_of(message)
        if reply is not None:
            self._reply(reply, tone)

    def _content(self, content, place: str, tone: str, index: int | None, paired: bool = True) -> None:
        """The rows of one message's content; ``index``: of the message, None for a reply that is none."""
        if not isinstance(content, list):
            described = describe({"type": "text", "text": content}) if isinstance(content, str) else describe(content)
            self._block(described, f"{place}.content", tone, paired=False)
            return
        if not content:
            self._add("block", tone, f"{place}.content", "no blocks", text="(the content is an empty list)")
        for i, block in enumerate(content):
            if len(self.rows) >= MAX_ROWS:
                self._add("fold", tone, place, text=f"{len(content) - i:,} more blocks, left out")
                return
            self._block(describe(block), f"{place}.content[{i}]", tone, paired)
            self._mark(self.places.of_block(index, i), tone)

    def _block(self, block: Described, place: str, tone: str, paired: bool) -> None:
        if paired and block.part:
            party = Party(len(self.rows), self.merged, block.ident, block.server)
            (self.calls if block.part == "call" else self.results).append(party)
        self._add("block", tone, place, block.head, block.title, block.text, block.notes, error=block.error)

    def _reply(self, reply: Reply, tone: str) -> None:
        self.ladder.replies += 1
        self.ladder.last_stop = reply.stop_reason
        if reply.tokens is not None:
            total = self.ladder.tokens or (0, 0)
            self.ladder.tokens = (total[0] + reply.tokens[0], total[1] + reply.tokens[1])
        self._add("reply", tone, head="stop_reason", title=reply.stop_reason, text=_tokens(reply))
        self._mark(self.places.of_reply(reply.number), tone)

    def _inserts(self, index: int) -> None:
        for insert in self.source.inserts.get(index, ()):
            self._insert(insert)

    def _insert(self, insert: Insert) -> None:
        if insert.content is None:
            self.panel += 1
            self._add("api", "other", head=insert.head, text=insert.text)
            return
        tone = "assistant" if insert.newest else "other"
        self.turn += insert.newest
        self.merged += insert.newest
        self._open(tone, "", insert.head, f"turn {self.turn}" if insert.newest else "")
        self._content(insert.content, "reply", tone, None, paired=insert.newest)
        if insert.reply is not None:
            self._reply(insert.reply, tone)

    def _mark(self, findings: list[Finding], tone: str) -> None:
        for finding in findings:
            self._add_mark(finding, tone)

    def _add_mark(self, finding: Finding, tone: str) -> None:
        notes = (("help", finding.help), ("the API would answer", finding.api))
        severity = finding.severity if finding.severity in SEVERITIES else "harmful"
        title = " ".join(part for part in (finding.rule, finding.name) if part) or "violation"
        notes = tuple((label, text) for label, text in notes if text)
        self._add("mark", tone, finding.where, severity, title, finding.saw, notes, severity=severity)

    def _rest(self) -> None:
        """Violations whose place is not drawn, or that have none."""
        left = self.places.rest()
        if left:
            self._open("other", "", "the whole run" if self.source.sent else "the whole history", "")
        self._mark(left, "other")

    def _leave_out(self, count: int) -> None:
        self.panel += 1
        self._add("fold", "other", text=f"{count:,} more messages, left out")

    def _open(self, tone: str, place: str, head: str, title: str) -> None:
        self.panel += 1
        self._add("message", tone, place, head, title)

    def _add(self, kind, tone, place="", head="", title="", text="", notes=(), severity="", error=False) -> None:
        place, head, title = one_line(place), one_line(head), one_line(title)
        self.rows.append(Row(kind, self.panel, tone, place, head, title, text, notes, severity, error=error))

    def connect(self) -> None:
        """Number the calls from the top, draw their arrows, and say of each row what became of it."""
        found = pair(self.calls, self.results)
        for number, call in enumerate(self.calls, 1):
            end, in_time = found.get(call.row, (None, False))
            state = "open" if end is None else "answered" if in_time else "late"
            self.ladder.arrows.append(Arrow(number, call.row, end, state, call.server))
            self.rows[call.row] = replace(self.rows[call.row], call=number, state=state)
            if end is not None:
                self.rows[end] = replace(self.rows[end], call=number, state="answer" if in_time else "late")
        for result in self.results:
            if self.rows[result.row].call is None:
                self.rows[result.row] = replace(self.rows[result.row], state="orphan")


def _tokens(reply: Reply) -> str:
    if reply.tokens is None:
        return ""
    cached = f" ({reply.cached:,} from the cache)" if reply.cached else ""
    return f"{reply.tokens[0]:,} tokens in{cached}, {reply.tokens[1]:,} out"
