"""How long do all checks of all chapters take on the course's own solutions, in one process, after the imports?

Run it by hand: ``python bench/checks.py``. Prints seconds for each chapter and in all; the aim is less than 10 s in all. Running the
notebooks' cells, so that there is something to check, is measured apart.
"""

import time

from grader.course.chapters import load_course
from grader.judging import grade_value
from grader.judging.submission import load_submission
from grader.places import SOLUTIONS


def main() -> None:
    import anthropic  # noqa: F401  (its import is not what is measured)

    loading = checking = 0.0
    for chapter in load_course().chapter:
        start = time.process_time()
        submission = load_submission(SOLUTIONS / f"{chapter.stem}.ipynb")
        loaded = time.process_time()
        verdicts = [
            grade_value(exercise, submission.names[exercise.name], seed=1).verdict for exercise in chapter.exercise
        ]
        done = time.process_time()
        loading, checking = loading + loaded - start, checking + done - loaded
        bad = len(verdicts) - verdicts.count("passed")
        print(
            f"{chapter.stem:<32} {len(verdicts):>2} checks {done - loaded:6.2f} s{f'   {bad} NOT PASSED' if bad else ''}"
        )
    print(f"all checks {checking:.1f} CPU seconds (running the notebooks' cells: {loading:.1f})")


if __name__ == "__main__":
    main()
