"""The history lives as one JSON text: each turn loads it, extends it and saves it again."""

import inspect
import io
import json
import queue
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:skip end_turn_call:close no_call:tool_use stopped:keep "
    "content:dump order:call other:json none:words"
)


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
    store = Store({"messages": [{"role": "user", "content": task}], "asked": {}, "requests": 0, "tokens": 0})
    began = time.monotonic()

    def gate():
        saved = store.load()
        if saved["requests"] >= max_turns:
            return "max_turns"
        if saved["tokens"] >= token_budget:
            return "token_budget"
        return "timeout" if time.monotonic() - began >= timeout_s else None

    status = gate()
    while status is None:
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=store.load()["messages"])
        except anthropic.APIError:
            status = "api_error"
            break
        calls = store.add_reply(json.loads(reply.to_json(indent=None)))
        if reply.stop_reason == "end_turn":
            status = "done"
        elif reply.stop_reason not in ("tool_use", "pause_turn"):
            status = reply.stop_reason
        elif reply.stop_reason == "tool_use" and not calls:
            status = "tool_use"
        else:
            status = "repeated_call" if store.count(calls) >= max_repeats else gate()
        if calls and status:
            store.add_user([refused(call, status) for call in calls])
        elif calls:
            store.add_user([answered(call, functions, tool_timeout_s) for call in calls])
    return status, store.load()["messages"]


class Store:
    """What a run knows, saved after each change."""

    def __init__(self, saved):
        self.save(saved)

    def save(self, saved):
        self.file = io.StringIO()
        json.dump(saved, self.file, indent=1, sort_keys=True)

    def load(self):
        return json.loads(self.file.getvalue())

    def add_reply(self, body):
        saved = self.load()
        usage = body["usage"]
        saved["requests"] += 1
        saved["tokens"] += usage["input_tokens"] + usage["output_tokens"]
        saved["tokens"] += usage.get("cache_creation_input_tokens") or 0
        saved["tokens"] += usage.get("cache_read_input_tokens") or 0
        content = [{name: value for name, value in block.items() if value is not None} for block in body["content"]]
        if can_be_sent(content):
            saved["messages"].append({"role": "assistant", "content": content})
        self.save(saved)
        return [block for block in content if block["type"] == "tool_use"]

    def add_user(self, content):
        saved = self.load()
        saved["messages"].append({"role": "user", "content": content})
        self.save(saved)

    def count(self, calls):
        """Count these calls; return how often the most frequent of them was asked for in this run."""
        saved = self.load()
        keys = [json.dumps([call["name"], call["input"]], sort_keys=True) for call in calls]
        for key in keys:
            saved["asked"][key] = saved["asked"].get(key, 0) + 1
        self.save(saved)
        return max((saved["asked"][key] for key in keys), default=0)


def can_be_sent(content):
    if not content or content[-1]["type"] in ("thinking", "redacted_thinking"):
        return False
    for block in content:
        if block["type"] == "text" and block["text"].strip():
            return True
        if block["type"] not in ("text", "thinking", "redacted_thinking"):
            return True
    return False


def refused(call, status):
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "is_error": True,
        "content": f"This was not run: {status}.",
    }


def answered(call, functions, seconds):
    content, is_error = outcome(call["name"], call["input"], functions, seconds)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": content, "is_error": is_error}


def outcome(name, arguments, functions, seconds):
    """Return (content, is_error)."""
    if name not in functions:
        return f"{name} is not a tool here. Tools: {', '.join(functions)}.", True
    try:
        inspect.signature(functions[name]).bind(**arguments)
    except TypeError as misfit:
        return f"{name} can't take that: {misfit}.", True
    mailbox = queue.Queue()
    threading.Thread(target=deliver, args=(mailbox, functions[name], arguments), daemon=True).start()
    try:
        value, problem = mailbox.get(timeout=seconds)
    except queue.Empty:
        return f"{name} did not answer in {seconds} s.", True
    if problem is not None and not isinstance(problem, Exception):
        raise problem
    if problem is not None:
        return f"{type(problem).__name__}: {problem}", True
    if isinstance(value, str) or isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value):
        return value, False
    return ("The tool gave no output." if value is None else json.dumps(value, default=str)), False


def deliver(mailbox, function, arguments):
    try:
        mailbox.put((function(**arguments), None))
    except BaseException as problem:
        mailbox.put((None, problem))
