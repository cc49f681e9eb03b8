"""The layout: what becomes a row, which result answers which call, and where a violation is drawn."""

from grader.course.timeline import ladder
from tests.course.timeline.examples import assistant, call, exchange, result, text, user, violation


def arrows(drawing):
    """(place of the call, place of the result, state) of each arrow."""
    rows = drawing.rows
    return [(rows[a.start].place, None if a.end is None else rows[a.end].place, a.state) for a in drawing.arrows]


def kinds(drawing):
    return [(row.kind, row.head) for row in drawing.rows]


def mark_below(drawing, code):
    """The row right above the mark of a rule."""
    at = next(i for i, row in enumerate(drawing.rows) if row.kind == "mark" and row.title.startswith(code))
    return drawing.rows[at - 1]


def test_each_message_and_each_block_is_a_row_in_order(weather):
    drawing = ladder(weather)
    assert kinds(drawing) == [
        ("message", "user"), ("block", "text"),
        ("message", "assistant"), ("block", "text"), ("block", "tool_use"), ("block", "tool_use"),
        ("message", "user"), ("block", "tool_result"),
    ]  # fmt: skip
    assert [row.title for row in drawing.rows if row.kind == "message"] == ["", "turn 1", "turn 1"]


def test_an_unanswered_call_dangles(weather):
    assert arrows(ladder(weather)) == [
        ("messages[1].content[1]", "messages[2].content[0]", "answered"),
        ("messages[1].content[2]", None, "open"),
    ]


def test_arrows_pair_by_id_in_merged_turns():
    history = [
        user("Go."),
        assistant(call("a")),
        assistant(call("b")),
        user(result("b")),
        user(result("a")),
    ]
    assert arrows(ladder(history)) == [
        ("messages[1].content[0]", "messages[4].content[0]", "answered"),
        ("messages[2].content[0]", "messages[3].content[0]", "answered"),
    ]


def test_an_id_in_two_turns_pairs_within_its_own():
    history = [user("Go."), assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))]
    assert arrows(ladder(history)) == [
        ("messages[1].content[0]", "messages[2].content[0]", "answered"),
        ("messages[3].content[0]", "messages[4].content[0]", "answered"),
    ]


def test_a_result_that_comes_a_turn_too_late_is_drawn_as_late():
    history = [user("Go."), assistant(call("a")), user("wait"), assistant(text("?")), user(result("a"))]
    drawing = ladder(history)
    assert arrows(drawing) == [("messages[1].content[0]", "messages[4].content[0]", "late")]
    assert drawing.rows[-1].state == "late"


def test_a_result_above_its_call_or_without_one_is_an_orphan():
    drawing = ladder([user(result("a"), result("x")), assistant(call("a"))])
    assert [row.state for row in drawing.rows if row.head == "tool_result"] == ["orphan", "orphan"]
    assert arrows(drawing) == [("messages[1].content[0]", None, "open")]


def test_a_result_in_the_message_of_its_call_answers_nothing():
    drawing = ladder([user("Go."), assistant(call("a"), result("a"))])
    assert arrows(drawing) == [("messages[1].content[0]", None, "open")]
    assert drawing.rows[-1].state == "orphan"


def test_a_server_call_is_answered_in_its_message_or_in_the_next_one():
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    within = ladder([user("Go."), assistant(search, found)])
    paused = ladder([user("Go."), assistant(search), assistant(found)])
    beside = ladder([user("Go."), assistant(search, call("a")), user(result("a")), assistant(found)])
    assert [a.state for drawing in (within, paused, beside) for a in drawing.arrows] == ["answered"] * 4
    assert all(drawing.arrows[0].server for drawing in (within, paused, beside))


def test_a_client_result_does_not_answer_a_server_call():
    search = {"type": "server_tool_use", "id": "x", "name": "web_search", "input": {}}
    drawing = ladder([user("Go."), assistant(search), user(result("x"))])
    assert [a.state for a in drawing.arrows] == ["open"]


def test_a_violation_stands_below_its_block_its_message_or_at_the_end(weather):
    found = [
        violation("messages[1].content[2]"),
        violation("messages[2]", "P14"),
        violation("request 1, messages[0].content[0]", "E02"),
        violation("messages[2].content[9]", "P07"),
        violation("messages[99]", "P04"),
        violation("somewhere", "L01"),
    ]
    drawing = ladder(weather, found)
    assert mark_below(drawing, "P01").place == "messages[1].content[2]"
    assert mark_below(drawing, "P14").place == "messages[2].content[0]"
    assert mark_below(drawing, "E02").place == "messages[0].content"
    assert mark_below(drawing, "P07").title.startswith("P14")
    assert mark_below(drawing, "P04").head == "the whole history"
    assert drawing.rows[-1].title.startswith("L01")
    assert len(drawing.marks) == len(found)


def test_violation_objects_and_their_dicts_are_the_same(weather):
    from grader.history import Violation

    found = violation("messages[1].content[2]")
    assert ladder(weather, [Violation(**found)]).rows == ladder(weather, [found]).rows


def test_a_repeated_violation_is_drawn_once(weather):
    assert len(ladder(weather, [violation("messages[1]")] * 3).marks) == 1


def test_a_request_json_text_and_sdk_objects_are_read_like_messages(weather):
    import json

    from anthropic.types import TextBlock, ToolUseBlock

    plain = ladder(weather).rows
    assert ladder({"model": "m", "messages": weather}).rows == plain
    assert ladder(json.dumps(weather)).rows == plain
    blocks = [
        TextBlock(type="text", text="I look."),
        ToolUseBlock(type="tool_use", id="toolu_1", name="get_weather", input={"city": "Oslo"}),
        call("toolu_2", city="Bergen"),
    ]
    assert ladder([weather[0], assistant(*blocks), weather[2]]).rows == plain


def test_a_whole_reply_carries_its_stop_reason_and_tokens():
    usage = {"input_tokens": 3, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 5, "output_tokens": 4}
    drawing = ladder({"role": "assistant", "content": [], "stop_reason": "end_turn", "usage": usage})
    assert (drawing.rows[-1].title, drawing.rows[-1].text) == (
        "end_turn",
        "1,008 tokens in (1,000 from the cache), 4 out",
    )


def run_of_two():
    history = [user("Go."), assistant(call("a")), user(result("a")), assistant(text("Done."))]
    first, second = (
        exchange(0, history[:1], history[1]["content"]),
        exchange(1, history[:3], history[3]["content"], "end_turn"),
    )
    return history, {"exchanges": [first, second], "claim": {"status": "done", "messages": history}}


def test_a_transcript_shows_each_reply_at_its_message():
    history, transcript = run_of_two()
    drawing = ladder(transcript)
    stops = [(row.panel, row.title, row.text) for row in drawing.rows if row.kind == "reply"]
    assert stops == [
        (1, "tool_use", "120 tokens in (20 from the cache), 7 out"),
        (3, "end_turn", "120 tokens in (20 from the cache), 7 out"),
    ]
    assert (drawing.replies, drawing.last_stop, drawing.tokens) == (2, "end_turn", (240, 14))
    assert drawing.outcome == "The function returned 'done'."


def test_a_refusal_that_stopped_the_loop_is_quoted_once():
    body = "{'type': 'error', 'error': {'type': 'invalid_request_error', 'message': 'messages.1: no'}}"
    crash = {"type": "BadRequestError", "message": f"Error code: 400 - {body}", "frames": []}
    assert ladder({"exchanges": [], "crash": crash}).outcome == (
        "The function stopped with BadRequestError: Error code: 400."
    )
    crash = {"type": "ValueError", "message": "1 - {2}", "frames": []}
    assert ladder({"exchanges": [], "crash": crash}).outcome == "The function stopped with ValueError: 1 - {2}."


def test_the_newest_reply_is_drawn_before_it_is_appended():
    history, transcript = run_of_two()
    drawing = ladder({"exchanges": transcript["exchanges"][:1]})
    assert [row.head for row in drawing.rows if row.kind == "message"] == ["user", "reply 1"]
    assert [a.state for a in drawing.arrows] == ["open"]


def test_a_reply_that_was_not_appended_is_drawn_where_it_is_missing():
    history, transcript = run_of_two()
    transcript["exchanges"][1]["request"]["messages"] = [history[0], history[2]]
    transcript["claim"] = None
    drawing = ladder(transcript, [violation("reply 1", "L03"), violation("request 2", "L02")])
    heads = [row.head for row in drawing.rows if row.kind == "message"]
    assert heads == ["user", "reply 1, not in the history", "user", "reply 2"]
    assert drawing.arrows == []
    assert mark_below(drawing, "L03").title == "tool_use"
    assert mark_below(drawing, "L02").place == "messages[1].content[0]"


def test_errors_of_the_api_are_drawn_and_retries_are_no_requests_of_their_own():
    history, transcript = run_of_two()
    overloaded = {"status": 529, "kind": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    first, second = transcript["exchanges"]
    transcript["exchanges"] = [exchange(0, history[:1], **overloaded), first | {"retry": 1}, second]
    drawing = ladder(transcript, [violation("request 2", "L02")])
    api = next(row for row in drawing.rows if row.kind == "api")
    assert (api.head, api.text) == ("request 1: API error", "529 overloaded_error Overloaded")
    assert mark_below(drawing, "L02").place == "messages[2].content[0]"


def test_results_that_only_the_returned_history_holds_are_drawn():
    history, transcript = run_of_two()
    transcript["exchanges"] = transcript["exchanges"][:1]
    transcript["claim"] = {"status": "max_turns", "messages": history[:3]}
    assert [a.state for a in ladder(transcript).arrows] == ["answered"]
    transcript["claim"]["messages"] = []
    drawing = ladder(transcript, [violation("returned messages[0].content[0]")])
    assert [a.state for a in drawing.arrows] == ["open"]
    assert drawing.rows[-2].head == "the whole run"


def test_a_transcript_brings_its_own_violations_and_a_check_result_its_transcript(weather):
    found = violation("messages[1].content[2]")
    transcript = {
        "exchanges": [
            exchange(0, weather, None, status=400, kind="refused", violations=[found], error={"message": "bad"})
        ]
    }
    assert mark_below(ladder(transcript), "P01").place == "messages[1].content[2]"

    class Result:
        def __init__(self):
            self.transcript, self.violations = transcript, [violation("request 1", "L02")]

    assert [row.title[:3] for row in ladder(Result()).marks] == ["L02"]


def test_what_came_of_a_longer_request_stands_at_the_end():
    history, transcript = run_of_two()
    refused = {"status": 400, "kind": "refused", "error": {"type": "invalid_request_error", "message": "too long"}}
    transcript["exchanges"].insert(1, exchange(1, [*history, *history], **refused))
    transcript["claim"] = None
    assert [row.kind for row in ladder(transcript).rows].count("api") == 1


def test_images_are_named_and_thinking_keeps_its_signature():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x" * 75_000}}
    thinking = {"type": "thinking", "thinking": "hm", "signature": "sig"}
    rows = [row for row in ladder([user(image), assistant(thinking)]).rows if row.kind == "block"]
    assert rows[0].text == "image/png, 75,000 characters of base64"
    assert (rows[1].text, rows[1].notes) == ("hm", (("signature", "sig"),))
