"""What a report's page does with text of strangers."""

from grader.judging import render_html
from grader.judging.report import error_report

HOSTILE = "\x00\x1b[2J\u202e\u2066\ufffe<script>\ud800"


def test_control_characters_are_shown_as_what_they_are():
    page = render_html(error_report(f"It said {HOSTILE}.", 10))
    assert r"\x00\x1b[2J\u202e\u2066\ufffe&lt;script&gt;\ud800" in page
    page.encode("utf-8")
