"""What a learner's page does with text of strangers."""

from grader.classroom.pages import write_page
from grader.classroom.store import Store
from grader.judging.report import error_report

HOSTILE = "\x00\x1b[2J\u202e\u2066\ufffe<script>\ud800"


def test_control_characters_are_shown_as_what_they_are_on_a_learner_s_page(tmp_path):
    attempt = {
        "file": "loop.py", "place": "kim/loop.py", "when": None, "late": False, "state": "graded", "outcome": "finished", "counts": True,
        "report": error_report(f"It said {HOSTILE}.", 10).model_dump(mode="json"), "output": HOSTILE, "notes": [],
    }  # fmt: skip
    store = Store(tmp_path)
    store.write("kim", {"name": f"Kim {HOSTILE}", "attempts": [attempt]})
    write_page(store, "kim")
    page = store.path_of("kim", ".html").read_text(encoding="utf-8")
    assert not set(page) & set("\x00\x1b\u202e\u2066\ufffe")
    assert page.count(r"\x1b[2J") >= 4
