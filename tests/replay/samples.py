"""Scenarios that the tests of the player share. Small, and written here, so that no fixture file can break them."""

import json

from grader.replay.scenario import read_scenario

USAGE = {
    "input_tokens": 400,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 60,
    "output_tokens_details": {"thinking_tokens": 0},
    "service_tier": "standard",
    "inference_geo": "global",
}


def text(words):
    return {"type": "text", "text": words}


def call(id, name="get_weather", **input):
    return {"type": "tool_use", "id": f"toolu_{id}", "name": name, "input": input, "caller": {"type": "direct"}}


def message(*content, id="1", stop_reason=None, **usage):
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "model": "claude-sonnet-5",
        "id": f"msg_{id}",
        "type": "message",
        "role": "assistant",
        "content": list(content),
        "stop_reason": stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
        "stop_details": None,
        "usage": USAGE | usage,
    }


def tool(*behaviour, name="get_weather", required=("city",), is_async=False, **properties):
    properties = properties or {"city": {"type": "string"}, "unit": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    definition = {"name": name, "description": f"What {name} does.", "input_schema": schema}
    return {"definition": definition, "async": is_async, "behaviour": list(behaviour) or [{"returns": "12 C, {nonce}"}]}


def data(*replies, tools=None, **more):
    """A scenario as its file would hold it. Bare messages among the replies are put in place."""
    return {
        "name": "weather",
        "title": "The weather in Oslo",
        "level": "loop",
        "teaches": "One call, one result.",
        "provenance": {"kind": "authored", "date": "2026-11-30", "source": "shape: responses of claude-sonnet-5"},
        "task": "What is the weather in Oslo?",
        "tools": [tool()] if tools is None else tools,
        "replies": [{"message": reply} if reply.get("type") == "message" else reply for reply in replies],
        "expect": {"status": ["done"]},
    } | more


def scenario(*replies, **more):
    return read_scenario(json.dumps(data(*replies, **more)), "weather.json")


def one_call(**more):
    return scenario(message(call("a", city="Oslo")), message(text("It is {nonce}."), id="2"), **more)


def parallel():
    thinking = {"type": "thinking", "thinking": "Two cities.", "signature": "c2ln"}
    return scenario(
        message(thinking, text("I look."), call("a", city="Oslo"), call("b", city="Bergen"), id="1"),
        message(call("c", name="now"), id="2"),
        message(text("Done, {nonce:oslo} and {nonce:bergen}."), id="3"),
        tools=[
            tool(
                {"when": {"city": "Oslo"}, "returns": "wind {nonce:oslo}"},
                {"when": {"city": "Bergen"}, "returns": [{"type": "text", "text": "rain {nonce:bergen}"}]},
            ),
            tool({"returns": "noon"}, name="now", required=(), zone={"type": "string"}),
        ],
        level="parallel",
    )


def body(*messages, **more):
    """A request as its bytes."""
    request = {"model": "claude-sonnet-5", "max_tokens": 500, "messages": list(messages)} | more
    return json.dumps(request).encode()


HELLO = {"role": "user", "content": "hello"}
