"""An iterator class: ``for reply in turns`` does one request a step, and the loop body decides what becomes of it."""

import inspect
import json
import threading
import time
from itertools import count

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:tool_use stopped:leave "
    "content:sdk order:reversed other:json none:empty"
)


class Turns:
    """Iterates over replies; stops iterating when a gate closes or a request fails, and then knows the status."""

    def __init__(self, client, tools, messages, max_turns, token_budget, timeout_s):
        self.ask = lambda: client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        self.max_turns, self.token_budget = max_turns, token_budget
        self.end = time.monotonic() + timeout_s
        self.number = count()
        self.tokens = 0
        self.status = None

    def __iter__(self):
        return self

    def __next__(self):
        if next(self.number) >= self.max_turns:
            self.status = "max_turns"
        elif self.tokens >= self.token_budget:
            self.status = "token_budget"
        elif time.monotonic() >= self.end:
            self.status = "timeout"
        if self.status:
            raise StopIteration
        try:
            reply = self.ask()
        except anthropic.APIError:
            self.status = "api_error"
            raise StopIteration from None
        usage = reply.usage.to_dict()
        self.tokens += sum(usage.get(name) or 0 for name in TOKENS)
        return reply


TOKENS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
GOES_ON = {"tool_use", "end_turn", "pause_turn"}


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
    turns = Turns(client, tools, messages, max_turns, token_budget, timeout_s)
    asked = []
    for reply in turns:
        if reply.stop_reason not in GOES_ON:
            return reply.stop_reason, messages
        calls = {block.id: block for block in reply.content if block.type == "tool_use"}
        if (
            calls
            or any(block.type not in ("text", "thinking", "redacted_thinking") for block in reply.content)
            or (
                "".join(getattr(block, "text", "") for block in reply.content).strip()
                and reply.content[-1].type not in ("thinking", "redacted_thinking")
            )
        ):
            messages.append({"role": "assistant", "content": list(reply.content)})
        if not calls and reply.stop_reason != "pause_turn":
            return ("done" if reply.stop_reason == "end_turn" else "tool_use"), messages
        if not calls:
            continue
        asked += [(call.name, call.input) for call in calls.values()]
        repeated = any(asked.count((call.name, call.input)) >= max_repeats for call in calls.values())
        results = []
        for call_id in reversed(calls):
            content, is_error = (
                ("not run: repeated", True) if repeated else Tool(functions, calls[call_id]).run(tool_timeout_s)
            )
            results.append({"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": is_error})
        messages.append({"role": "user", "content": results})
        if repeated:
            return "repeated_call", messages
    return turns.status, messages


class Tool:
    def __init__(self, functions, call):
        self.call, self.functions = call, functions
        self.outcome = None

    def run(self, seconds):
        """Return (content, is_error)."""
        if self.call.name not in self.functions:
            return f"no tool {self.call.name}", True
        try:
            inspect.signature(self.functions[self.call.name]).bind(**self.call.input)
        except TypeError as error:
            return f"{self.call.name}: {error}", True
        thread = threading.Thread(target=self.work, daemon=True)
        thread.start()
        thread.join(seconds)
        if self.outcome is None:
            return f"{self.call.name}: no result in {seconds} s", True
        value, error = self.outcome
        if isinstance(error, Exception):
            return f"{type(error).__name__}: {error}", True
        if error:
            raise error
        return self.content(value), False

    def work(self):
        try:
            self.outcome = self.functions[self.call.name](**self.call.input), None
        except BaseException as error:
            self.outcome = None, error

    def content(self, value):
        if isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value):
            return value
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value, default=str)
