"""Root grades as somebody else; an ordinary user grades as himself. Where the tests run as root, this one tries the
other way.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.classroom.sandbox.conftest import needs_bubblewrap
from tests.classroom.sandbox.hostile_files import FOLDER

ROOT = Path(__file__).parents[3]
USER = "1000"
PROGRAM = """
import sys
from grader.classroom.sandbox import Limits, Play, Sandbox, read_submission
from grader.replay.scenario import load_scenario

folder, limits = sys.argv[1], Limits(load_s=5, run_s=5, total_s=20)
for mode in ("bubblewrap", "process"):
    with Sandbox(limits, mode=mode) as box:
        assert (box.isolation.name, box.isolation.forks) == (mode, True), box.isolation
        for name in ("truth_right_loop", "write_sdk", "net_tcp", "flood_processes", "flood_memory"):
            result = box.run(read_submission(f"{folder}/{name}.py"), [Play(load_scenario("weather-one-call"), 1)])
            print(mode, name, result.jobs[0].outcome)
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the other tests run as an ordinary user already"
)
def test_grading_without_being_root(tmp_path):
    needs_bubblewrap()
    command = ["bwrap", "--dev-bind", "/", "/"]
    for path in {sys.prefix, sys.base_prefix, str(ROOT)}:  # where root has them, nobody else may look
        top = Path("/", Path(path).parts[1])
        if top.stat().st_mode & 0o005 != 0o005:
            command += ["--perms", "0755", "--tmpfs", str(top)]
            for parent in reversed(Path(path).parents[:-2]):
                command += ["--perms", "0755", "--dir", str(parent)]
            command += ["--ro-bind", path, path]
    command += ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "env", "PYTHONDONTWRITEBYTECODE=1"]
    run = subprocess.run(
        [*command, sys.executable, "-c", PROGRAM, str(FOLDER)], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr[-2000:]
    expected = {
        "truth_right_loop": "finished",
        "write_sdk": "blocked",
        "net_tcp": "blocked",
        "flood_processes": "blocked",
        "flood_memory": "out_of_memory",
    }
    lines = [line.split() for line in run.stdout.splitlines()]
    assert {(mode, name): outcome for mode, name, outcome in lines} == {
        (mode, name): outcome for mode in ("bubblewrap", "process") for name, outcome in expected.items()
    }
