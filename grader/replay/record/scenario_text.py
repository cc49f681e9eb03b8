"""From what passed a forwarding door to a scenario file."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from grader.replay.record.behaviours import recorded_tools
from grader.replay.record.door import Passed
from grader.replay.record.scrub import scrubbed
from grader.replay.scenario import Scenario, ScenarioError, read_scenario
from grader.replay.stream import is_whole, message_of

_STATUS = {"end_turn": "done", "tool_use": "max_turns", "pause_turn": "max_turns"}


class RecordingError(Exception):
    """What passed the door makes no scenario. The text is one line."""


def scenario_from(
    passed: list[Passed], *, name: str, source: str, level: str = "loop", secrets: set[str] = frozenset()
) -> tuple[Scenario, list[str]]:
    """The scenario of a recorded run, and notes on what a reader should know of it.

    In: what passed the door; the scenario's name; what was recorded, in words; the level of the contract that it
    belongs to; texts that must not be in it. Raises RecordingError.
    """
    run, notes = _one_run(passed)
    task = _task(run[0].request)
    data = {"requests": [one.request for one in run], "replies": [_reply(one) for one in run], "task": task}
    data = scrubbed(data, set(secrets))
    contents = [_content(reply) for reply in data["replies"]]
    tools, server_tools, more = recorded_tools(data["requests"], contents)
    written = {
        "name": name,
        "title": f"Recorded: {_shortened(data['task'])}",
        "level": level,
        "teaches": "Recorded from a live run; say here what it teaches.",
        "provenance": {"kind": "recorded", "date": datetime.date.today().isoformat(), "source": source},
        "task": data["task"],
        "tools": tools,
        **({"server_tools": server_tools} if server_tools else {}),
        "replies": _folded(data["replies"]),
        "expect": {"status": [_last_status(data["replies"])], "note": "Told from the last reply of the recording."},
    }
    if _last_status(data["replies"]) == "max_turns":
        more.append(
            "it ends where the model still wants tools: set limits that end the run there, or record a whole run"
        )
    try:
        return read_scenario(json.dumps(written), name), notes + more
    except ScenarioError as error:
        raise RecordingError(f"what was recorded is no scenario: {error}") from None


def write_scenario(scenario: Scenario, path: Path) -> None:
    """Write the scenario as a file that ``load_scenario`` reads."""
    data = scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def _one_run(passed: list[Passed]) -> tuple[list[Passed], list[str]]:
    """The requests of the first run: up to where another one starts from a single message."""
    if not passed:
        raise RecordingError(
            "no request for a message came in; the program must use ANTHROPIC_BASE_URL, as the SDK does"
        )
    starts = [i for i in range(len(passed)) if _starts(passed[i].request) and not _is_retry(passed, i)]
    if starts[:1] != [0]:
        raise RecordingError("the first request holds more than one message; a scenario starts with the task alone")
    if len(starts) == 1:
        return passed, []
    return passed[: starts[1]], [f"the program made {len(starts)} runs; the first one is kept"]


def _is_retry(passed: list[Passed], i: int) -> bool:
    before = passed[i - 1]
    return i > 0 and (before.status >= 400 or before.cut) and before.request == passed[i].request


def _starts(request: dict) -> bool:
    messages = request.get("messages")
    return isinstance(messages, list) and len(messages) == 1


def _task(request: dict) -> str:
    content = request["messages"][0].get("content")
    if isinstance(content, list) and len(content) == 1 and content[0].get("type") == "text":
        content = content[0]["text"]
    if not isinstance(content, str) or not content:
        raise RecordingError("the first message is no text; a scenario's task is a text")
    return content


def _reply(one: Passed) -> dict:
    if one.events is not None:
        return {"events": one.events, **({"cut": True} if one.cut else {})}
    if one.status < 400 and one.body:
        return {"message": one.body}
    error = (one.body or {}).get("error") or {}
    said = {"type": error.get("type") or "api_error", "message": error.get("message") or f"HTTP {one.status}"}
    return {"error": {"status": max(one.status, 400), **said}, **({"headers": one.headers} if one.headers else {})}


def _folded(replies: list[dict]) -> list[dict]:
    """Equal errors in a row, as the SDK's retries meet them, become one with ``times``."""
    folded: list[dict] = []
    for reply in replies:
        if folded and "error" in reply and {**folded[-1], "times": 1} == {**reply, "times": 1}:
            folded[-1] = {**folded[-1], "times": folded[-1].get("times", 1) + 1}
        else:
            folded.append(reply)
    return folded


def _content(reply: dict) -> list[dict]:
    message = reply.get("message") or (message_of(reply["events"]) if reply.get("events") else None)
    return (message or {}).get("content") or []


def _last_status(replies: list[dict]) -> str:
    last = replies[-1]
    if "error" in last or ("events" in last and (last.get("cut") or not is_whole(last["events"]))):
        return "api_error"
    message = last.get("message") or message_of(last["events"])
    reason = str(message.get("stop_reason"))
    return _STATUS.get(reason, reason)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}…"
