"""Histories in another shape: the OpenAI chat format, there and back."""

import json

from grader.history import lint
from grader.history.plain import plain
from grader.judging.exercises.properties.declare import holds
from grader.judging.pieces import brief

_INPUTS = ({}, {"day": "Monday"}, {"note": 'said "no"', "at": [1, {"b": None}]})
_TEXTS = ("One moment.", "Let me see.")


def two_way_histories():
    """A hypothesis strategy of histories that both shapes can hold: no thinking, no error marks, one text a message, results alone."""
    from hypothesis import strategies as st

    @st.composite
    def draw_history(draw):
        messages = [{"role": "user", "content": "Look after the shop."}]
        numbers = iter(range(1, 100))
        for _ in range(draw(st.integers(0, 3))):
            blocks = [{"type": "text", "text": draw(st.sampled_from(_TEXTS))}] if draw(st.booleans()) else []
            ids = [f"call_{next(numbers)}" for _ in range(draw(st.integers(0 if blocks else 1, 3)))]
            blocks += [
                {"type": "tool_use", "id": id, "name": "look", "input": draw(st.sampled_from(_INPUTS))} for id in ids
            ]
            results = [
                {"type": "tool_result", "tool_use_id": id, "content": draw(st.sampled_from(("7", "")))} for id in ids
            ]
            messages += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results or "And now?"}]
        return messages

    return draw_history()


def to_openai(messages: list[dict]) -> list[dict]:
    """The same history in the OpenAI chat format."""
    out = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        out += [
            {"role": "tool", "tool_call_id": block["tool_use_id"], "content": block["content"]}
            for block in blocks
            if block["type"] == "tool_result"
        ]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = [_call(block) for block in blocks if block["type"] == "tool_use"]
        if text or calls:
            out.append({"role": message["role"], "content": text or None} | ({"tool_calls": calls} if calls else {}))
    return out


def _call(block: dict) -> dict:
    return {
        "id": block["id"],
        "type": "function",
        "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
    }


def _turns(messages: list[dict]) -> list[tuple]:
    """What a history in the OpenAI shape says, with its arguments read: two texts of the same JSON are no difference."""
    said = []
    for message in messages:
        calls = tuple(
            (
                call.get("id"),
                call.get("type"),
                call.get("function", {}).get("name"),
                _read(call.get("function", {}).get("arguments")),
            )
            for call in message.get("tool_calls") or []
        )
        said.append((message.get("role"), message.get("tool_call_id"), message.get("content"), calls))
    return said


def _read(arguments):
    try:
        return json.loads(arguments)
    except (TypeError, ValueError):
        return f"not JSON text: {arguments!r}"


@holds(
    "speaks-openai",
    title="any history that both shapes can hold",
    strategy=lambda: two_way_histories().map(lambda messages: (messages,)),
    help="One message a tool result, with its tool_call_id; one message for the text and the calls of a reply; arguments as a JSON text.",
)
def speaks_openai(arguments, result):
    """``to_openai(messages)`` says what the history says; keys with None and the spaces in the JSON texts are free."""
    (messages,) = arguments
    got = plain(result)[0]
    if not isinstance(got, list) or not all(isinstance(message, dict) for message in got):
        return f"The function returned {brief(got, 120)}; it should return a list of messages."
    want = to_openai(messages)
    try:
        mine, right = _turns(got), _turns(want)
    except (AttributeError, TypeError):
        return f"A message in what came back is not built like one: {brief(got, 200)}."
    if mine == right:
        return None
    if len(got) != len(want):
        return f"{len(messages)} messages make {len(want)} in the other shape, and {len(got)} came back: {brief([m.get('role') for m in got], 120)}."
    i = next(i for i in range(len(want)) if mine[i] != right[i])
    return f"Message {i} in what came back is {brief(got[i], 160)}; it should say {brief(want[i], 160)}."


@holds(
    "comes-back",
    title="any history, translated there and back",
    strategy=lambda: two_way_histories().map(lambda messages: (to_openai(messages),)),
    help="All results of a reply go into one user message, and arguments become a dict again. What went out must come back, block by block.",
)
def comes_back(arguments, result):
    """``from_openai(messages)`` gives the history back from which the messages were made."""
    (messages,) = arguments
    got = plain(result)[0]
    if not isinstance(got, list) or not all(isinstance(message, dict) for message in got):
        return f"The function returned {brief(got, 120)}; it should return a list of messages."
    want = _back(messages)
    if [_blocks(message) for message in got] == [_blocks(message) for message in want]:
        return None
    found = next((violation for violation in lint(got) if violation.severity in ("refused", "harmful")), None)
    if found:
        return f"What came back is {'refused' if found.severity == 'refused' else 'harmful'}, at {found.where}: {found.saw}"
    if len(got) != len(want):
        return f"These {len(messages)} messages make {len(want)}, and {len(got)} came back."
    i = next(i for i in range(len(want)) if _blocks(got[i]) != _blocks(want[i]))
    return f"Message {i} in what came back is {brief(got[i], 160)}; it should say {brief(want[i], 160)}."


def _back(messages: list[dict]) -> list[dict]:
    out = []
    for message in messages:
        if message["role"] == "tool":
            result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            if out[-1]["role"] == "user":
                out[-1]["content"].append(result)
            else:
                out.append({"role": "user", "content": [result]})
            continue
        blocks = [{"type": "text", "text": message["content"]}] if message["content"] else []
        for call in message.get("tool_calls", []):
            asked = {
                "id": call["id"],
                "name": call["function"]["name"],
                "input": json.loads(call["function"]["arguments"]),
            }
            blocks.append({"type": "tool_use", **asked})
        out.append({"role": message["role"], "content": blocks})
    return out


def _blocks(message: dict) -> tuple:
    content = message.get("content")
    return message.get("role"), [{"type": "text", "text": content}] if isinstance(content, str) else content
