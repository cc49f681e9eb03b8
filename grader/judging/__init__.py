"""From a transcript to a verdict, and from a submission to a report. Knows history and replay; knows no chapter."""

from grader.judging.contract import LEVELS
from grader.judging.grade import grade_loop, grade_value
from grader.judging.judge import Judgement, judge
from grader.judging.render_html import render_html
from grader.judging.render_text import render_text
from grader.judging.report import Report

__all__ = ["LEVELS", "Judgement", "Report", "grade_loop", "grade_value", "judge", "render_html", "render_text"]
