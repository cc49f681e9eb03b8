"""The reference loop, streaming: events are put together by hand. Right at every level; the streaming mutants' base."""

import inspect
import json
import queue
import threading
import time
from collections import Counter

import anthropic
import httpx2

from grader import MODEL

GOES_ON = ("tool_use", "end_turn", "pause_turn")


class StreamBroke(Exception):
    """The stream ended before the message did."""


def run_agent(
    client,
    task,
    tools,
    functions,
    *,
    max_turns=10,
    token_budget=200_000,
    timeout_s=300,
    tool_timeout_s=30,
    max_repeats=3,
):
    started = time.monotonic()
    messages = [{"role": "user", "content": task}]
    asked = Counter()
    requests = 0
    used = 0
    while True:
        if requests >= max_turns:
            return "max_turns", messages
        if used >= token_budget:
            return "token_budget", messages
        if time.monotonic() - started >= timeout_s:
            return "timeout", messages
        try:
            reply = read_reply(client, messages, tools)
        except (anthropic.APIError, httpx2.HTTPError, StreamBroke):
            return "api_error", messages
        requests += 1
        used += reply.tokens()
        calls = [block for block in reply.content if block["type"] == "tool_use"]
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason not in GOES_ON:
            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
            return reply.stop_reason, messages
        if reply.stop_reason == "pause_turn" and not calls:
            continue
        if not calls:
            return "done", messages
        asked.update(key(call) for call in calls)
        if any(asked[key(call)] >= max_repeats for call in calls):
            close(messages, calls, "A call was repeated too often.")
            return "repeated_call", messages
        results = [answer(call, functions, tool_timeout_s) for call in calls]
        messages.append({"role": "user", "content": results})


def read_reply(client, messages, tools):
    """Send one request and read its stream to the end. Raises StreamBroke where the end is missing."""
    reply = Reply()
    with client.messages.create(model=MODEL, max_tokens=2000, tools=tools, messages=messages, stream=True) as events:
        for event in events:
            reply.take(event)
    if not reply.complete:
        raise StreamBroke
    return reply


class Reply:
    """A reply that grows event by event."""

    def __init__(self):
        self.blocks = {}
        self.fragments = {}
        self.usage = {}
        self.stop_reason = None
        self.complete = False

    @property
    def content(self):
        return [self.blocks[index] for index in sorted(self.blocks)]

    def tokens(self):
        counted = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
        return sum(self.usage.get(name) or 0 for name in counted)

    def take(self, event):
        if event.type == "message_start":
            self.count(event.message.usage)
        elif event.type == "content_block_start":
            self.blocks[event.index] = event.content_block.model_dump(mode="json", exclude_none=True)
        elif event.type == "content_block_delta":
            self.grow(event.index, event.delta)
        elif event.type == "content_block_stop":
            self.finish(event.index)
        elif event.type == "message_delta":
            self.stop_reason = event.delta.stop_reason
            self.count(event.usage)
        elif event.type == "message_stop":
            self.complete = True

    def count(self, usage):
        self.usage.update(usage.model_dump(mode="json", exclude_none=True))

    def grow(self, index, delta):
        block = self.blocks[index]
        if delta.type == "text_delta":
            block["text"] += delta.text
        elif delta.type == "thinking_delta":
            block["thinking"] += delta.thinking
        elif delta.type == "signature_delta":
            block["signature"] = delta.signature
        elif delta.type == "input_json_delta":
            self.fragments.setdefault(index, []).append(delta.partial_json)
        elif delta.type == "citations_delta":
            block.setdefault("citations", []).append(delta.citation.model_dump(mode="json", exclude_none=True))

    def finish(self, index):
        block = self.blocks[index]
        if block["type"] not in ("tool_use", "server_tool_use"):
            return
        written = "".join(self.fragments.get(index, []))
        if not written:
            return
        try:
            block["input"] = json.loads(written)
        except ValueError:
            block["input"] = {}


def sendable(content):
    """False for a reply that can't be sent back: empty, only thinking or blank text, or cut off while thinking."""
    if not content or content[-1]["type"] in ("thinking", "redacted_thinking"):
        return False
    return not all(block["type"] in ("thinking", "redacted_thinking") or blank(block) for block in content)


def blank(block):
    return block["type"] == "text" and not block["text"].strip()


def key(call):
    return call["name"], json.dumps(call["input"], sort_keys=True)


def close(messages, calls, why):
    """Answer calls that are not run, so that the history can be continued."""
    if calls:
        unrun = [error(call, f"This call was not run. {why}") for call in calls]
        messages.append({"role": "user", "content": unrun})


def error(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}


def answer(call, functions, tool_timeout_s):
    """Run one call and return its tool_result block."""
    name, arguments = call["name"], call["input"]
    if name not in functions:
        return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.")
    function = functions[name]
    complaint = misfit(function, arguments)
    if complaint:
        return error(call, f"The input does not fit {name}: {complaint}.")
    outcome, value = in_time(function, arguments, tool_timeout_s)
    if outcome == "late":
        return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")
    if outcome == "raised":
        return error(call, f"{type(value).__name__}: {value}")
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}


def misfit(function, arguments):
    """Return what is wrong with the arguments, or None."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as complaint:
        return str(complaint)
    return None


def in_time(function, arguments, seconds):
    """Run the function in a thread of its own; return ("returned", value), ("raised", exception) or ("late", None)."""
    outcomes = queue.Queue()

    def work():
        try:
            outcomes.put(("returned", function(**arguments)))
        except BaseException as problem:
            outcomes.put(("raised", problem))

    threading.Thread(target=work, daemon=True).start()
    try:
        outcome, value = outcomes.get(timeout=seconds)
    except queue.Empty:
        return "late", None
    if outcome == "raised" and not isinstance(value, Exception):
        raise value
    return outcome, value


def as_content(value):
    if isinstance(value, str) or is_blocks(value):
        return value
    if value is None:
        return ""
    return json.dumps(value, default=str)


def is_blocks(value):
    return isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value)
