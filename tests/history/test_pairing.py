"""Cases of calls and results beyond the rules' own examples."""

from grader.history import lint
from grader.history.examples import TASK, assistant, call, request, result, text, user

TWO = assistant(call("a"), call("b"))


def codes(*messages, **rest):
    return [violation.rule for violation in lint(request(*messages, **rest))]


def test_places_are_the_readers_own_and_the_api_counts_merged_turns():
    (violation,) = lint(request(user("one"), user("two"), assistant(text("Hm."), call("a")), user("three")))
    assert violation.where == "messages[2].content[1]"
    assert violation.api.startswith(
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a."
    )
    assert "get_weather" in violation.saw and "a" in violation.saw


def test_results_in_any_order_and_split_over_user_messages_are_accepted():
    assert codes(TASK, TWO, user(result("b"), result("a"))) == []
    assert codes(TASK, TWO, user(result("b")), user(result("a"))) == ["P13"]
    assert codes(TASK, assistant(call("a")), assistant(call("b")), user(result("a"), result("b"))) == []


def test_a_result_two_messages_later_is_too_late():
    assert codes(TASK, assistant(call("a")), user("Wait."), assistant("Yes?"), user(result("a"))) == ["P01", "P04"]


def test_a_result_under_a_wrong_id_is_one_fault():
    (violation,) = lint(request(TASK, assistant(call("a")), user(result("x"))))
    assert violation.rule == "P04" and violation.help == "Use the id of the call that it answers: a."


def test_all_results_under_the_first_id_is_one_fault():
    assert codes(TASK, TWO, user(result("a"), result("a"))) == ["P05"]


def test_a_result_without_id_leaves_no_second_violation():
    assert codes(TASK, TWO, user(result("a"), {"type": "tool_result", "content": "x"})) == ["P10"]
    assert codes(TASK, TWO, user(result("a"), result(""))) == ["P10"]


def test_a_request_that_ends_with_a_call_is_refused_and_a_list_is_harmful():
    assert codes(TASK, assistant(call("a"))) == ["P01"]
    assert [v.rule for v in lint([TASK, assistant(call("a"))])] == ["P17"]


def test_a_list_with_some_results_at_its_end_is_refused():
    assert [v.rule for v in lint([TASK, TWO, user(result("a"))])] == ["P01"]


def test_a_system_message_does_not_part_a_call_from_its_result():
    system = {"role": "system", "content": "Be brief."}
    assert codes(TASK, assistant(call("a")), system, user(result("a"))) == ["R09"]
    assert codes(TASK, assistant(call("a")), user(result("a")), system) == []


def test_openai_messages_are_named_once_each():
    openai = {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}
    assert codes(TASK, openai, {"role": "tool", "tool_call_id": "a", "content": "x"}) == ["R06", "R07"]
    assert codes(TASK, assistant(call("a")), {"role": "tool", "tool_call_id": "a", "content": "x"}) == ["R07"]


def test_a_block_without_its_list_is_one_fault():
    assert codes(TASK, assistant(call("a")), {"role": "user", "content": result("a")}) == ["R05"]


def test_a_call_that_a_newer_block_type_follows_is_left_alone():
    assert codes(TASK, assistant(call("a"), {"type": "fallback", "from": {}, "to": {}}), user(result("a"))) == []


def test_a_call_in_a_user_message_with_its_result_is_one_fault():
    assert codes(TASK, user(call("a")), assistant("Hm."), user(result("a"))) == ["P09"]


def test_duplicate_ids_with_two_results_are_one_fault():
    assert codes(TASK, assistant(call("a"), call("a")), user(result("a"), result("a"))) == ["P06"]


def test_what_other_languages_call_a_digit_is_no_digit_in_an_id():
    assert codes(TASK, assistant(call("tool٣")), user(result("tool٣"))) == ["P07"]
    assert codes(TASK, assistant(call("tool_1\n")), user(result("tool_1\n"))) == ["P07"]
