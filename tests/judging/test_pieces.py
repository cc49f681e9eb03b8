"""What "as it came" allows, and what it does not."""

from grader.judging.pieces import calls_in, canonical, pieces, result_content

CALL = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": None}, "caller": {"type": "direct"}}


def test_a_string_is_one_text_block():
    assert pieces([{"role": "user", "content": "Hi"}]) == pieces(
        [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]
    )


def test_nulls_cache_marks_and_the_direct_caller_may_go():
    dumped = {"citations": None, "text": "Hi", "type": "text", "cache_control": {"type": "ephemeral"}}
    assert canonical(dumped) == {"type": "text", "text": "Hi"}
    assert "caller" not in canonical(CALL)


def test_a_null_in_an_input_is_a_value_and_stays():
    assert canonical(CALL)["input"] == {"at": None}


def test_another_caller_stays():
    called_by_code = CALL | {"caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}}
    assert canonical(called_by_code)["caller"]["tool_id"] == "srvtoolu_1"


def test_is_error_false_equals_absent_and_true_does_not():
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    assert canonical(result | {"is_error": False}) == canonical(result)
    assert canonical(result | {"is_error": True}) != canonical(result)


def test_a_single_text_block_as_result_equals_the_string():
    assert result_content([{"type": "text", "text": "12 C"}]) == "12 C"
    assert result_content(None) == result_content([]) == result_content("") == ""
    assert result_content([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]) != "ab"


def test_pieces_remember_their_place_and_compare_without_it():
    split = pieces([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}])
    joined = pieces([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])
    assert split == joined
    assert [piece.where for piece in joined] == ["messages[0].content[0]", "messages[0].content[1]"]


def test_what_is_no_message_is_left_out():
    assert pieces([3, None, {"role": "user"}, {"role": "user", "content": [7]}]) == []
    assert pieces("nothing") == []
    assert calls_in(None) == []
