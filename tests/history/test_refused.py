"""Further ways to break a rule, each with the codes that name it."""

import pytest

from grader.history import lint
from grader.history.examples import (
    TASK,
    assistant,
    call,
    image,
    request,
    result,
    search,
    search_result,
    text,
    thinking,
    user,
)

MARK = {"cache_control": {"type": "ephemeral"}}
ENABLED = {"type": "enabled", "budget_tokens": 1024}
SYSTEM = {"role": "system", "content": "Be brief."}
OLDER = "claude-haiku-4-5"

REFUSED = {
    "no messages in a list": ([], ["R02"]),
    "a number": (3, ["R01"]),
    "nothing": (None, ["R01"]),
    "text": ("What is the weather?", ["R01"]),
    "a single message": (TASK, ["R01"]),
    "messages as an object": ({"messages": {}}, ["R01"]),
    "a list in the list": (request([TASK]), ["R03"]),
    "no role": (request({"content": "Hello"}), ["R04"]),
    "no content": (request({"role": "user"}), ["R04"]),
    "null content": (request({"role": "user", "content": None}), ["R05"]),
    "number content": (request({"role": "user", "content": 3}), ["R05"]),
    "a null role": (request({"role": None, "content": "x"}), ["R07"]),
    "role function": (request(TASK, {"role": "function", "name": "x", "content": "x"}), ["R07"]),
    "role developer": (request({"role": "developer", "content": "x"}, TASK), ["R07"]),
    "a role that is a list": (request({"role": ["user"], "content": "x"}), ["R07"]),
    "clear_at on a user message": (request({**TASK, "clear_at": "never"}), ["R06"]),
    "a system message first": (request(SYSTEM, TASK), ["R09"]),
    "a system message before a user message": (request(TASK, SYSTEM, user("x")), ["R09"]),
    "a system message after assistant text": (request(TASK, assistant("x"), SYSTEM), ["R09"]),
    "a system message first on an older model": (request(SYSTEM, TASK, model=OLDER), ["R08"]),
    "an empty system message": (request(TASK, {"role": "system", "content": []}), ["E01"]),
    "a result in a system message": (request(TASK, {"role": "system", "content": [image()]}), ["R10"]),
    "a string in the content": (request(user(text("a"), "b")), ["R11"]),
    "a block without a type": (request(user({"text": "x"})), ["R11"]),
    "a block with a null type": (request(user({"type": None, "text": "x"})), ["R11"]),
    "an OpenAI image in a result": (
        request(TASK, assistant(call()), user(result(content=[{"type": "image_url"}]))),
        ["R12"],
    ),
    "strings in a result": (request(TASK, assistant(call()), user(result(content=["a", "b"]))), ["R11", "R11"]),
    "an MCP text with annotations": (
        request(TASK, assistant(call()), user(result(content=[text("x", annotations=None)]))),
        ["R15"],
    ),
    "an MCP image": (
        request(TASK, assistant(call()), user(result(content=[{"type": "image", "data": "x", "mimeType": "y"}]))),
        ["R13"],
    ),
    "a call without a name": (
        request(TASK, assistant({"type": "tool_use", "id": "a", "input": {}}), user(result("a"))),
        ["R13"],
    ),
    "a call without input": (
        request(TASK, assistant({"type": "tool_use", "id": "a", "name": "x"}), user(result("a"))),
        ["R13"],
    ),
    "a null text": (request(user(text(None))), ["R14"]),
    "a number as id": (request(TASK, assistant(call(7)), user(result(7))), ["R14", "R14"]),
    "a null input": (request(TASK, assistant(call(input=None)), user(result())), ["P08"]),
    "a list as input of a server call": (
        request(TASK, assistant(search() | {"input": []}, search_result()), user("x")),
        ["P08"],
    ),
    "parsed_output": (request(TASK, assistant(text("x", parsed_output=None)), user("x")), ["R15"]),
    "a cache mark on thinking": (request(TASK, assistant(thinking(**MARK), call()), user(result())), ["R15"]),
    "an empty image in a result": (request(TASK, assistant(call()), user(result(content=[image("")]))), ["R16"]),
    "a number as result": (request(TASK, assistant(call()), user(result(content=12))), ["P16"]),
    "an error of empty text": (
        request(TASK, assistant(call()), user(result(content=[text("")], is_error=True))),
        ["P12"],
    ),
    "an error without content": (
        request(TASK, assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_01", "is_error": True})),
        ["P12"],
    ),
    "a call inside a result": (request(TASK, assistant(call()), user(result(content=[call("x")]))), ["P16"]),
    "a jpg": (request(TASK, assistant(call()), user(result(content=[image(media_type="image/jpg")]))), ["R20"]),
    "Gemini": (request({"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": []}), ["R04", "R07"]),
    "Bedrock": (request(user({"text": "x"})), ["R11"]),
    "a message with a name": (request({**TASK, "name": "Kim"}), ["R06"]),
    "an empty string": (request(user("")), ["E01"]),
    "an empty reply in the middle": (request(TASK, assistant(), user("x")), ["E01"]),
    "a user message of blanks": (request(user(" \n")), ["E03"]),
    "a blank text beside a result": (request(TASK, assistant(call()), user(result(), text(" "))), ["E03", "P14"]),
    "an empty last message": (request(TASK, assistant("")), ["E04"]),
    "a blank prefill": (request(TASK, assistant(" "), model=OLDER), ["E03"]),
    "a blank prefill on a newer model": (request(TASK, assistant(" ")), ["E04"]),
    "a prefill that ends with a line break": (request(TASK, assistant(text("x\n")), model=OLDER), ["E05"]),
    "thinking at the end": (request(TASK, assistant(thinking()), user("x")), ["T05"]),
    "a thinking block with an empty signature": (
        request(TASK, assistant(thinking("x", ""), call()), user(result())),
        ["T02"],
    ),
    "enabled, a text first": (request(TASK, assistant(text("x"), call()), user(result()), thinking=ENABLED), ["T06"]),
    "a server call that text follows": (
        request(TASK, assistant(search(), call()), user(result(), text("x"))),
        ["S01", "P14"],
    ),
    "two open server calls": (
        request(TASK, assistant(search("srvtoolu_1"), search("srvtoolu_2")), user("x")),
        ["S01", "S01"],
    ),
    "a server result before its call": (request(TASK, assistant(search_result(), search()), user("x")), ["S02"]),
    "marks in system and tools": (
        request(user(text("x", **MARK)), system=[text("y", **MARK)] * 2, tools=[{"name": "x", **MARK}] * 2),
        ["C01"],
    ),
    "five marks in system": (request(TASK, system=[text("y", **MARK)] * 5), ["C01"]),
    "five marks in a result": (
        request(TASK, assistant(call()), user(result(content=[text("y", **MARK)] * 5))),
        ["C01"],
    ),
}


@pytest.mark.parametrize("history, codes", REFUSED.values(), ids=list(REFUSED))
def test_is_named(history, codes):
    assert sorted(violation.rule for violation in lint(history)) == sorted(codes)


def test_violations_come_by_place_and_the_refused_ones_first():
    history = request(
        user(text(" "), "x"), assistant(call()), user(result(), text(" ")), assistant(call()), user(result())
    )
    found = [(violation.where, violation.severity) for violation in lint(history)]
    assert found == [
        ("messages[0].content[0]", "refused"),
        ("messages[0].content[1]", "refused"),
        ("messages[2].content[1]", "refused"),
        ("messages[2].content[1]", "advice"),
        ("messages[3].content[0]", "advice"),
    ]


def test_a_place_inside_a_result():
    (violation,) = lint(request(TASK, assistant(call()), user(result(content=[text("x"), image("")]))))
    assert violation.where == "messages[2].content[0].content[1]"
    assert violation.api == "messages.2.content.0.tool_result.content.1.image.source.base64: image cannot be empty"
