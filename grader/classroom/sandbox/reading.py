"""What a submission said, read as data: claims, crashes, values. And how a process ended that could say nothing
more.
"""

from __future__ import annotations

import json
import signal
from typing import Any

from grader.classroom.sandbox.child import Child
from grader.classroom.sandbox.guest import wire
from grader.classroom.sandbox.outcome import (
    BLOCKED,
    CRASHED,
    EXITED,
    FINISHED,
    OUT_OF_MEMORY,
    TIMED_OUT,
    TOO_MUCH_OUTPUT,
    Ending,
)
from grader.replay.plain import plain
from grader.replay.transcript import Claim, Crash, Transcript

TOO_BIG = Ending(TOO_MUCH_OUTPUT, "What it returned is larger than the grader takes.")
_KINDS = (CRASHED, EXITED, OUT_OF_MEMORY, BLOCKED)
_MOST_NOTES = 200
_MOST_TEXT = 2000
_MOST_FRAMES = 20
_MOST_VIOLATIONS = 200
_MUTABLE = ("tools", "functions")


def data_of(body: bytes) -> dict:
    """A message's body as data. Raises wire.WireError when it is no JSON object."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise wire.WireError("it answered with something that is no JSON") from None
    if not isinstance(data, dict):
        raise wire.WireError("it answered with something that is no object")
    return plain(data)  # bounds the depth


def write_down(transcript: Transcript, how: str, data: dict, ending: Ending | None) -> Ending:
    """Put claim, crash or missed deadline into the transcript, as ``grader.replay.play`` does, and say how the run
    ended.
    """
    if mutated := [name for name in _MUTABLE if name in _list(data.get("mutated"))]:
        transcript.mutated = mutated
    for exchange in transcript.exchanges:
        del exchange.violations[_MOST_VIOLATIONS:]  # a request made of nonsense can have a million
    if ending is None and how == "returned":
        transcript.claim = claim_from(data)
        return Ending(FINISHED)
    if ending is None and how == "stopped":
        ending = Ending(TIMED_OUT, "It asked for replies without end.")
    elif ending is None:
        transcript.crash = crash_from(data)
        return crash_ending(data)
    if ending.outcome == TIMED_OUT:
        transcript.timed_out = True
    else:
        transcript.crash = Crash(_PROCESS_CRASH.get(ending.outcome, "ProcessEnded"), ending.detail)
    return ending


_PROCESS_CRASH = {EXITED: "SystemExit", OUT_OF_MEMORY: "MemoryError"}


def claim_from(data: dict) -> Claim:
    """The claim, as ``grader.replay.outcome.claim_of`` would have made it; what has another shape is a malformed
    claim.
    """
    status, messages, raw_type = data.get("status"), data.get("messages"), data.get("raw_type")
    if isinstance(raw_type, str):
        return Claim(raw_type=raw_type[:_MOST_TEXT])
    if isinstance(status, str) and isinstance(messages, list):
        return Claim(status=status[:_MOST_TEXT], messages=messages)
    return Claim(raw_type="something else")


def crash_from(data: dict) -> Crash:
    """The exception that the submission reports."""
    frames = []
    for frame in _list(data.get("frames"))[:_MOST_FRAMES]:
        if isinstance(frame, list) and len(frame) == 4 and isinstance(frame[1], int):
            frames.append((_text(frame[0]), frame[1], _text(frame[2]), _text(frame[3])))
    return Crash(_text(data.get("type")) or "Exception", _text(data.get("message")), frames)


def crash_ending(data: dict) -> Ending:
    """The outcome that a reported exception stands for."""
    crash, kind = crash_from(data), data.get("kind")
    text = f"{crash.type}: {crash.message}" if crash.message else crash.type
    return Ending(kind if kind in _KINDS else CRASHED, text[:_MOST_TEXT])


def notes_of(data: dict) -> list[dict]:
    """The statements that failed while the cells ran."""
    notes = []
    for note in _list(data.get("notes"))[:_MOST_NOTES]:
        if isinstance(note, dict):
            line = note.get("line")
            texts = {key: _text(note.get(key)) for key in ("cell", "type", "message", "kind")}
            notes.append(texts | {"line": line if type(line) is int else None})
    return notes


def value_of(data: dict) -> Any:
    return data.get("value")


def missing(name: str, notes: list[dict]) -> Ending:
    """The function or variable is not there: because a wall stopped its cell, because its cell failed, or at all."""
    if not notes:
        return Ending(CRASHED, f"The submission has no {name}.")
    first = notes[0]
    kind = first["kind"] if first["kind"] in _KINDS else CRASHED
    return Ending(
        kind, f"The submission has no {name}; {first['cell']} failed: {first['type']}: {first['message']}"[:_MOST_TEXT]
    )


def ending_of(child: Child, error: Exception) -> Ending:
    """How a process ended that did not finish its order. ``error``: what reading from it raised. Raises GraderFault."""
    if isinstance(error, TimeoutError):
        child.kill(Ending(TIMED_OUT, "It was still running at its deadline."))
    elif not isinstance(error, (wire.Closed, OSError)):
        over = "cap" in str(error)
        child.kill(Ending(TOO_MUCH_OUTPUT if over else BLOCKED, f"It broke the door's protocol: {error}."))
    elif child.killed_for is None and not child.ends_by_itself():
        child.kill(Ending(BLOCKED, "It closed the door to the grader."))
    end = child.wait()
    if child.killed_for:
        return child.killed_for
    return _ending_of_process(end, child.limits.cpu_s)


def _ending_of_process(end: dict, cpu_s: int) -> Ending:
    code = end["code"]
    if end["reason"] == "memory":
        return Ending(OUT_OF_MEMORY, "Its processes together used more memory than they may.")
    if end["reason"] == "processes":
        return Ending(BLOCKED, "It started more processes than it may.")
    if end["reason"] == "disk":
        return Ending(BLOCKED, "It wrote more to disk than it may.")
    if code >= 0:
        return Ending(EXITED, f"Its process ended with exit code {code}.")
    if -code == getattr(signal, "SIGXCPU", 0) or (
        -code == getattr(signal, "SIGKILL", 9) and end["cpu_s"] >= cpu_s * 0.98
    ):
        return Ending(TIMED_OUT, f"It used more than {cpu_s} seconds of CPU time.")
    if -code == getattr(signal, "SIGSYS", 0):
        return Ending(BLOCKED, "It made a system call that is not allowed.")
    return Ending(CRASHED, f"Its process was ended by signal {-code}.")


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value[:_MOST_TEXT] if isinstance(value, str) else ""
