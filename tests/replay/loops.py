"""The same right loop, written for each client and each way to ask."""

import json


def request(tools, messages):
    return {"model": "claude-sonnet-5", "max_tokens": 1000, "tools": tools, "messages": messages}


def answer(block, functions):
    result = {"type": "tool_result", "tool_use_id": block.id}
    try:
        return result | {"content": functions[block.name](**block.input)}
    except Exception as error:
        return result | {"content": f"{type(error).__name__}: {error}", "is_error": True}


def take(messages, reply, functions):
    """Whether the reply ends the work."""
    messages.append({"role": "assistant", "content": reply.content})
    calls = [block for block in reply.content if block.type == "tool_use"]
    if calls:
        messages.append({"role": "user", "content": [answer(block, functions) for block in calls]})
    return not calls


def create(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while not take(messages, client.messages.create(**request(tools, messages)), functions):
        pass
    return "done", messages


def stream(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while True:
        with client.messages.stream(**request(tools, messages)) as events:
            reply = events.get_final_message()
        if take(messages, reply, functions):
            return "done", messages


async def create_async(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while not take(messages, await client.messages.create(**request(tools, messages)), functions):
        pass
    return "done", messages


async def stream_async(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while True:
        async with client.messages.stream(**request(tools, messages)) as events:
            reply = await events.get_final_message()
        if take(messages, reply, functions):
            return "done", messages


class RawReply:
    """What ``create(stream=True)`` streams, put together by hand."""

    def __init__(self):
        self.content, self.json = [], {}

    def add(self, event):
        if event.type == "content_block_start":
            self.content.append(event.content_block)
        elif event.type == "content_block_delta":
            self.add_delta(self.content[event.index], event.delta, event.index)
        elif event.type == "content_block_stop" and event.index in self.json:
            self.content[event.index].input = json.loads(self.json[event.index] or "{}")

    def add_delta(self, block, delta, index):
        if delta.type == "text_delta":
            block.text += delta.text
        elif delta.type == "thinking_delta":
            block.thinking += delta.thinking
        elif delta.type == "signature_delta":
            block.signature = delta.signature
        elif delta.type == "input_json_delta":
            self.json[index] = self.json.get(index, "") + delta.partial_json


def raw_stream(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = RawReply()
        for event in client.messages.create(**request(tools, messages), stream=True):
            reply.add(event)
        if take(messages, reply, functions):
            return "done", messages


async def raw_stream_async(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = RawReply()
        async for event in await client.messages.create(**request(tools, messages), stream=True):
            reply.add(event)
        if take(messages, reply, functions):
            return "done", messages


STYLES = [create, stream, raw_stream, create_async, stream_async, raw_stream_async]
