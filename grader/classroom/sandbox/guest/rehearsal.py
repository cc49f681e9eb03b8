"""A submission of our own, played where nobody listens: what a first run pays for is paid before the first fork."""

import json
import linecache
import sys

from . import asking, loading, playing

_LABEL = "rehearsal"
_SOURCE = """
def plain(client, task, tools, functions, **limits):
    def ask(messages):
        return client.messages.create(model="none", max_tokens=9, messages=messages, tools=tools)
    return talk(ask, task, functions)

def streamed(client, task, tools, functions, **limits):
    def ask(messages):
        with client.messages.stream(model="none", max_tokens=9, messages=messages, tools=tools) as stream:
            return stream.get_final_message()
    return talk(ask, task, functions)

def talk(ask, task, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        messages.append({"role": "user", "content": [answer(call, functions) for call in calls]})

def answer(call, functions):
    try:
        return {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)}
    except Exception as error:
        return {"type": "tool_result", "tool_use_id": call.id, "content": str(error), "is_error": True}

async def waiting(client, task, tools, functions, **limits):
    import asyncio
    messages = [{"role": "user", "content": task}]
    while True:
        reply = await client.messages.create(model="none", max_tokens=9, messages=messages, tools=tools)
        messages.append({"role": "assistant", "content": [block.model_dump() for block in reply.content]})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        messages.append({"role": "user", "content": await asyncio.gather(*(
            asyncio.to_thread(answer, call, functions) for call in calls
        ))})
"""
_CALLS = [
    {
        "type": "tool_use",
        "id": f"toolu_{number}",
        "name": name,
        "input": {"place": "here"},
        "caller": {"type": "direct"},
    }
    for number, name in enumerate(("look", "fail"))
]
_REPLIES = {
    "tool_use": [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": "So."},
        *_CALLS,
    ],
    "end_turn": [{"type": "text", "text": "Done."}],
}
_USAGE = {  # all that a real reply has: the SDK makes its reader of each kind of field when it first meets one
    "input_tokens": 1,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 1,
    "output_tokens_details": {"thinking_tokens": 0},
    "service_tier": "standard",
    "inference_geo": "global",
}
_TOOLS = [
    {
        "name": name,
        "description": "Looks.",
        "input_schema": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    }
    for name in ("look", "fail")
]
_PARAMETERS = [["place", 1, False, "str"]]
_OUTPUTS = {"look": {"output": "seen"}, "fail": {"raised": {"type": "KeyError", "message": "gone"}}}


def play() -> None:
    """Load the submission and play each of its loops. Raises RuntimeError when one does not end as it should."""
    names, notes = loading.load([[_LABEL, _SOURCE]])
    for function in ("plain", "streamed", "waiting"):
        asking.look(names, {"name": function})
        order = {
            "function": function,
            "task": "Look.",
            "tools": _TOOLS,
            "functions": _functions(),
            "limits": {"max_turns": 3},
        }
        how, data = playing.play(names, _Nobody(), 0, order)
        json.dumps(data)
        if notes or how != "returned" or data["status"] != "done":
            raise RuntimeError(f"the rehearsal of {function} went wrong: {how} {notes} {data}")
    del sys.modules["submission"], linecache.cache[f"<{_LABEL}>"]


def _functions() -> list[dict]:
    return [{"name": name, "doc": "Looks.", "async": False, "parameters": _PARAMETERS} for name in _OUTPUTS]


class _Nobody:
    """A door with nobody behind it: it answers each question itself."""

    def __init__(self):
        self._stop_reasons = iter(_REPLIES)

    def tell(self, head: dict, body: bytes = b"") -> None:
        """Nobody hears it."""

    def ask(self, head: dict, body: bytes) -> tuple[dict, bytes]:
        if head["op"] == "tool":
            return {}, json.dumps(_OUTPUTS[head["name"]]).encode()
        message = _message(next(self._stop_reasons))
        if not json.loads(body).get("stream"):
            return {"status": 200, "headers": {"content-type": "application/json"}}, json.dumps(message).encode()
        from grader.replay.stream import encode, events_of

        chunks = [encode(event) for event in events_of(message)]
        head = {"status": 200, "headers": {"content-type": "text/event-stream; charset=utf-8"}, "broken": False}
        return head | {"chunks": [len(chunk) for chunk in chunks]}, b"".join(chunks)


def _message(stop_reason: str) -> dict:
    return {
        "id": "msg_0",
        "type": "message",
        "role": "assistant",
        "model": "none",
        "content": _REPLIES[stop_reason],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": _USAGE,
    }
