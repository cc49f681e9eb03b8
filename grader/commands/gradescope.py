"""What ``run_autograder`` starts inside Gradescope: SUBMISSION-FOLDER RESULTS.JSON ASSIGNMENT.JSON."""

import json
import sys
from pathlib import Path

from grader.classroom.exports.gradescope import run
from grader.commands.class_ import assignment_for


def main(submission: str, results: str, options: str) -> None:
    """Grade and write. ``options`` is the file that ``build`` put into the zip."""
    wanted = json.loads(Path(options).read_text(encoding="utf-8"))
    assignment = assignment_for(
        chapter=wanted["chapter"], level=wanted["level"], function="run_agent", fuzz=wanted["fuzz"], keep="best"
    )
    run(Path(submission), Path(results), assignment)


if __name__ == "__main__":
    main(*sys.argv[1:])
