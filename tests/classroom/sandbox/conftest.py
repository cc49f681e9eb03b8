"""One sandbox for all tests of a module: a zygote costs seconds to start."""

import shutil
import sys

import pytest

from grader.classroom.sandbox import Limits, Sandbox
from grader.replay.scenario import load_scenario

MIB = 1 << 20
SMALL = Limits(
    load_s=5,
    run_s=4,
    total_s=25,
    cpu_s=20,
    memory=256 * MIB,
    processes=24,
    open_files=64,
    file_size=4 * MIB,
    disk=8 * MIB,
    output=64 << 10,
    request=2 * MIB,
    requests=24 * MIB,
    reply=1 * MIB,
    restarts=1,
)


def needs_bubblewrap() -> None:
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")


@pytest.fixture(scope="module")
def box():
    """The strongest isolation; where bubblewrap is installed it must work."""
    needs_bubblewrap()
    with Sandbox(SMALL, require_sandbox=True) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def weather():
    return load_scenario("weather-one-call")
