"""One daemon thread a call, all started before the first is waited for; each has its own time."""

import inspect
import json
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:run end_turn_call:close no_call:done stopped:leave "
    "content:dump order:reversed other:str none:empty"
)


class Call(threading.Thread):
    """One call: what the model asked for, and, once the thread has ended, what came of it."""

    def __init__(self, block, function):
        super().__init__(daemon=True, name=block["name"])
        self.block, self.function = block, function
        self.value = self.problem = None

    def run(self):
        try:
            inspect.signature(self.function).bind(**self.block["input"])
            self.value = self.function(**self.block["input"])
        except BaseException as problem:
            self.problem = problem

    def result(self, until, seconds):
        self.join(max(0.0, until - time.perf_counter()))
        if self.is_alive():
            return failure(self.block, f"{self.name} had {seconds} s and did not finish")
        if self.problem is not None:
            if not isinstance(self.problem, Exception):
                raise self.problem
            return failure(self.block, f"{type(self.problem).__name__}: {self.problem}")
        return {"type": "tool_result", "tool_use_id": self.block["id"], "content": readable(self.value)}


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
    stop_at = time.monotonic() + timeout_s
    messages = [dict(role="user", content=task)]
    tally, left, turns = {}, token_budget, max_turns
    while turns > 0 and left > 0 and time.monotonic() < stop_at:
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        turns -= 1
        left -= reply.usage.input_tokens + reply.usage.output_tokens
        left -= (reply.usage.cache_creation_input_tokens or 0) + (reply.usage.cache_read_input_tokens or 0)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        content = json.loads(json.dumps([block.to_dict() for block in reply.content]))
        if is_worth_sending(content):
            messages.append(dict(role="assistant", content=content))
        blocks = [block for block in content if block["type"] == "tool_use"]
        if reply.stop_reason == "end_turn" or not blocks and reply.stop_reason == "tool_use":
            if blocks:
                messages.append(
                    dict(role="user", content=[failure(b, "came with the end of the turn: not run") for b in blocks])
                )
            return "done", messages
        if not blocks:
            continue
        results, repeated = run_side_by_side(blocks, functions, tool_timeout_s, tally, max_repeats)
        messages.append(dict(role="user", content=results[::-1]))
        if repeated:
            return "repeated_call", messages
    return "max_turns" if turns <= 0 else "token_budget" if left <= 0 else "timeout", messages


def run_side_by_side(blocks, functions, seconds, tally, max_repeats):
    threads, results, repeated = {}, [], False
    for block in blocks:
        key = (block["name"], json.dumps(block["input"], sort_keys=True))
        tally[key] = tally.get(key, 0) + 1
        if tally[key] >= max_repeats:
            repeated = True
        elif block["name"] in functions:
            threads[block["id"]] = Call(block, functions[block["name"]])
            threads[block["id"]].start()
    until = time.perf_counter() + seconds
    for block in blocks:
        if block["id"] in threads:
            results.append(threads[block["id"]].result(until, seconds))
        elif block["name"] not in functions:
            results.append(failure(block, f"no tool {block['name']}"))
        else:
            results.append(failure(block, "one time too many: not run"))
    return results, repeated


def failure(block, text):
    return {"type": "tool_result", "tool_use_id": block["id"], "content": text, "is_error": True}


def is_worth_sending(content):
    kinds = [b["type"] for b in content if b["type"] != "text" or b["text"].strip()]
    return bool(set(kinds) - {"thinking", "redacted_thinking"}) and content[-1]["type"] not in {
        "thinking",
        "redacted_thinking",
    }


def readable(value):
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value):
        return value
    return str(value)
