"""Cases with a folder on disk, cases that watch the memory, and cases that come last."""

import pytest

from grader.judging import grade_value, render_text
from grader.judging.exercises import function
from grader.judging.exercises.arguments import Calls, build
from grader.judging.exercises.folders import Folders, NotHere

FILES = {"notes.txt": "milk", "old/list.txt": "tea", "../secret.txt": "4711", "../desk-old/keys.txt": "7"}
READ = {"args": [{"$folder": FILES}, "notes.txt"], "expect": {"returns": "milk"}, "why": "Read it."}
POWER = {
    "title": "refused before it is worked out",
    "args": [6],
    "expect": {"raises": "ValueError", "memory_kb": 300},
    "why": "Look first.",
}
FIXTURES = {
    "read": {"name": "read", "cases": [{"title": "a file", **READ}]},
    "power": {"name": "power", "cases": [POWER, {**POWER, "title": "for ever", "args": [9], "last": True}]},
}


class Exercise:
    kind, level, points, whole = "function", None, 4, False

    def __init__(self, fixture):
        self.id = self.name = self.fixture = fixture
        self.title = fixture


@pytest.fixture(autouse=True)
def own_fixtures(monkeypatch):
    monkeypatch.setattr(function, "read_fixture", lambda folder, name: FIXTURES[name])


def grade(name, value):
    return grade_value(Exercise(name), value, seed=1)


def test_a_folder_holds_its_files_and_others_lie_beside_it():
    folders = Folders()
    folder = folders.make(FILES)
    assert sorted(path.name for path in folder.iterdir()) == ["notes.txt", "old"]
    assert (folder / "old" / "list.txt").read_text(encoding="utf-8") == "tea"
    assert (folder.parent / "secret.txt").is_file() and (folder.parent / "desk-old" / "keys.txt").is_file()
    folders.close()
    assert not folder.parent.exists()


def test_a_link_leads_where_it_says():
    folders = Folders()
    try:
        folder = folders.make({"../secret.txt": "4711", "shortcut.txt": {"$link": "../secret.txt"}})
    except NotHere:
        pytest.skip("no links here")
    assert (folder / "shortcut.txt").read_text(encoding="utf-8") == "4711"
    folders.close()


def test_a_folder_is_a_path_at_any_depth():
    calls = Calls()
    [built] = build([{"$folder": {"a.txt": "x"}}], calls)
    assert (built / "a.txt").is_file()
    calls.folders.close()


def test_the_folder_is_gone_after_the_case_whatever_happened():
    seen = []
    grade("read", lambda folder, name: seen.append(folder) or 1 / 0)
    assert seen and not seen[0].exists()


def test_each_case_of_a_folder_is_judged_and_its_place_is_not_told():
    assert grade("read", lambda folder, name: (folder / name).read_text(encoding="utf-8")).verdict == "passed"
    text = render_text(grade("read", lambda folder, name: (folder / "nope").read_text(encoding="utf-8")))
    assert "FileNotFoundError" in text and "desk" in text and "exercise-" not in text


def test_a_case_that_this_machine_cannot_make_is_left_out(monkeypatch):
    def impossible(self, files):
        raise NotHere("no links")

    monkeypatch.setattr(Folders, "make", impossible)
    assert grade("read", lambda folder, name: None).exercises[0].checks == []


def refuse(n):
    raise ValueError("too large")


def test_work_that_was_done_before_the_refusal_is_seen():
    assert grade("power", refuse).verdict == "passed"
    report = grade("power", lambda n: bytearray(1_000_000) and refuse(n))
    assert "300 KB" in render_text(report)


def test_the_last_case_is_tried_only_when_all_others_passed():
    tried = []
    grade("power", lambda n: tried.append(n) or n)
    assert tried == [6]
    grade("power", lambda n: tried.append(n) or refuse(n))
    assert tried == [6, 6, 9]


def test_a_number_too_long_to_be_written_is_told_by_its_length():
    assert "about 27,001 digits" in render_text(grade("power", lambda n: 10**27_000))
    assert "is there a return?" in render_text(grade("read", lambda folder, name: None))
