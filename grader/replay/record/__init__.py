"""Record a live run as a scenario: a door that forwards each request to the API, and writes down what passed."""

from grader.replay.record.again import record_again, why_not
from grader.replay.record.context import Recording, record
from grader.replay.record.door import ForwardingDoor, Passed, default_upstream
from grader.replay.record.scenario_text import RecordingError, scenario_from, write_scenario

__all__ = [
    "ForwardingDoor",
    "Passed",
    "Recording",
    "RecordingError",
    "default_upstream",
    "record",
    "record_again",
    "scenario_from",
    "why_not",
    "write_scenario",
]
