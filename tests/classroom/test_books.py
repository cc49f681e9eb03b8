"""What is written for people and other programs: safe cells, valid XML and JSON, nothing of a stranger's that acts."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from grader.classroom import gradebook, junit, pages, plots, summary
from grader.classroom.learners import Owner
from grader.classroom.rows import Row, chosen
from grader.classroom.store import ResultsInUse, Store, file_name, write
from grader.classroom.tally import Tally, count
from grader.judging.report import whole_report
from tests.classroom.conftest import LOOP

NASTY = '=HYPERLINK("x")\n<script>alert(1)</script>\x00\x1b[31m\ud800'


def row(verdict="failed", **more) -> Row:
    violation = {
        "rule": "L03",
        "name": "n",
        "severity": "harmful",
        "where": NASTY,
        "saw": NASTY,
        "help": "h",
        "api": None,
    }
    exercise = {"id": "loop", "title": "T", "verdict": verdict, "points": 0, "message": "", "violations": [violation]}
    one = {
        "state": "graded",
        "outcome": "finished",
        "place": NASTY,
        "late": False,
        "content": "c",
        "report": {"exercises": [exercise], "message": "", "isolation": "none"},
    }
    return Row(Owner(NASTY, NASTY, "f.py"), 1, 2, verdict, {"loop": one}, notes=[NASTY], **more)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start):
    (cells,) = csv.reader(io.StringIO(gradebook.line([f"{start}cmd|calc"]).decode()))
    assert cells[0][0] == "'"


def test_a_line_is_one_line(folder):
    from tests.classroom.conftest import LOOP

    header, line = gradebook.lines([row()], LOOP)
    assert line.count(b"\n") == 1 and b"\x1b" not in line and b"\x00" not in line
    (names,), (cells,) = csv.reader(io.StringIO(header.decode())), csv.reader(io.StringIO(line.decode()))
    assert len(names) == len(cells)


def test_a_fault_of_the_graders_is_no_zero():
    from tests.classroom.conftest import LOOP

    *_, line = gradebook.lines([row(faulty=True)], LOOP)
    (cells,) = csv.reader(io.StringIO(line.decode()))
    assert cells[2] == ""


def test_junit_is_xml():
    tree = ET.fromstring((junit.HEAD + junit.suite(row()) + junit.TAIL).encode("utf-8", "replace"))
    assert tree.find("testsuite/testcase/failure").get("type") == "L03"


def test_markdown_holds_no_markup():
    line = summary.row_line(row())
    assert "<script" not in line and line.count("\n") == 1


def test_plots_escape():
    assert "<script" not in plots.columns([1], ["<script>"], "<script>")
    assert 'role="img"' in plots.columns([1, 2], ["a", "b"], "t")


def test_file_names_differ_and_are_safe():
    names = ["ada", "Ada", "ADA", "../ada", "con", "a\nb", "", "x" * 500, "ä", "=1", ".ada", "nul.txt"]
    made = [file_name(name) for name in names]
    assert len({name.casefold() for name in made}) == len(names)
    assert all(name.isascii() and "/" not in name and not name.startswith(".") and len(name) < 80 for name in made)
    assert made[0] == "ada"


def test_best_and_last():
    attempts = [
        {"state": state, "report": {"points": points}}
        for state, points in (("graded", 5), ("graded", 9), ("graded", 2), ("fault", 0))
    ]
    assert chosen(attempts, "best")["report"]["points"] == 9
    assert chosen(attempts, "last")["report"]["points"] == 2  # the grader's fault does not count against anybody
    assert chosen(attempts[3:], "best")["state"] == "fault"


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write(path, b"old")
    monkeypatch.setattr("os.replace", lambda *names: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError):
        write(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_damaged_and_foreign_results_are_no_results(tmp_path):
    store = Store(tmp_path)
    store.write("ada", {"attempts": []})
    assert store.read("ada")["learner"] == "ada"
    store.path_of("ada").write_bytes(b'{"attempts": [')
    assert store.read("ada") == {}
    store.path_of("ada").write_text(json.dumps({"format": 0, "learner": "ada"}))
    assert store.read("ada") == {}


def test_one_run_at_a_time(tmp_path):
    with Store(tmp_path).locked(), pytest.raises(ResultsInUse), Store(tmp_path).locked():
        pass
    with Store(tmp_path).locked():
        pass


def test_the_seed_stays(tmp_path):
    first = Store(tmp_path).seed(None)
    assert Store(tmp_path).seed(None) == first
    assert Store(tmp_path).seed(7) == 7 == Store(tmp_path).seed(None)


def test_the_class_report_leads_to_the_learners_and_needs_no_wide_screen():
    one = replace(row("failed"), owner=Owner("Jürgen Müßig", "Jürgen Müßig", "f.py"), notes=["same code as bo"])
    nothing = Row(Owner("bo", "bo", ""), max_points=2, verdict="nothing to grade", notes=["left out scan.pdf"])
    listing, tally = pages.Listing(["report.pdf: why"]), Tally()
    for each in (one, nothing):
        count(tally, each, LOOP)
        listing.add(each)
    page = pages.class_report(tally, LOOP, listing).decode()
    link = f'<a href="{one.page}">Jürgen Müßig</a>'
    assert one.page.startswith("learners/jurgen-mussig--") and page.count(link) == 2
    assert "prefers-color-scheme:dark" in page and "``" not in page
    assert "1 of 2 learners handed in a file" in page and "report.pdf: why" in page


def test_answers_are_no_matter_of_chapter_one():
    tally = Tally()
    tally.rules.update(["X01", "P01"])
    assert "X01" in dict(tally.by_chapter()[0])


def test_a_page_says_which_attempt_counts(tmp_path):
    store = Store(tmp_path)
    store.claim("Chapter 3")
    report = whole_report([], 7).model_dump(mode="json")
    about = {"sheet": "3", "late": False, "outcome": "finished", "output": "", "report": report}
    attempts = [about | {"key": key, "place": f"{key}.py"} for key in ("a", "b")]
    store.write("ada", {"name": "Ada", "attempts": attempts})
    pages.write_page(store, "ada", frozenset({"a"}))
    page = store.path_of("ada", ".html").read_text(encoding="utf-8")
    assert page.index("b.py") < page.index("Another attempt counts.") < page.index("a.py")
    assert "This attempt counts." in page and "<p>Chapter 3</p>" in page
    assert "check FILE --chapter 3 --seed 7" in page
