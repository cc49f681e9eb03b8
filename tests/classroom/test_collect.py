"""Finding submissions: the layouts of the schools' systems, and archives made with bad intent."""

import contextlib
import io
import os
import stat
import zipfile

import pytest

from grader.classroom.archives import BadArchive
from grader.classroom.collect import collect


def zipped(files: dict) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def found(root) -> list[tuple]:
    return [(one.owner.learner, one.file) for one in collect(root).files]


def test_one_file_each_and_folders(tmp_path):
    (tmp_path / "ada.py").write_text("1")
    (tmp_path / "bo").mkdir()
    (tmp_path / "bo" / "10.py").write_text("2")
    (tmp_path / "bo" / "9.py").write_text("2")
    for path in (tmp_path / "bo").iterdir():
        os.utime(path, (1, 1))
    (tmp_path / "README.md").write_text("not handed in")
    (tmp_path / "bo" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "bo" / ".ipynb_checkpoints" / "9.ipynb").write_text("{}")
    assert found(tmp_path) == [("ada", "ada.py"), ("bo", "9.py"), ("bo", "10.py")]


@pytest.mark.parametrize("unpacked", [False, True])
@pytest.mark.parametrize("inside", [False, True])
def test_canvas(tmp_path, unpacked, inside):
    files = {
        "doejane_LATE_12_4567_loop-1.py": b"late",
        "doejane_12_4566_loop.py": b"first",
        "roe_rick_13_20_my_1_loop.ipynb": b"{}",
        "poezoe_14_21_work.zip": zipped({"work/loop.py": b"zipped"}),
    }
    root = tmp_path / "class"
    root.mkdir()
    if unpacked:
        for name, data in files.items():
            (root / name).write_bytes(data)
    else:
        (root / "download.zip").write_bytes(zipped(files))
    if inside and not unpacked:
        root = root / "download.zip"
    collection = collect(root)
    jane = [one for one in collection.files if one.owner.lms_id == "12"]
    assert [(one.file, one.owner.late, one.read(100)) for one in jane] == [
        ("loop.py", False, b"first"),
        ("loop-1.py", True, b"late"),
    ]
    assert {(one.owner.name, one.owner.lms_id, one.file) for one in collection.files} == {
        ("doejane", "12", "loop.py"),
        ("doejane", "12", "loop-1.py"),
        ("roe_rick", "13", "my_1_loop.ipynb"),
        ("poezoe", "14", "loop.py"),
    }
    assert [one.read(10) for one in collection.files if one.owner.name == "poezoe"] == [b"zipped"]


def test_moodle_in_folders_and_flat(tmp_path):
    files = {
        "Jane Doe_77_assignsubmission_file_/loop.py": b"a",
        "Jane Doe_77_assignsubmission_onlinetext_/onlinetext.html": b"b",
        "Rick Roe_78_assignsubmission_file/deep/loop.ipynb": b"{}",
        "Zoe Poe_79_assignsubmission_file_my loop.py": b"c",
    }
    (tmp_path / "m.zip").write_bytes(zipped(files))
    collection = collect(tmp_path)
    assert {(one.owner.name, one.owner.lms_id, one.file) for one in collection.files} == {
        ("Jane Doe", "77", "loop.py"),
        ("Rick Roe", "78", "loop.ipynb"),
        ("Zoe Poe", "79", "my loop.py"),
    }


@pytest.mark.parametrize("below", [True, False])
def test_nbgrader(tmp_path, below):
    root = tmp_path / "submitted"
    for student, stamp in (("ada", "2026-01-02 00:00:00 UTC"), ("bo", "2026-01-03 00:00:00 UTC")):
        (root / student / "loops").mkdir(parents=True)
        (root / student / "loops" / "loop.ipynb").write_text("{}")
        (root / student / "loops" / "timestamp.txt").write_text(stamp)
    (tmp_path / "source" / "loops").mkdir(parents=True)
    (tmp_path / "source" / "loops" / "loop.ipynb").write_text("the teacher's")
    collection = collect(root if below else tmp_path)
    assert [(one.owner.learner, one.when[:10], one.owner.lms) for one in collection.files] == [
        ("ada", "2026-01-02", "nbgrader"),
        ("bo", "2026-01-03", "nbgrader"),
    ]


def test_nobody_hands_in_for_somebody_else(tmp_path):
    faked = {"submitted/bob/loops/loop.py": b"a", "Bob Roe_77_assignsubmission_file_/loop.py": b"b", "loop.py": b"c"}
    for name, data in faked.items():
        path = tmp_path / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    del faked["Bob Roe_77_assignsubmission_file_/loop.py"]  # at the top of a zip it would be a school's download
    for name in ("eve.zip", "doejane_12_34_work.zip", "submitted.zip"):
        (tmp_path / name).write_bytes(zipped(faked))
    (tmp_path / "zed.py").write_bytes(b"d")
    collection = collect(tmp_path)
    assert {one.owner.learner for one in collection.files} == {"ada", "eve", "doejane 12", "submitted.zip", "zed"}
    assert len(collection.files) == 3 + 3 * 2 + 1


def test_nothing_leads_out_of_the_folder(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("secret")
    root = tmp_path / "class"
    root.mkdir()
    (root / "eve.py").symlink_to(secret)
    (root / "mal").symlink_to(tmp_path)
    link = zipfile.ZipInfo("link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(root / "ann.zip", "w") as archive:
        archive.writestr(link, str(secret))
        archive.writestr("../../secret.py", "up")
        archive.writestr("/secret.py", "absolute")
        archive.writestr("C:\\secret.py", "absolute")
        archive.writestr("fine.py", "fine")
    collection = collect(root)
    assert [(one.owner.learner, one.read(10)) for one in collection.files] == [("ann", b"fine")]
    whys = {why for _, _, why in collection.left_out}
    assert len(collection.left_out) == 6, collection.left_out
    assert (
        any("link" in why for why in whys)
        and any("upwards" in why for why in whys)
        and any("absolute" in why for why in whys)
    )


def test_a_bomb_is_read_no_further_than_the_cap(tmp_path):
    (tmp_path / "boom.zip").write_bytes(zipped({"boom.py": b"#" * (200 << 20)}))
    (one,) = collect(tmp_path).files
    assert len(one.read(1000)) == 1001


def test_a_zip_that_lies_about_its_size(tmp_path):
    data = zipped({"a.py": b"#" * 100_000})
    place = data.rindex(b"PK\x01\x02") + 24
    lying = data[:place] + (10).to_bytes(4, "little") + data[place + 4 :]
    (tmp_path / "liar.zip").write_bytes(lying)
    (one,) = collect(tmp_path).files
    with contextlib.suppress(BadArchive):
        assert len(one.read(1000)) <= 1001


def test_damaged_zips_and_odd_names_stop_nobody(tmp_path):
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "new\nline<b>&.py").write_text("1")
    (tmp_path / "fine.py").write_text("2")
    os.mkfifo(tmp_path / "pipe.py")
    collection = collect(tmp_path)
    assert sorted(one.owner.learner for one in collection.files) == ["fine", "new\nline<b>&"]
    assert {place for _, place, _ in collection.left_out} == {"broken.zip", "pipe.py"}


def test_all_files_of_one_learner(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "loop.py").write_text("1")
    (tmp_path / "03_loop.ipynb").write_text("{}")
    assert {one.owner.learner for one in collect(tmp_path, "me").files} == {"me"}


def test_who_handed_in_something_else_is_named(tmp_path):
    files = {
        "poezoe_14_21_notes.pdf": b"pdf",
        "roerick_15_text.html": b"<p>later</p>",
        "lee_LATE_16_link.html": b"",
        "kimtim_17_22_work.zip": b"PK\x03\x04 and no more",
        "doejane_12_4566_loop.py": b"fine",
        "doejane_12_4567_notes.pdf": b"beside it",
    }
    (tmp_path / "canvas.zip").write_bytes(zipped(files))
    collection = collect(tmp_path)
    assert {one.lms_id: one.late for one in collection.owners.values()} == {
        "12": False,
        "14": False,
        "15": False,
        "16": True,
        "17": False,
    }
    named = {(learner, place): why for learner, place, why in collection.left_out}
    assert set(named) == {
        ("poezoe 14", "poezoe_14_21_notes.pdf"),
        ("roerick 15", "roerick_15_text.html"),
        ("lee 16", "lee_LATE_16_link.html"),
        ("kimtim 17", "kimtim_17_22_work.zip"),
    }
    assert "neither a .py file" in named["poezoe 14", "poezoe_14_21_notes.pdf"]


def test_a_folder_that_cannot_be_read_stops_nobody(tmp_path, monkeypatch):
    for name in ("ada", "bo"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "loop.py").write_text("1")
    scan = os.scandir

    def closed(path):
        if str(path).endswith("bo"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", closed)
    collection = collect(tmp_path)
    assert [one.owner.learner for one in collection.files] == ["ada"]
    assert [(place, why) for _, place, why in collection.left_out] == [
        ("bo", "the folder cannot be read, or lies too deep")
    ]
