"""What is said about two values that differ, and JSON inside of texts."""

from grader.judging.exercises.differences import first_difference, with_json_read


def test_the_first_place_that_differs_is_named():
    said = first_difference([{"a": 1}, {"type": "text", "text": "Hi"}], [{"a": 1}, {"type": "text", "text": "Ho"}])
    assert said == "In what the function returned, [1]['text'] is 'Hi'; it should be 'Ho'."


def test_a_missing_and_a_foreign_key_are_named():
    assert "[0] has no 'id'" in first_difference([{"type": "x"}], [{"type": "x", "id": "1"}])
    assert "has the key 'more'" in first_difference([{"type": "x", "more": 1}], [{"type": "x"}])


def test_lists_of_other_lengths_are_counted():
    said = first_difference([{"role": "user"}], [{"role": "user"}, {"role": "tool"}])
    assert said == "The function returned 1 item (user); it should return 2 items (user, tool)."


def test_other_values_are_left_to_the_caller():
    assert first_difference("text", [{"a": 1}]) is None
    assert first_difference([1], [2]) is None
    assert first_difference([{"a": 1}], [{"a": 1}]) is None


def test_a_text_of_the_same_json_is_the_same():
    want = [{"arguments": {"$json": {"a": 1, "b": 2}}}]
    got, read = with_json_read([{"arguments": '{"b":2,"a":1}'}], want)
    assert got == read == [{"arguments": '{"a": 1, "b": 2}'}]


def test_another_json_or_no_text_is_not():
    for other in ('{"a": 2}', "no JSON", {"a": 1}, None):
        got, read = with_json_read([{"arguments": other}], [{"arguments": {"$json": {"a": 1}}}])
        assert got == [{"arguments": other}] and read == [{"arguments": '{"a": 1}'}]


def test_values_of_another_build_stay_as_they_are():
    assert with_json_read("text", [{"a": {"$json": 1}}]) == ("text", [{"a": "1"}])
    assert with_json_read(None, {"a": 1}) == (None, {"a": 1})
