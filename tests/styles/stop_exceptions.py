"""Whatever ends the run is an exception: gates, stop reasons and failed requests are raised and caught in one place."""

import inspect
import json
import queue
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:close no_call:done stopped:keep content:sdk order:call other:json none:empty"
)


class Stop(Exception):
    """Ends the run; its first argument is the status."""


class ToolError(Exception):
    """What the model is told instead of a result."""


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
    messages = [{"role": "user", "content": task}]
    unanswered = []
    budget = Budget(max_turns, token_budget, timeout_s, max_repeats)
    try:
        while True:
            budget.check()
            reply = request(client, tools, messages)
            budget.book(reply.usage)
            if not mute(reply.content):
                messages.append({"role": "assistant", "content": reply.content})
            unanswered = [block for block in reply.content if block.type == "tool_use"]
            look_at(reply.stop_reason, unanswered)
            budget.book_calls(unanswered)
            if unanswered:
                messages.append(
                    {"role": "user", "content": [respond(c, functions, tool_timeout_s) for c in unanswered]}
                )
                unanswered = []
    except Stop as stop:
        status = stop.args[0]
    if unanswered:
        results = [block_of(call, f"This call was left alone ({status}).", True) for call in unanswered]
        messages.append({"role": "user", "content": results})
    return status, messages


def request(client, tools, messages):
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
    except anthropic.APIError as error:
        raise Stop("api_error") from error


def look_at(reason, calls):
    if reason == "end_turn" or reason == "tool_use" and not calls:
        raise Stop("done")
    if reason not in ("tool_use", "pause_turn"):
        raise Stop(reason)


class Budget:
    def __init__(self, turns, tokens, seconds, repeats):
        self.turns, self.tokens, self.repeats = turns, tokens, repeats
        self.until = time.monotonic() + seconds
        self.calls = {}

    def check(self):
        if self.turns <= 0:
            raise Stop("max_turns")
        if self.tokens <= 0:
            raise Stop("token_budget")
        if time.monotonic() >= self.until:
            raise Stop("timeout")

    def book(self, usage):
        self.turns -= 1
        self.tokens -= usage.input_tokens + usage.output_tokens
        self.tokens -= (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)

    def book_calls(self, calls):
        for call in calls:
            key = json.dumps((call.name, call.input), sort_keys=True)
            self.calls[key] = self.calls.get(key, 0) + 1
        if any(self.calls[json.dumps((call.name, call.input), sort_keys=True)] >= self.repeats for call in calls):
            raise Stop("repeated_call")


def mute(content):
    if not content:
        return True
    if content[-1].type in ("thinking", "redacted_thinking"):
        return True
    return all(b.type in ("thinking", "redacted_thinking") or b.type == "text" and not b.text.strip() for b in content)


def block_of(call, content, is_error=False):
    block = {"type": "tool_result", "tool_use_id": call.id, "content": content}
    if is_error:
        block["is_error"] = True
    return block


def respond(call, functions, seconds):
    try:
        return block_of(call, value_of(call, functions, seconds))
    except ToolError as error:
        return block_of(call, str(error), True)


def value_of(call, functions, seconds):
    """Return the content of the result. Raises ToolError."""
    if call.name not in functions:
        raise ToolError(f"{call.name!r} is no tool; the tools are {sorted(functions)}")
    function = functions[call.name]
    try:
        inspect.signature(function).bind(**call.input)
    except TypeError as error:
        raise ToolError(f"{call.name} was called wrongly: {error}") from error
    line = queue.Queue()

    def work():
        try:
            line.put((True, function(**call.input)))
        except BaseException as error:
            line.put((False, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        fine, value = line.get(timeout=seconds)
    except queue.Empty:
        raise ToolError(f"{call.name} was stopped after {seconds} s") from None
    if not fine and isinstance(value, Exception):
        raise ToolError(f"{type(value).__name__}: {value}")
    if not fine:
        raise value
    if isinstance(value, str) or isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value):
        return value
    return "" if value is None else json.dumps(value, default=str)
