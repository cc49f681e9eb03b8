"""Settings that all tests share, and the place for pictures."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Two busy cores make single examples slow at times; a test that is slow as a whole shows in pytest's --durations.
settings.register_profile("course", deadline=None)
settings.load_profile("course")


@pytest.fixture(scope="session")
def shots(tmp_path_factory):
    """Where the tests in a browser put their screenshots: the folder that ``BROWSER_SHOTS`` names."""
    told = os.environ.get("BROWSER_SHOTS")
    path = Path(told) if told else tmp_path_factory.mktemp("shots")
    path.mkdir(parents=True, exist_ok=True)
    return path
