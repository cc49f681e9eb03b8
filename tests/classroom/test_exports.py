"""The exports: Gradescope's zip grades, Canvas and Moodle get their columns, GitHub its annotations."""

import csv
import json
import re
import subprocess
import sys
import zipfile

import pytest
from click.testing import CliRunner

from grader.classroom.exports import github, gradescope, lms
from grader.classroom.exports.gradescope import build
from grader.classroom.sandbox import SandboxUnavailable
from grader.cli import main
from grader.commands.class_ import told
from tests.classroom.conftest import LOOP, RIGHT, needs_linux

PEOPLE = [
    {"learner": "doejane 12", "name": "doejane", "lms": "canvas", "lms_id": "12", "points": 9.5, "max_points": 13},
    {"learner": "=roe 13", "name": "=roe", "lms": "canvas", "lms_id": "13", "points": None, "max_points": 13},
    {"learner": "Zoe Poe 79", "name": "Zoe Poe", "lms": "moodle", "lms_id": "79", "points": 0, "max_points": 13},
]


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "points.jsonl").write_text("".join(json.dumps(one) + "\n" for one in PEOPLE), encoding="utf-8")
    return folder


def rows(path) -> list[list[str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_canvas_without_a_roster(results, tmp_path):
    told = lms.write_csv(results, tmp_path / "c.csv", lms="canvas", assignment="Loop (42)")
    assert rows(tmp_path / "c.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Loop (42)"],
        ["    Points Possible", "", "", "", "", "13"],
        ["doejane", "12", "", "", "", "9.5"],
        ["'=roe", "13", "", "", "", ""],
    ]
    assert told == ["=roe: no points; grade again first."]


def test_canvas_with_its_own_gradebook(results, tmp_path):
    roster = tmp_path / "roster.csv"
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section,Loop (42),Other (7)", "    Points Possible,,,,,13,5"]
    lines += ['"Doe, Jane",12,s12,jane,A,,3', '"Poe, Zoe",99,s99,zoe poe,A,,4', '"Somebody, Else",98,s98,else,A,,1']
    roster.write_text("\n".join(lines), encoding="utf-8-sig")
    told = lms.write_csv(results, tmp_path / "c.csv", lms="canvas", assignment="Loop", roster=roster)
    found = rows(tmp_path / "c.csv")
    assert [(row[0], row[5], row[6]) for row in found[2:]] == [
        ("Doe, Jane", "9.5", "3"),
        ("Poe, Zoe", "0", "4"),
        ("Somebody, Else", "", "1"),
    ]
    assert told == ["=roe: no points; grade again first.", "=roe: no row in roster.csv."]


def test_moodle(results, tmp_path):
    lms.write_csv(results, tmp_path / "m.csv", lms="moodle", assignment="Loop")
    assert rows(tmp_path / "m.csv") == [
        ["Identifier", "Full name", "Grade", "Last modified (grade)"],
        ["Participant 79", "Zoe Poe", "0", ""],
    ]
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\nParticipant 79,Z. Poe,,13.00,-\n",
        encoding="utf-8",
    )
    lms.write_csv(results, tmp_path / "m.csv", lms="moodle", assignment="Loop", roster=roster)
    assert rows(tmp_path / "m.csv")[1] == ["Participant 79", "Z. Poe", "0", "13.00", "-"]


def test_two_of_one_name_reach_neither(tmp_path, results):
    twins = [{**PEOPLE[0], "learner": f"ann {n}", "name": "Ann", "lms": "", "lms_id": "", "points": n} for n in (1, 2)]
    (results / "points.jsonl").write_text("".join(json.dumps(one) + "\n" for one in twins), encoding="utf-8")
    roster = tmp_path / "roster.csv"
    roster.write_text("Student,ID,SIS User ID,SIS Login ID,Section,Loop\nAnn,1,,,A,\n", encoding="utf-8")
    told = lms.write_csv(results, tmp_path / "c.csv", lms="canvas", assignment="Loop", roster=roster)
    assert rows(tmp_path / "c.csv")[1][5] == "" and len(told) == 2


def test_what_cannot_be_exported_is_said(tmp_path, results):
    answer = CliRunner().invoke(
        main, ["export", "csv", str(tmp_path), "--lms", "canvas", "--assignment", "x", "--out", str(tmp_path / "o.csv")]
    )
    assert answer.exit_code == 2 and "no results" in answer.output
    (results / "points.jsonl").write_text(json.dumps(PEOPLE[2]) + "\n", encoding="utf-8")
    with pytest.raises(lms.ExportError, match="roster"):
        lms.write_csv(results, tmp_path / "c.csv", lms="canvas", assignment="x")


def test_gradescope(tmp_path):
    needs_linux()
    build(tmp_path / "a.zip", chapter=None, level="loop")
    build(tmp_path / "b.zip", chapter=None, level="loop")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    source, submission = tmp_path / "source", tmp_path / "submission"
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert {"setup.sh", "run_autograder", "requirements.txt"} <= set(archive.namelist())
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
        assert not [name for name in archive.namelist() if "solutions" in name]
        archive.extractall(source)
    submission.mkdir()
    command = [
        sys.executable,
        "-P",
        "-m",
        "grader.commands.gradescope",
        str(submission),
        str(tmp_path / "r.json"),
        str(source / "assignment.json"),
    ]

    def run() -> dict:
        subprocess.run(command, check=True, cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(source)})
        return json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))

    nothing = run()
    assert nothing["score"] == 0 and "no .ipynb or .py" in nothing["output"]
    (submission / "loop.py").write_text(RIGHT, encoding="utf-8")
    (submission / "helper.py").write_text("x = 1", encoding="utf-8")
    found = run()
    assert (found["score"], [(one["score"], one["max_score"], one["status"]) for one in found["tests"]]) == (
        10,
        [(10, 10, "passed")],
    )


def test_annotations_and_workflow(tmp_path):
    place = {"physicalLocation": {"artifactLocation": {"uri": "a%20b.py"}, "region": {"startLine": 1}}}
    result = {"ruleId": "L03", "level": "warning", "message": {"text": "50%\nnext::error::x"}, "locations": [place]}
    run = {"tool": {"driver": {"rules": [{"id": "L03", "name": "reply, not: appended"}]}}, "results": [result]}
    (tmp_path / "results.sarif").write_text(json.dumps({"runs": [run]}), encoding="utf-8")
    (line,) = github.annotation_lines(tmp_path)
    assert line == "::warning file=a b.py,line=1,title=L03 reply%2C not%3A appended::50%25%0Anext::error::x"
    text = github.write_workflow(tmp_path, chapter=3).read_text(encoding="utf-8")
    assert "--chapter 3" in text and "@OPTIONS@" not in text


def test_the_command_says_what_is_wrong(tmp_path):
    def said(*words: str) -> tuple[int, str]:
        answer = CliRunner().invoke(main, ["class", str(tmp_path), "--out", str(tmp_path / "out"), *words])
        return answer.exit_code, answer.output

    assert said("--chapter", "99")[0] == 2 and "no chapter 99" in said("--chapter", "99")[1]
    assert said("--chapter", "1", "--contract")[0] == 2
    assert said("--level", "loop")[0] == 2
    for address in ("", "  "):
        code, text = said("--contract", "--cluster", address)
        assert code == 2 and "needs the scheduler's address" in text
    code, text = said("--contract", "--level", "loop")  # an empty folder
    assert code == 2 and "nothing to grade" in text and not (tmp_path / "out").exists()
    (tmp_path / "ada.py").write_text("", encoding="utf-8")
    answer = CliRunner().invoke(main, ["class", str(tmp_path), "--out", str(tmp_path), "--contract"])
    assert answer.exit_code == 2 and "Give another folder for the results" in answer.output
    answer = CliRunner().invoke(main, ["class", str(tmp_path / "ada.py"), "--out", str(tmp_path / "out"), "--contract"])
    assert answer.exit_code == 2 and "ada.py is no folder" in answer.output


def test_a_system_error_says_what_and_where():
    assert told(OSError(28, "No space left on device", "results/x")) == "results/x: No space left on device."
    assert told(OSError(28, "No space left on device")) == "No space left on device."


@pytest.mark.parametrize(
    "words",
    [
        ["gradescope", "--chapter", "99", "--out", "a.zip"],
        ["gradescope", "--chapter", "3", "--out", "not/there/a.zip"],
        ["github", "--chapter", "99", "--out", "repository"],
        ["annotations", "."],
        ["csv", "results", "--lms", "canvas", "--assignment", "x", "--out", "not/there/c.csv"],
    ],
)
def test_an_export_that_cannot_be_made_says_so(words, results, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(main, ["export", *words])
    assert answer.exit_code == 2 and isinstance(answer.exception, SystemExit), answer.output
    assert not (tmp_path / "a.zip").exists() and not (tmp_path / "repository").exists()


def test_a_roster_with_other_separators_is_refused(results, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text("Identifier;Full name;Grade\nParticipant 79;Zoe Poe;\n", encoding="utf-8")
    with pytest.raises(lms.ExportError, match="with commas between the columns"):
        lms.write_csv(results, tmp_path / "c.csv", lms="moodle", assignment="Loop", roster=roster)
    roster.write_bytes("Identifier,Full name\nParticipant 79,Zoë\n".encode("latin-1"))
    with pytest.raises(lms.ExportError, match="not UTF-8"):
        lms.write_csv(results, tmp_path / "c.csv", lms="moodle", assignment="Loop", roster=roster)


def test_gradescope_gives_no_zero_for_a_fault_of_the_grader(tmp_path, monkeypatch):
    def none(**options):
        raise SandboxUnavailable("There is no sandbox here.")

    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "loop.py").write_text(RIGHT, encoding="utf-8")
    monkeypatch.setattr(gradescope, "Sandbox", none)
    gradescope.run(tmp_path / "submission", tmp_path / "results.json", LOOP)
    said = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert "score" not in said and "tests" not in said and "no sandbox here" in said["output"]


def test_gradescope_takes_a_python_that_the_grader_runs_on():
    """Ubuntu 22.04, which Gradescope offers, has Python 3.10 as python3."""
    assert "sys.version_info < (3, 11)" in gradescope._SETUP and "python3.11-venv" in gradescope._SETUP
    subprocess.run(["bash", "-n"], input=gradescope._SETUP + gradescope._RUN, text=True, check=True)


def test_the_workflow_names_the_repository_and_actions_that_still_run(tmp_path):
    text = github.write_workflow(tmp_path, chapter=3).read_text(encoding="utf-8")
    assert '--one "${GITHUB_REPOSITORY#*/}" --out results --chapter 3' in text
    # Older majors run on Node 20, which GitHub took from its runners in September 2026.
    used = set(re.findall(r"uses: actions/(\S+)", text))
    assert used == {"checkout@v6", "setup-python@v6", "upload-artifact@v6"}
