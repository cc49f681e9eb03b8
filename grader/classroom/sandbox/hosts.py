"""Which isolation this machine can give: the strongest one that works is found by trying it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from grader.classroom.sandbox.child import GraderFault, StartTimedOut
from grader.classroom.sandbox.cold_host import ColdHost
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.results import Isolation
from grader.classroom.sandbox.zygote_host import ZygoteHost

_ADVICE = "Install bubblewrap (on Debian and Ubuntu: apt install bubblewrap), or grade inside a container."
_BUSY = "This machine is too busy. Try again later, or with fewer --jobs."
_NOT_LINUX = "Only Linux has the sandbox. Grade inside a Linux container."


class SandboxUnavailable(Exception):
    """This machine can't isolate as strongly as asked. The text says why and what to do."""


def choose(
    limits: Limits, hidden: tuple[Path, ...], require_sandbox: bool, mode: str | None, cold: bool
) -> tuple[ZygoteHost | ColdHost, Isolation]:
    """A host that works, started, and what it promises. Raises SandboxUnavailable."""
    reasons: list[str] = []
    for host in _candidates(limits, hidden, mode, cold, reasons):
        if require_sandbox and host.mode != "bubblewrap":
            break
        try:
            return host, _tried(host, reasons)
        except StartTimedOut as error:  # a busy machine gets no weaker walls than an idle one
            raise SandboxUnavailable(f"The sandbox could not be started: {error}. {_BUSY}") from None
        except GraderFault as error:
            host.stop()
            reasons.append(f"{host.mode}: {error}.")
    asked = "A sandbox is required" if require_sandbox else "A submission cannot be run"
    raise SandboxUnavailable(f"{asked}, and this machine has none: {' '.join(reasons) or _ADVICE}")


def _candidates(limits: Limits, hidden: tuple[Path, ...], mode: str | None, cold: bool, reasons: list[str]):
    if sys.platform != "linux":
        reasons.append(_NOT_LINUX)
        return [ColdHost("plain", limits, hidden)] if mode in (None, "plain") else []
    found = []
    if mode in (None, "bubblewrap"):
        if shutil.which("bwrap"):
            found += [] if cold else [ZygoteHost("bubblewrap", limits, hidden)]
            found += [ColdHost("bubblewrap", limits, hidden)]
        else:
            reasons.append(f"bubblewrap is not installed. {_ADVICE}")
    if mode in (None, "process"):
        found += [ColdHost("process", limits, hidden)] if cold else [ZygoteHost("process", limits, hidden)]
    if mode == "plain":
        found += [ColdHost("plain", limits, hidden)]
    return found


def _tried(host: ZygoteHost | ColdHost, reasons: list[str]) -> Isolation:
    """Start the host and one child, and look at the walls that it found standing."""
    host.start()
    child = host.spawn()
    walls = child.walls
    child.close()
    return Isolation(host.mode, walls, isinstance(host, ZygoteHost), " ".join(reasons))
