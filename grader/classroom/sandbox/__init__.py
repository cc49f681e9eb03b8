"""Runs a stranger's submission where it can reach nothing, and brings back evidence that the grader can judge."""

from grader.classroom.sandbox.hosts import SandboxUnavailable
from grader.classroom.sandbox.limits import Limits
from grader.classroom.sandbox.outcome import MEANINGS, OUTCOMES, Ending
from grader.classroom.sandbox.results import Ask, Call, Isolation, JobResult, Look, Play, SubmissionResult, Value
from grader.classroom.sandbox.runner import Sandbox, Session
from grader.classroom.sandbox.submission import Submission, UnreadableSubmission, parse_submission, read_submission

__all__ = [
    "MEANINGS",
    "OUTCOMES",
    "Ask",
    "Call",
    "Ending",
    "Isolation",
    "JobResult",
    "Limits",
    "Look",
    "Play",
    "Sandbox",
    "SandboxUnavailable",
    "Session",
    "Submission",
    "SubmissionResult",
    "UnreadableSubmission",
    "Value",
    "parse_submission",
    "read_submission",
]
