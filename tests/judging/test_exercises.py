"""Exercises that are no loop: answers, messages lists, plain functions."""

import json
from types import SimpleNamespace

import pytest

from grader.judging import grade_value, render_html, render_text
from grader.judging.exercises import answer, function, history, wording

FIXTURES = {
    "one": {
        "name": "one",
        "question": "How many?",
        "answer": 6,
        "accept": ["six"],
        "why_wrong": {"3": "Both ways."},
        "why": "Three and three.",
    },
    "quiz": {
        "name": "quiz",
        "questions": [
            {"question": "First?", "answer": "c", "accept": [], "why_wrong": {"a": "Not a."}, "why": ""},
            {"question": "Second?", "answer": "b", "accept": [], "why_wrong": {}, "why": ""},
        ],
    },
    "talk": {
        "name": "talk",
        "expected": [
            {"role": "user", "content": "What is here?"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "A", "name": "ls", "input": {}}]},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "A", "content": {"$contains": "notes.txt"}}],
            },
        ],
        "why": "In order.",
    },
    "answer": {
        "name": "answer",
        "cases": [
            {
                "title": "one call",
                "args": [
                    {"$block": {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "x"}}},
                    {"look": {"$function": {"returns": "7"}, "name": "look"}},
                ],
                "expect": {
                    "result_block": {"type": "tool_result", "tool_use_id": "toolu_1", "content": "7"},
                    "calls": [{"name": "look", "kwargs": {"at": "x"}}],
                },
                "why": "The id of the call.",
            }
        ],
    },
    "all": {
        "name": "all",
        "cases": [
            {
                "title": "two calls",
                "args": [
                    [
                        {"$block": {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "x"}}},
                        {"$block": {"type": "tool_use", "id": "toolu_2", "name": "count", "input": {"what": "x"}}},
                    ],
                    {
                        "look": {"$function": {"takes": ["at"], "returns": {"n": 7}}, "name": "look"},
                        "count": {"$function": {"takes": [], "returns": "4"}, "name": "count"},
                    },
                ],
                "expect": {
                    "result_blocks": [
                        {"type": "tool_result", "tool_use_id": "toolu_1", "content": {"$text_of": {"n": 7}}},
                        {
                            "type": "tool_result",
                            "tool_use_id": "toolu_2",
                            "content": {"$contains": "'what'"},
                            "is_error": True,
                        },
                    ]
                },
                "why": "Each has its own.",
            }
        ],
    },
    "seven": {
        "name": "seven",
        "cases": [{"title": "no arguments", "args": [], "expect": {"returns": 7}, "why": "Seven."}],
    },
    "raises": {
        "name": "raises",
        "cases": [{"title": "it raises", "args": [1], "expect": {"raises": "KeyError"}, "why": "Say so."}],
    },
}


@pytest.fixture(autouse=True)
def own_fixtures(monkeypatch):
    for module in (answer, function, history):
        monkeypatch.setattr(module, "read_fixture", lambda folder, name: FIXTURES[name])


def grade(kind, fixture, value, name="thing"):
    exercise = SimpleNamespace(id="e", kind=kind, name=name, fixture=fixture, level=None, points=4, title="An exercise")
    report = grade_value(exercise, value, seed=1)
    assert render_text(report) and render_html(report)
    return report


@pytest.mark.parametrize("value", [6, "6", "Six", 6.0, " six "])
def test_right_answers(value):
    assert grade("answer", "one", value).points == 4


def test_a_wrong_answer_gets_its_feedback_and_never_the_answer():
    report = grade("answer", "one", 3)
    assert report.violations[0].help == "Both ways."
    assert "6" not in render_text(report).replace("of 4", "")


@pytest.mark.parametrize("value", [None, ..., "", "  ", [], ()])
def test_blank_answers_are_not_attempted(value):
    assert grade("answer", "one", value).verdict == "not_attempted"
    assert grade("answer", "quiz", value).verdict == "not_attempted"


def test_a_quiz_counts_each_question():
    assert grade("answer", "quiz", ["c", "b"]).points == 4
    half = grade("answer", "quiz", ["c", "a"])
    assert (half.points, half.verdict) == (2, "failed")
    part = grade("answer", "quiz", ["c"])
    assert part.points == 2 and part.exercises[0].message == "Still to be answered: number 2 of 2."
    assert grade("answer", "quiz", ["c", "b", "b"]).exercises[0].message


def test_answers_that_are_no_list_are_told_so():
    assert "into a list" in grade("answer", "quiz", "c b").exercises[0].message


def test_a_drawn_history_is_shown_by_its_blocks():
    messages = [
        {"role": "user", "content": "What is here?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "call_1", "name": "ls", "input": {}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "x"}]},
    ]
    words = "[user: 'What is here?', assistant: text I look. + tool_use call_1, user: tool_result call_1]"
    assert wording.shown_value(messages) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "an empty text"),
        ("7", "“7”"),
        ({7}, "the set {7}"),
        (map(str, []), "a map object"),
        ([object()], "[something that is no JSON]"),
    ],
)
def test_what_came_back_is_said_in_words(value, words):
    assert f"The function returned {words};" in grade("function", "seven", lambda: value).violations[0].saw


def test_an_answer_whose_str_raises_is_a_wrong_answer():
    class Odd:
        def __str__(self):
            raise RuntimeError("no")

    assert grade("answer", "one", Odd()).verdict == "failed"


def test_an_exercise_that_counts_as_a_whole_gives_all_points_or_none():
    exercise = SimpleNamespace(
        id="e", kind="answer", name="x", fixture="quiz", level=None, points=4, title="An exercise", whole=True
    )
    assert grade_value(exercise, ["c", "a"], seed=1).points == 0
    assert grade_value(exercise, ["c", "b"], seed=1).points == 4


def talk(tool_id="toolu_9", result="notes.txt  plan.txt", result_id=None):
    return [
        {"role": "user", "content": [{"type": "text", "text": "What is here?\n"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": tool_id, "name": "ls", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": result_id or tool_id, "content": result}]},
    ]


def test_the_right_conversation_with_ids_of_its_own():
    assert grade("history", "talk", talk()).verdict == "passed"


def test_a_list_that_breaks_a_rule_is_not_compared():
    report = grade("history", "talk", talk(result_id="toolu_other"))
    assert report.violations[0].rule in ("P01", "P04")
    assert report.exercises[0].checks[1].verdict == "not_played"


@pytest.mark.parametrize(
    ("messages", "where"),
    [
        (talk(result="nothing"), "messages[2].content"),
        (talk()[:1], "messages[1]"),
        ([{"role": "user", "content": "What else?"}, *talk()[1:]], "messages[0].content"),
        (
            [*talk(), {"role": "assistant", "content": "Two files."}, {"role": "user", "content": "Thanks."}],
            "messages[3]",
        ),
    ],
)
def test_the_first_message_that_differs_is_named(messages, where):
    report = grade("history", "talk", messages)
    assert (report.violations[0].rule, report.violations[0].where) == ("X05", where)


@pytest.mark.parametrize(
    "value", [3, "text", [3], [{"role": "user"}], {"role": "user", "content": "x"}, [[]], object()]
)
def test_what_is_no_list_of_messages_is_a_finding(value):
    assert grade("history", "talk", value).verdict == "failed"


def good(block, functions):
    return {"type": "tool_result", "tool_use_id": block.id, "content": functions[block.name](**block.input)}


def test_a_right_function():
    assert grade("function", "answer", good).verdict == "passed"


@pytest.mark.parametrize(
    ("function_", "rule"),
    [
        (lambda block, functions: good(block, functions) | {"tool_use_id": "toolu_2"}, "X02"),
        (lambda block, functions: good(block, functions) | {"extra": 1}, "X02"),
        (lambda block, functions: "7", "X02"),
        (lambda block, functions: functions["nope"], "X03"),
        (lambda block, functions: {"type": "tool_result", "tool_use_id": block.id, "content": "7"}, "X04"),
        (lambda block, functions: good(block, functions) and good(block, functions), "X04"),
        (lambda block: None, "X03"),
        (
            lambda block, functions: {
                "type": "tool_result",
                "tool_use_id": block.id,
                "content": functions["look"]("x"),
            },
            "X04",
        ),
    ],
)
def test_wrong_functions(function_, rule):
    assert grade("function", "answer", function_).violations[0].rule == rule


@pytest.mark.parametrize(
    ("function_", "words"),
    [
        (lambda block, functions: functoins["look"], "misspelled"),  # noqa: F821
        (lambda block, functions: block["id"], "write block.name"),
        (lambda block, functions: functions["nope"], FIXTURES["answer"]["cases"][0]["why"]),
    ],
)
def test_a_slip_is_told_apart_from_what_the_case_is_about(function_, words):
    assert words in grade("function", "answer", function_).violations[0].help


def test_a_function_with_other_parameters_is_told_so():
    def thing(block):
        return block

    assert "parameters" in grade("function", "answer", thing).violations[0].help


def test_a_message_in_place_of_a_block_is_called_one():
    found = grade("function", "answer", lambda *given: {"role": "user", "content": [good(*given)]}).violations[0]
    assert "returned a message" in found.saw


def answers(blocks, functions, text=json.dumps):
    made = []
    for block in blocks:
        made.append({"type": "tool_result", "tool_use_id": block.id})
        try:
            made[-1]["content"] = text(functions[block.name](**block.input))
        except TypeError as error:
            made[-1] |= {"content": str(error), "is_error": True}
    return made


def test_a_list_of_results_in_any_order_with_texts_that_may_vary():
    assert grade("function", "all", answers).verdict == "passed"
    assert grade("function", "all", lambda *given: answers(*given, text=str)[::-1]).verdict == "passed"


@pytest.mark.parametrize(
    ("function_", "words"),
    [
        (lambda *given: answers(*given)[0], "should return a list"),
        (lambda *given: answers(*given)[:1], "holds no result for toolu_2"),
        (lambda *given: answers(*given) * 2, "holds 4 blocks; it should hold 2"),
        (lambda *given: answers(*given, text=lambda value: "seven"), "it should be a text that says"),
        (lambda *given: answers(*given, text=lambda value: value), "it should be a text that says"),
        (
            lambda *given: [one | {"content": "7"} if "is_error" in one else one for one in answers(*given)],
            "it should hold “'what'”",
        ),
    ],
)
def test_wrong_lists_of_results(function_, words):
    assert words in grade("function", "all", function_).violations[0].saw


def test_a_case_that_should_raise():
    def raises(kind):
        def function_(_):
            raise kind("x")

        return function_

    assert grade("function", "raises", raises(KeyError)).verdict == "passed"
    assert grade("function", "raises", raises(ValueError)).violations[0].rule == "X02"
    assert grade("function", "raises", lambda _: 1).violations[0].rule == "X02"


def test_a_stub_and_a_function_that_never_returns(monkeypatch):
    def stub(*_):
        raise NotImplementedError

    def endless(*_):
        while True:
            pass

    monkeypatch.setattr(function, "DEADLINE_S", 0.2)
    assert grade("function", "answer", stub).verdict == "not_attempted"
    assert grade("function", "answer", ...).verdict == "not_attempted"
    assert grade("function", "answer", 5).verdict == "failed"
    assert "returned after" in grade("function", "answer", endless).violations[0].saw
