"""How a run of a loop ended, as plain data: what it claims, or the exception that left it."""

from __future__ import annotations

import linecache
import sysconfig
from pathlib import Path
from types import TracebackType
from typing import Any

from grader.replay.plain import plain, type_name
from grader.replay.transcript import Claim, Crash

_MAX_FRAMES = 20
_MAX_MESSAGE = 2000
_PACKAGE = Path(__file__).resolve().parent.parent


class Reported(Exception):
    """An exception that left a function in another process. ``crash``: what that process said of it."""

    def __init__(self, crash: Crash):
        super().__init__(crash.message)
        self.crash = crash


def claim_of(result: Any) -> Claim:
    """What a loop returned. Anything but a tuple of a str and a list is a malformed claim that names its type."""
    if not issubclass(type(result), tuple):
        return Claim(raw_type=type_name(result))
    parts = tuple.__getitem__(result, slice(None))
    if len(parts) != 2:
        return Claim(raw_type=f"tuple of {len(parts)}")
    status, messages = parts
    if not issubclass(type(status), str) or not issubclass(type(messages), list):
        return Claim(raw_type=f"tuple of {type_name(status)} and {type_name(messages)}")
    return Claim(status=plain(status), messages=plain(messages))


def crash_of(error: BaseException) -> Crash:
    """The exception as data, with the frames of the learner's own code only, the outermost first."""
    if isinstance(error, Reported):
        return error.crash
    try:
        message = str(error)[:_MAX_MESSAGE]
    except Exception:
        message = "<the exception's text cannot be had>"
    return Crash(type_name(error), plain(message), _learner_frames(error.__traceback__))


def _learner_frames(traceback: TracebackType | None) -> list[tuple[str, int, str, str]]:
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not _is_library(code.co_filename):
            source = linecache.getline(code.co_filename, traceback.tb_lineno).strip()
            frames.append((code.co_filename, traceback.tb_lineno, code.co_name, source))
        traceback = traceback.tb_next
    half = _MAX_FRAMES // 2
    return frames if len(frames) <= _MAX_FRAMES else frames[:half] + frames[-half:]


def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")} | {str(_PACKAGE)}
    return tuple(sorted(f"{Path(folder).resolve().as_posix()}/" for folder in folders))


_LIBRARIES = _library_folders()


def _is_library(filename: str) -> bool:
    if filename.startswith("<frozen "):
        return True
    try:
        return Path(filename).resolve().as_posix().startswith(_LIBRARIES)
    except (OSError, ValueError):
        return False
