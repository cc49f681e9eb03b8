"""The ``record`` command: run a program behind a forwarding door, and write what passed as a scenario."""

import os
import re
import subprocess
from pathlib import Path

from grader.replay.record import RecordingError, record, write_scenario

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LOCAL = "127.0.0.1"


class CannotRecord(Exception):
    """Nothing was recorded. The text is one line."""


def target(out: Path, name: str | None) -> tuple[Path, str]:
    """The file to write and the scenario's name: that of the file, or of NAME.json in the folder ``out``. Raises
    CannotRecord.
    """
    path = out / f"{name}.json" if out.is_dir() and name else out
    if path.is_dir():
        raise CannotRecord(f"{path} is a folder; give --name too, or name a file")
    if path.suffix != ".json" or not _NAME.fullmatch(path.stem):
        raise CannotRecord(f"{path.name}: a scenario's file is called NAME.json, with small letters, digits and dashes")
    if name and name != path.stem:
        raise CannotRecord(f"{path.name} holds the scenario {path.stem!r}: --name {name} needs {name}.json")
    if not path.parent.is_dir():
        raise CannotRecord(f"{path.parent} is no folder")
    return path, path.stem


def record_command(
    command: list[str], path: Path, name: str, *, level: str, upstream: str | None = None
) -> tuple[int, list[str]]:
    """Run ``command`` with ANTHROPIC_BASE_URL set to a recording door, and write the scenario to ``path``.

    Out: the command's exit code, and notes on the recording. Raises CannotRecord.
    """
    program = Path(command[0]).name
    with record(name, level=level, upstream=upstream, source=f"live run of {program}") as recording:
        code = _run(command, recording.base_url)
    try:
        scenario = recording.scenario()
        write_scenario(scenario, path)
    except RecordingError as error:
        unreached = recording.door.failures
        raise CannotRecord(f"{unreached[0]} (at {recording.door.upstream})" if unreached else str(error)) from None
    except OSError as error:
        raise CannotRecord(f"{path}: cannot be written: {error.strerror}") from None
    return code, recording.notes


def _run(command: list[str], base_url: str) -> int:
    direct = ",".join(filter(None, [os.environ.get("NO_PROXY") or os.environ.get("no_proxy"), _LOCAL]))
    environment = {**os.environ, "ANTHROPIC_BASE_URL": base_url, "NO_PROXY": direct, "no_proxy": direct}
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    except OSError as error:
        raise CannotRecord(f"{command[0]}: cannot be run: {error.strerror}") from None
