"""Where a solution is, for a learner who has tried an exercise a few times."""

from html import escape

from grader.course.chapters import load_course


def offer_text(exercise_id: str) -> str:
    """A line to put below a failed check; empty for an exercise that no chapter has."""
    stem = _stem(exercise_id)
    return f"\nStill stuck? solutions/{stem}.ipynb shows one way." if stem else ""


def offer_html(exercise_id: str) -> str:
    """The same with a link, as seen from a notebook of the course."""
    stem = _stem(exercise_id)
    if stem is None:
        return ""
    # JupyterLab underlines a link only while the pointer is on it; a colour alone would not tell it from text.
    link = f'<a href="../solutions/{escape(stem)}.ipynb" style="text-decoration:underline">The solved chapter</a>'
    return f"<p>Still stuck? {link} shows one way.</p>"


def _stem(exercise_id: str) -> str | None:
    return next((chapter.stem for chapter in load_course().chapter if chapter.find(exercise_id)), None)
