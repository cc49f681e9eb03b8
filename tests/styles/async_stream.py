"""``async def`` and streaming: ``async with client.messages.stream``; one task a call, awaited in their order."""

import asyncio
import inspect
import time

import anthropic
import httpx2

from grader import MODEL

READINGS = (
    "gate:close siblings:skip end_turn_call:close no_call:done stopped:leave "
    "content:dump order:call other:str none:words"
)


async def run_agent(
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
    run = Run(client, tools, functions, tool_timeout_s)
    limits = (max_turns, token_budget, time.monotonic() + timeout_s)
    messages = [{"role": "user", "content": task}]
    seen = []
    while not (status := run.gate(limits)):
        reply = await run.receive(messages)
        if reply is None:
            return "api_error", messages
        content = [block.model_dump(exclude_none=True, exclude={"parsed_output"}) for block in reply.content]
        calls = [block for block in content if block["type"] == "tool_use"]
        match reply.stop_reason:
            case "tool_use" | "pause_turn" | "end_turn":
                if any(has_something(block) for block in content) and not hidden(content[-1]):
                    messages.append({"role": "assistant", "content": content})
            case reason:
                return reason, messages
        seen += [[call["name"], call["input"]] for call in calls]
        if reply.stop_reason == "end_turn" or not calls and reply.stop_reason == "tool_use":
            status = "done"
        elif any(seen.count([call["name"], call["input"]]) >= max_repeats for call in calls):
            status = "repeated_call"
        else:
            status = run.gate(limits) if calls else None
        if calls:
            if status:
                results = [run.error(call, f"not run: {status}") for call in calls]
            else:
                results = [await task for task in [asyncio.create_task(run.call(call)) for call in calls]]
            messages.append({"role": "user", "content": results})
        if status:
            return status, messages
    return status, messages


def hidden(block):
    return block["type"] in ("thinking", "redacted_thinking")


def has_something(block):
    return not hidden(block) and (block["type"] != "text" or block["text"].strip() != "")


class Run:
    def __init__(self, client, tools, functions, tool_timeout_s):
        self.client, self.tools, self.functions = client, tools, functions
        self.tool_timeout_s = tool_timeout_s
        self.requests = self.tokens = 0

    def gate(self, limits):
        turns, tokens, deadline = limits
        if self.requests >= turns:
            return "max_turns"
        if self.tokens >= tokens:
            return "token_budget"
        return "timeout" if time.monotonic() >= deadline else None

    async def receive(self, messages):
        """Return the whole reply, or None where it did not come."""
        try:
            async with self.client.messages.stream(
                model=MODEL, max_tokens=1024, tools=self.tools, messages=messages
            ) as stream:
                whole = False
                async for event in stream:
                    whole = whole or event.type == "message_stop"
                if not whole:
                    return None
                reply = await stream.get_final_message()
        except (anthropic.APIError, httpx2.HTTPError):
            return None
        self.requests += 1
        usage = reply.usage
        self.tokens += usage.input_tokens + (usage.cache_read_input_tokens or 0)
        self.tokens += usage.output_tokens + (usage.cache_creation_input_tokens or 0)
        return reply

    def error(self, call, text):
        return {"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": True}

    async def call(self, call):
        function = self.functions.get(call["name"])
        if function is None:
            return self.error(call, f"unknown tool {call['name']!r}")
        try:
            inspect.signature(function).bind(**call["input"])
        except TypeError as misfit:
            return self.error(call, f"{call['name']}: {misfit}")
        if inspect.iscoroutinefunction(function):
            job = asyncio.ensure_future(function(**call["input"]))
        else:
            job = asyncio.get_running_loop().run_in_executor(None, lambda: function(**call["input"]))
        done, _ = await asyncio.wait({job}, timeout=self.tool_timeout_s)
        if not done:
            job.cancel()
            return self.error(call, f"{call['name']}: stopped waiting after {self.tool_timeout_s} s")
        if problem := job.exception():
            if not isinstance(problem, Exception):
                raise problem
            return self.error(call, f"{type(problem).__name__}: {problem}")
        return {"type": "tool_result", "tool_use_id": call["id"], "content": as_text(job.result())}


def as_text(value):
    if isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value):
        return value
    if value is None:
        return "null"
    return str(value)
