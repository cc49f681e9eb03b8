"""course.toml: what it takes, and one line for each mistake."""

import pytest

from grader.course.chapters import CourseError, load_course

GOOD = """
[[chapter]]
n = 1
slug = "one"
title = "One"
line = "A line."
minutes = 5
  [[chapter.exercise]]
  id = "loop"
  kind = "loop"
  name = "run_agent"
  level = "loop"
  points = 10
  title = "Write it"
"""
SECOND = (
    GOOD.replace("n = 1", "n = 2")
    .replace('"one"', '"two"')
    .replace('"loop"\n  kind', '"pairing"\n  kind')
    .replace('level = "loop"', 'level = "pairing"')
)


def load(tmp_path, text):
    path = tmp_path / "course.toml"
    path.write_text(text, encoding="utf-8")
    return load_course(path)


def test_a_course_is_read_and_its_exercises_found(tmp_path):
    course = load(tmp_path, GOOD + SECOND)
    assert [chapter.stem for chapter in course.chapter] == ["01_one", "02_two"]
    assert course.find("pairing").points == 10
    assert course.find("no such") is None
    assert course.chapter[0].find("pairing") is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("points = 10", "points = -1", "chapter 1, exercise loop, points: "),
        ("points = 10", "", "chapter 1, exercise loop, points: Field required"),
        ('level = "loop"', "", '"level"'),
        ('level = "loop"', 'level = "lop"', "chapter 1, exercise loop, level: "),
        ('level = "loop"', 'level = "pairing"', "named by its level"),
        ('kind = "loop"', 'kind = "answer"', '"fixture"'),
        ('slug = "one"', 'slug = "One!"', "chapter 1, slug: "),
        ("minutes = 5", "minuts = 5", "minut"),
        ("n = 1", "n = 2", "in order"),
        ("n = 1", "n 1", "is not TOML"),
        ('id = "loop"', "id = 7", "chapter 1, exercise 7, id: "),
    ],
)
def test_a_mistake_is_one_line_that_says_where(tmp_path, old, new, words):
    assert old in GOOD
    with pytest.raises(CourseError) as caught:
        load(tmp_path, GOOD.replace(old, new))
    text = str(caught.value)
    assert text.startswith("course.toml: ")
    assert words in text
    assert "\n" not in text


OF_ITS_OWN = """
  [[chapter.exercise]]
  id = "fix-split"
  kind = "loop"
  name = "run_agent_split"
  level = "loop"
  points = 4
  title = "Mend it"
"""


def test_a_loop_that_is_not_the_ladder_has_an_id_of_its_own(tmp_path):
    course = load(tmp_path, GOOD + OF_ITS_OWN + SECOND)
    assert course.find("fix-split").level == "loop"


def test_a_later_run_agent_of_the_same_level_may_have_an_id_of_its_own(tmp_path):
    later = GOOD.replace("n = 1", "n = 2").replace('"one"', '"two"').replace('id = "loop"', 'id = "again"')
    assert load(tmp_path, GOOD + later).find("again").name == "run_agent"


def test_a_level_s_name_is_for_the_ladder_alone(tmp_path):
    with pytest.raises(CourseError, match="only the first run_agent of that level"):
        load(tmp_path, GOOD + OF_ITS_OWN.replace('id = "fix-split"', 'id = "pairing"'))


def test_the_same_exercise_twice_is_refused(tmp_path):
    again = GOOD.replace("n = 1", "n = 2").replace('"one"', '"two"')
    with pytest.raises(CourseError, match="'loop' is used twice"):
        load(tmp_path, GOOD + again)


def test_a_missing_or_garbled_file(tmp_path):
    with pytest.raises(CourseError, match="cannot be read"):
        load_course(tmp_path / "course.toml")
    (tmp_path / "course.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CourseError, match="not UTF-8"):
        load_course(tmp_path / "course.toml")
