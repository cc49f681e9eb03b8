"""Record a scenario of the course once more: its task and its scripted tools, with the model's own replies."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from typing import Any

from grader.replay.fresh import Fresh
from grader.replay.player import Player
from grader.replay.record.context import record
from grader.replay.record.scenario_text import RecordingError
from grader.replay.scenario import ErrorReply, MessageReply, Scenario

_PLACEHOLDER = re.compile(r"\{nonce(?::([A-Za-z0-9_-]+))?\}")
_ORDINARY = ("tool_use", "end_turn")
_SEED = 1


def why_not(scenario: Scenario) -> str | None:
    """Why a live model cannot be asked for this scenario; None when it can.

    Errors, broken streams, refusals, pauses and cut replies cannot be ordered: such a scenario is written, not
    recorded.
    """
    if not all(isinstance(reply, MessageReply) for reply in scenario.replies):
        return "it needs an HTTP error or a broken stream"
    odd = sorted({str(reply.message["stop_reason"]) for reply in scenario.replies} - set(_ORDINARY))
    if odd:
        return f"it needs the stop_reason {' and '.join(odd)}"
    if scenario.limits or scenario.repeat_last:
        return "it needs a model that goes on until a gate stops it"
    if scenario.missing_functions or any(behaviour.hangs for tool in scenario.tools for behaviour in tool.behaviour):
        return "it needs a tool that is missing or hangs"
    if scenario.replies[-1].message["stop_reason"] != "end_turn" or not scenario.replies[-1].message["content"]:
        return "it needs an unusual end"
    return None


def record_again(
    scenario: Scenario, function: Callable, *, upstream: str | None = None, **options: Any
) -> tuple[Scenario, list[str]]:
    """Run ``function`` (a loop) live on the scenario's task and scripted tools; return the scenario with the replies
    that came.

    Also notes on the recording. ``options`` go to the client (default: the key from the environment). Raises
    RecordingError, and what the function raises.
    """
    player = Player(scenario, _SEED, {})
    try:
        with record(scenario.name, level=scenario.level, upstream=upstream) as recording:
            client = recording.client(**options)
            try:
                function(client, player.task, player.tools, player.functions())
            finally:
                client.close()
    finally:
        player.finish()
    if recording.door.failures and not recording.door.passed:
        raise RecordingError(recording.door.failures[0])
    recorded = recording.scenario()
    last = recorded.replies[-1]
    if isinstance(last, ErrorReply):  # a wrong key or no credit is nobody's scenario
        raise RecordingError(f"the API answered {last.error.status}: {last.error.message}")
    return _merged(scenario, recorded), recording.notes


def _merged(scenario: Scenario, recorded: Scenario) -> Scenario:
    """The scenario's own words and tools with the recorded replies, in which fresh words are placeholders again."""
    data = scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)
    came = recorded.model_dump(mode="json", by_alias=True, exclude_unset=True)
    text = json.dumps(came["replies"], ensure_ascii=False)
    fresh = Fresh(scenario.name, _SEED)
    for found in _PLACEHOLDER.finditer(json.dumps(data, ensure_ascii=False)):
        text = text.replace(fresh.word(found[1] or ""), found[0])
    source = "live run of this scenario's task and tools"
    provenance = {"kind": "recorded", "date": datetime.date.today().isoformat(), "source": source}
    return Scenario.model_validate(
        {**data, "replies": json.loads(text), "provenance": provenance, "expect": came["expect"]}
    )
