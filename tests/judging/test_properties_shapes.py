"""The properties of the other shape: right translations keep them, wrong ones are caught, in words."""

import json

import pytest

from grader.judging.exercises.properties import PROPERTIES, shapes
from grader.judging.exercises.properties.declare import counterexample


def fault(name, function, seed=1):
    found = counterexample(PROPERTIES[name], function, seed=seed)
    return found[1] if found else None


def there_with(change):
    """``to_openai`` with each message changed."""
    return lambda messages: [change(message) for message in shapes.to_openai(messages)]


def calls_with(change):
    def changed(message):
        if "tool_calls" not in message:
            return message
        return message | {
            "tool_calls": [call | {"function": change(call["function"])} for call in message["tool_calls"]]
        }

    return there_with(changed)


def back_with(*, split=False, arguments=json.loads, text_always=False, texts_as_blocks=False):
    """A ``from_openai``; the arguments make it right in other words, or wrong."""

    def from_openai(messages):
        out = []
        for message in messages:
            if message["role"] == "tool":
                result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
                if split or out[-1]["role"] == "assistant":
                    out.append({"role": "user", "content": []})
                out[-1]["content"].append(result)
            elif message["role"] == "assistant":
                blocks = [{"type": "text", "text": message["content"]}] if message["content"] or text_always else []
                for call in message.get("tool_calls", []):
                    input = arguments(call["function"]["arguments"])
                    blocks.append(
                        {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": input}
                    )
                out.append({"role": "assistant", "content": blocks})
            elif texts_as_blocks:
                out.append({"role": "user", "content": [{"type": "text", "text": message["content"]}]})
            else:
                out.append(message)
        return out

    return from_openai


def test_right_translations_keep_them():
    for seed in range(3):
        assert fault("speaks-openai", shapes.to_openai, seed) is None
        assert fault("comes-back", back_with(), seed) is None
    assert fault("comes-back", back_with(texts_as_blocks=True)) is None


def test_the_spaces_of_the_json_text_are_free():
    compact = calls_with(lambda f: f | {"arguments": json.dumps(json.loads(f["arguments"]), separators=(",", ":"))})
    assert fault("speaks-openai", compact) is None


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (calls_with(lambda f: f | {"arguments": json.loads(f["arguments"])}), "it should say"),
        (there_with(lambda m: m | {"role": "user"} if m["role"] == "tool" else m), "it should say"),
        (lambda messages: shapes.to_openai(messages)[:1], "came back"),
        (lambda messages: messages, ""),
        (lambda messages: "text", "it should return a list of messages"),
    ],
)
def test_a_wrong_way_there_is_caught(function, words):
    assert words in (fault("speaks-openai", function) or pytest.fail("it was not caught"))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (back_with(split=True), "harmful"),
        (back_with(arguments=str), "refused"),
        (back_with(text_always=True), "refused"),
        (lambda messages: None, "it should return a list of messages"),
    ],
)
def test_a_wrong_way_back_is_caught(function, words):
    assert words in (fault("comes-back", function) or pytest.fail("it was not caught"))
