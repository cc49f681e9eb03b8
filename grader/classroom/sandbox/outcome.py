"""How a submission's run ended: one word, and one sentence for people."""

from dataclasses import dataclass

FINISHED = "finished"
CRASHED = "crashed"
EXITED = "exited"
TIMED_OUT = "timed_out"
OUT_OF_MEMORY = "out_of_memory"
TOO_MUCH_OUTPUT = "too_much_output"
BLOCKED = "blocked"
GRADER_FAULT = "grader_fault"

MEANINGS = {
    FINISHED: "The function returned.",
    CRASHED: "An exception left the code, or a signal ended its process.",
    EXITED: "The code ended its own process.",
    TIMED_OUT: "The code was still running at its deadline, or used up its CPU time.",
    OUT_OF_MEMORY: "The code wanted more memory than it may have.",
    TOO_MUCH_OUTPUT: "The code printed, sent or returned more than the grader takes.",
    BLOCKED: "The code ended at a wall of the sandbox: no network, no writing outside, few processes and files.",
    GRADER_FAULT: "The grader itself failed. This says nothing about the submission; grade it again.",
}
OUTCOMES = tuple(MEANINGS)


@dataclass(frozen=True)
class Ending:
    """An outcome with what is known about it. ``detail`` is one sentence; parts of it may be the submission's own
    words.
    """

    outcome: str
    detail: str = ""

    def __post_init__(self):
        if self.outcome not in MEANINGS:
            raise ValueError(f"{self.outcome!r} is no outcome; these are: {', '.join(OUTCOMES)}")
