"""The timeline: a conversation drawn as a ladder, for a notebook and for a terminal.

``Timeline(thing, violations)`` takes messages, a request, a transcript or a check's result. The parts are pure
functions: ``ladder`` lays it out, ``to_html``, ``to_svg`` and ``to_text`` draw it. None of them raises, whatever a
learner or an API put into the data.
"""

from grader.course.timeline.html import to_html
from grader.course.timeline.ladder import ladder
from grader.course.timeline.svg import to_svg
from grader.course.timeline.text import to_text

__all__ = ["Timeline", "ladder", "to_html", "to_svg", "to_text"]


class Timeline:
    """What a notebook displays: HTML where that is shown, or else the drawing in text. ``violations`` as for
    ``ladder``.

    It holds the moment at which it was made: messages that are changed later don't change it.
    """

    def __init__(self, thing, violations=None):
        self.ladder = ladder(thing, violations)

    def _repr_html_(self) -> str:
        return to_html(self.ladder)

    def __repr__(self) -> str:
        return to_text(self.ladder)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
