"""SDK objects, and everything else that may stand in a learner's list."""

import json
import traceback
from collections import OrderedDict, UserDict, UserList
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from unittest.mock import MagicMock

import pytest

from grader.history import lint
from grader.history.examples import TASK, assistant, call, request, result, text, thinking, user
from grader.history.plain import MAX_DEPTH

REPLY = {
    "id": "msg_01",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "content": [thinking(), text("Let me see."), call(caller={"type": "direct"})],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


@pytest.fixture(scope="module")
def reply():
    types = pytest.importorskip("anthropic.types")
    return types.Message.model_validate(REPLY)


def codes(history, **options):
    return [violation.rule for violation in lint(history, **options)]


def test_the_content_of_a_reply_as_it_is(reply):
    assert codes([TASK, {"role": "assistant", "content": reply.content}, user(result())]) == []
    assert (
        codes(
            request(TASK, {"role": "assistant", "content": list(reply.content)}, user(result())),
            replies=[reply.content],
        )
        == []
    )
    assert codes([TASK, {"role": "assistant", "content": reply.content}]) == ["P17"]


def test_to_param_and_a_mix(reply):
    assert codes([TASK, reply.to_param(), user(result())]) == []
    mixed = [text("Let me see."), reply.content[2]]
    assert codes([TASK, {"role": "assistant", "content": mixed}, user(result())]) == []


def test_a_plain_dump_is_advice_and_the_whole_reply_is_refused(reply):
    dumped = [block.model_dump() for block in reply.content]
    assert codes([TASK, {"role": "assistant", "content": dumped}, user(result())]) == ["R19"]
    assert codes([TASK, reply, user(result())]) == ["R06"]
    assert codes([TASK, reply.model_dump(), user(result())]) == ["R06", "R19"]
    assert codes(reply) == ["R01"]


def test_a_parsed_block_is_sent_without_what_was_parsed():
    parsed = pytest.importorskip("anthropic.types.parsed_message")
    block = parsed.ParsedTextBlock[dict](type="text", text="{}", parsed_output={"a": 1})
    assert codes([TASK, {"role": "assistant", "content": [block]}, user("Thanks.")]) == []
    block = {"type": "text", "text": "{}", "parsed_output": {"a": 1}}
    assert codes([TASK, {"role": "assistant", "content": [block]}, user("Thanks.")]) == ["R15"]


def test_what_the_sdk_leaves_out_is_left_out():
    anthropic = pytest.importorskip("anthropic")
    assert codes({"messages": [TASK], "system": anthropic.NOT_GIVEN, "tools": anthropic.omit}) == []


def test_other_kinds_of_lists_and_dicts():
    assert codes((TASK, MappingProxyType(assistant(call())), UserDict(user(result())))) == []
    assert codes(UserList([OrderedDict(TASK)])) == []
    assert codes([TASK, {"role": "assistant", "content": (call(),)}, user(result())]) == []
    assert codes([{"role": "user", "content": {"a": text("Hello")}.values()}]) == []
    assert codes(request(TASK, metadata={"day": date(2026, 11, 30)})) == []


def test_json_text_and_bytes():
    assert codes(json.dumps(request(TASK))) == codes(json.dumps([TASK]).encode()) == []
    assert codes(json.dumps([TASK, assistant(call())])) == ["P17"]


def test_a_file_as_the_source_of_an_image():
    source = {"type": "base64", "media_type": "image/png", "data": Path("picture.png")}
    assert codes(request(user({"type": "image", "source": source}))) == []


class Awkward:
    """An object whose every attribute raises."""

    def __getattr__(self, name):
        raise RuntimeError(name)


ODD = {
    "bytes": b"12 C",
    "a set": {"12 C"},
    "NaN": float("nan"),
    "infinity": float("inf"),
    "a generator": (letter for letter in "12"),
    "an object": object(),
    "a namespace": SimpleNamespace(type="text", text="x"),
    "a mock": MagicMock(),
    "an awkward object": Awkward(),
    "a class": dict,
    "a function": print,
    "a decimal": Decimal("12"),
    "a path": Path("x"),
    "an exception": ValueError("x"),
    "half an emoji": "\ud83d",
    "a complex number": 1j,
}


@pytest.mark.parametrize("value", ODD.values(), ids=list(ODD))
def test_what_is_not_json_is_named_wherever_it_stands(value):
    assert codes(request(user(text("x"), value))) == ["R17"]
    assert codes(request(TASK, assistant(call(input={"a": [value]})), user(result()))) == ["R17"]
    assert codes(request(TASK, assistant(call()), user(result(content=value)))) == ["R17"]
    assert codes(request({"role": "user", "content": value})) == ["R17"]
    assert codes(request(user(text(value)))) == ["R17"]
    assert codes(request(TASK, value)) == ["R17"]
    assert codes(request(TASK, system=value)) == ["R17"]
    assert codes({"messages": value}) in (["R01"], ["R17"])
    assert codes([value]) == ["R17"]


def test_the_place_of_what_is_not_json():
    (violation,) = lint(request(TASK, assistant(call(input={"when": [{1, 2}]})), user(result())))
    assert violation.where == "messages[1].content[0].input.when[0]"
    assert violation.saw == "There is a set, which has no order; use a list."
    (violation,) = lint([user(text("x" * 10 + "\ud83d"))])
    assert violation.where == "messages[0].content[0].text"
    assert violation.api == "The request body is not valid JSON: no low surrogate in string"


def test_what_stands_in_place_of_the_list_is_named():
    for history in ({"messages": (message for message in [TASK])}, (message for message in [TASK])):
        (violation,) = lint(history)
        assert violation.rule == "R01" and "a generator, which is empty after its first use" in violation.saw


def test_odd_ids_and_keys():
    assert codes(request(TASK, assistant(call(7)), user(result("a")))) == ["R14", "P04"]
    assert codes(request(TASK, assistant(call(input={("a", "b"): 1})), user(result()))) == ["R17"]
    assert codes(request(TASK, assistant(call(input={1: 1, None: 2, 1.5: 3})), user(result()))) == []


def test_a_list_that_contains_itself():
    content = [text("x")]
    content.append(content)
    assert codes(request({"role": "user", "content": content})) == ["R17"]
    loop = {}
    loop["loop"] = loop
    assert codes(request(TASK, assistant(call(input=loop)), user(result()))) == ["R17"]
    history = [TASK]
    history.append(history)
    assert codes(history) == ["R17"]


def test_the_same_block_in_many_places_is_fine():
    note = text("x")
    assert codes(request(user(note, note), assistant("Hm."), user(note))) == []


def test_shared_values_do_not_multiply():
    value = [1]
    for _ in range(100):
        value = [value, value]  # 2 ** 100 numbers when written out
    assert codes(request(TASK, assistant(call(input={"a": value})), user(result()))) == []


def _on_a_deep_stack(depth, work):
    """Do the work with so many frames of this function below it."""
    frames = sum(1 for _ in traceback.walk_stack(None))
    return work() if frames >= depth else _on_a_deep_stack(depth, work)


def test_deep_values():
    def nested(depth):
        value = 1
        for _ in range(depth):
            value = [value]
        return request(TASK, assistant(call(input={"a": value})), user(result()))

    assert codes(nested(MAX_DEPTH - 10)) == []
    assert _on_a_deep_stack(400, lambda: codes(nested(MAX_DEPTH - 10))) == []
    assert _on_a_deep_stack(900, lambda: codes(nested(MAX_DEPTH - 10))) in ([], ["R01"])
    assert codes(nested(MAX_DEPTH + 10)) == ["R17"]
    assert codes(nested(100_000)) == ["R17"]
    assert codes("[" * 100_000) == ["R01"]
    assert codes(json.dumps(nested(500))) == ["R17"]


def test_the_history_is_left_as_it_was():
    history = request(TASK, assistant(call()), user(result()))
    before = json.dumps(history)
    lint(history)
    assert json.dumps(history) == before
