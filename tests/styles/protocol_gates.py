"""Each gate is a class of one Protocol; the loop only knows the Protocol."""

import inspect
import json
import queue
import threading
import time
from typing import Protocol

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:leave content:dump order:call other:str none:empty"
)


class Gate(Protocol):
    status: str

    def closed(self) -> bool: ...

    def reply_seen(self, reply) -> None: ...


class Turns(Gate):
    status = "max_turns"

    def __init__(self, limit):
        self.left = limit

    def closed(self):
        return self.left <= 0

    def reply_seen(self, reply):
        self.left -= 1


class Tokens(Gate):
    status = "token_budget"

    def __init__(self, budget):
        self.left = budget

    def closed(self):
        return self.left <= 0

    def reply_seen(self, reply):
        u = reply.usage
        self.left -= u.input_tokens + u.output_tokens
        self.left -= (u.cache_creation_input_tokens or 0) + (u.cache_read_input_tokens or 0)


class Deadline(Gate):
    status = "timeout"

    def __init__(self, seconds):
        self.at = time.monotonic() + seconds

    def closed(self):
        return time.monotonic() >= self.at

    def reply_seen(self, reply):
        pass


class Repeats:
    """Not asked before a request, but for each reply: which of its calls have been asked for too often?"""

    def __init__(self, limit):
        self.limit, self.seen = limit, {}

    def too_many(self, calls):
        found = False
        for call in calls:
            key = json.dumps([call["name"], call["input"]], sort_keys=True)
            self.seen[key] = self.seen.get(key, 0) + 1
            found |= self.seen[key] >= self.limit
        return found


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
    gates: list[Gate] = [Turns(max_turns), Tokens(token_budget), Deadline(timeout_s)]
    repeats, toolbox = Repeats(max_repeats), Toolbox(functions, tool_timeout_s)
    messages = [{"role": "user", "content": task}]
    while not any(gate.closed() for gate in gates):
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        for gate in gates:
            gate.reply_seen(reply)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        content = [block.model_dump(mode="python", exclude_none=True) for block in reply.content]
        if any(told(block) for block in content) and told(content[-1], blank_counts=True):
            messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if not calls:
            if reply.stop_reason == "pause_turn":
                continue
            return "done", messages
        repeated = repeats.too_many(calls)
        answer = toolbox.decline if repeated else toolbox.use
        messages.append({"role": "user", "content": [answer(call) for call in calls]})
        if repeated:
            return "repeated_call", messages
    return next(gate.status for gate in gates if gate.closed()), messages


def told(block, blank_counts=False):
    if block["type"] == "text":
        return blank_counts or bool(block["text"].strip())
    return block["type"] not in ("thinking", "redacted_thinking")


class Toolbox:
    def __init__(self, functions, seconds):
        self.functions, self.seconds = functions, seconds

    def decline(self, call):
        return self.error(call, f"{call['name']} was not run: it is being called over and over")

    def error(self, call, text):
        return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}

    def use(self, call):
        if call["name"] not in self.functions:
            return self.error(call, f"tool not found: {call['name']}")
        self.box = queue.Queue()
        threading.Thread(target=self.work, args=(call, self.box), daemon=True).start()
        try:
            kind, value = self.box.get(timeout=self.seconds)
        except queue.Empty:
            return self.error(call, f"{call['name']}: time is up ({self.seconds} s)")
        if kind is RuntimeError:
            return self.error(call, f"{type(value).__name__}: {value}")
        if kind is SystemExit:
            raise value
        return {"type": "tool_result", "tool_use_id": call["id"], "content": value}

    def work(self, call, box):
        try:
            function = self.functions[call["name"]]
            inspect.signature(function).bind(**call["input"])
            box.put((None, self.content(function(**call["input"]))))
        except Exception as error:
            box.put((RuntimeError, error))
        except BaseException as error:
            box.put((SystemExit, error))

    def content(self, value):
        if isinstance(value, list) and value and all(isinstance(item, dict) and "type" in item for item in value):
            return value
        return "" if value is None else value if isinstance(value, str) else str(value)
