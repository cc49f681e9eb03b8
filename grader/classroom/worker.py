"""A process that grades what it is told on standard input, one JSON object a line, and answers in the same way."""

import json
import os
import signal
import sys

from grader.classroom.crew import SandboxOptions, task_from
from grader.classroom.grade import grade
from grader.classroom.sandbox import SandboxUnavailable


def main() -> None:
    """Until the input ends. Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lines, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else may write into the answers
    options = SandboxOptions.from_dict(json.loads(lines.readline()))

    def say(message: dict) -> None:
        answers.write(json.dumps(message).encode() + b"\n")
        answers.flush()

    try:
        sandbox = options.open()
    except SandboxUnavailable as error:
        say({"unavailable": str(error)})
        return
    with sandbox:
        say({"isolation": sandbox.isolation.name})
        for line in lines:
            say(grade(sandbox, task_from(json.loads(line))))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the run was stopped or killed: nobody is there to be told
        os._exit(1)  # without a last flush, which would fail as well
