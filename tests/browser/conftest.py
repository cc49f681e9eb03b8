"""What the tests in a browser share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shots(tmp_path_factory):
    """Where screenshots go."""
    told = os.environ.get("BROWSER_SHOTS")
    path = Path(told) if told else tmp_path_factory.mktemp("shots")
    path.mkdir(parents=True, exist_ok=True)
    return path
