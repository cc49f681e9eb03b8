"""From a plan to a scenario: ids, wire shape, tools, limits, and the statuses that are right."""

import datetime

from grader.judging.contract import LEVELS, Bookkeeper
from grader.judging.fuzz import wire
from grader.judging.fuzz.calls import HANG_S, Switchboard
from grader.judging.fuzz.plan import Break, Failure, Gate, Plan, Turn
from grader.replay import Scenario
from grader.replay.stream import events_of, message_of

_REPLY_TAKES_S = 40
_OVERLOADED = "The server says no for now."


def scenario_of(plan: Plan, seed: int) -> Scenario:
    """The scenario that the plan stands for. ``seed``: of the draw; it names the scenario."""
    gated = LEVELS[plan.level] >= LEVELS["gates"]
    switchboard = Switchboard(gated, plan.hang)
    replies = _Replies(switchboard).of([*plan.turns, plan.end])
    timed = any(gate.limit == "timeout_s" for gate in plan.gates)
    if timed:
        replies = [reply if "error" in reply else {**reply, "takes_s": _REPLY_TAKES_S} for reply in replies]
    limits = _limits(plan.gates, replies) | ({"tool_timeout_s": HANG_S} if switchboard.hangs else {})
    data = {
        "name": f"fuzz-{seed}",
        "title": f"Drawn: {', '.join(_outline(plan))}",
        "level": plan.level,
        "teaches": "Nothing in particular: it was drawn by lot.",
        "provenance": {"kind": "authored", "date": datetime.date(2026, 11, 30), "source": f"fuzz seed {seed}"},
        "task": "Do what {nonce:task} needs.",
        "tools": [{**tool, "async": plan.coroutines} for tool in switchboard.tools()],
        "server_tools": [wire.SEARCH_TOOL] if "server_tool_use" in str(replies) else [],
        "missing_functions": switchboard.missing(),
        "replies": replies,
        "limits": limits,
        "runs": plan.runs,
        "expect": {
            "status": right_statuses(replies, limits, gated),
            "note": "What the contract says of this conversation.",
        },
    }
    return Scenario.model_validate(data)


def _outline(plan: Plan) -> list[str]:
    words = {Failure: "a failed request", Break: "a broken stream"}
    return [words.get(type(one)) or one.reason for one in [*plan.turns, plan.end]]


class _Replies:
    """The replies of a conversation, one after the other; a search that is left open is answered in the next one."""

    def __init__(self, switchboard: Switchboard):
        self._switchboard = switchboard
        self._searches = 0
        self._open: int | None = None
        self._number = 0

    def of(self, parts: list) -> list[dict]:
        found = []
        for part in parts:
            if isinstance(part, Turn) and part.failures:
                found.append(_error(*part.failures))
            found.append(self._reply(part))
        return found

    def _reply(self, part: Turn | Failure | Break) -> dict:
        if isinstance(part, Failure):
            return _error(part.status, part.type, part.times)
        if isinstance(part, Break):
            events = wire.broken_off(events_of(self._message(part.turn)), part.after, part.says)
            return {"events": events, "cut": not part.says}
        message = self._message(part)
        last = message["content"][-1] if message["content"] else {}
        if part.cut_json and last.get("input"):
            return {"events": wire.cut_inside_last_call(events_of(message))}
        return {"message": message}

    def _message(self, turn: Turn) -> dict:
        self._number += 1
        content = self._content(turn)
        return wire.message(self._number, turn.reason, content, cached=turn.cached)

    def _content(self, turn: Turn) -> list[dict]:
        if turn.reason == "refusal" and not (turn.text or turn.calls):
            return []  # also in the middle of a search
        if self._open is None:
            found = [wire.thinking(kind, f"{self._number}-{i}") for i, kind in enumerate(turn.thinking)]
        else:  # what the API found while the turn was paused opens the next reply
            found, self._open = [wire.search_result(self._open)], None
        found += [wire.text(turn.text)] if turn.text else []
        return found + self._search(turn.search) + [self._switchboard.block(call) for call in turn.calls]

    def _search(self, kind: str) -> list[dict]:
        if not kind:
            return []
        self._searches += 1
        if kind == "open":
            self._open = self._searches
            return [wire.search(self._searches)]
        return [wire.search(self._searches), wire.search_result(self._searches)]


def _error(status: int, kind: str, times: int) -> dict:
    return {"error": {"status": status, "type": kind, "message": _OVERLOADED}, "times": times}


def _limits(gates: tuple[Gate, ...], replies: list[dict]) -> dict:
    tokens, total = [], Bookkeeper({}, False)
    for reply in replies:
        if "message" in reply:
            total.after(reply["message"], 0)
            tokens.append(total.tokens)
    return {gate.limit: _limit(gate, tokens) for gate in gates}


def _limit(gate: Gate, tokens: list[int]) -> int:
    if gate.limit == "max_turns":
        return max(1, gate.at + gate.beyond)
    if gate.limit == "max_repeats":
        return 2 + gate.at % 3
    if gate.limit == "timeout_s":  # nobody's clock is so slow that half a reply's time is passed by chance
        return _REPLY_TAKES_S * gate.at + gate.beyond * _REPLY_TAKES_S // 2
    reached = tokens[min(gate.at, len(tokens)) - 1] if tokens else 500
    return reached + gate.beyond


def right_statuses(replies: list[dict], limits: dict, gated: bool) -> list[str]:
    """Every status with which a right loop may end this conversation."""
    books, found = Bookkeeper(limits, gated), set()
    for reply in replies:
        if "error" in reply:
            if reply["error"]["status"] >= 429 and reply["times"] < 3:
                continue
            return sorted(found | {"api_error"})
        message = reply.get("message") or message_of(reply["events"])
        if message["stop_reason"] is None:
            return sorted(found | {"api_error"})
        decision = books.after(message, reply.get("takes_s", 0))
        found |= decision.statuses
        if not decision.go_on:
            break
    return sorted(found)
