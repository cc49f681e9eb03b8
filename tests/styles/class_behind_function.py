"""A class behind the function: one object per run, one method per step."""

import concurrent.futures
import inspect
import json
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:skip end_turn_call:close no_call:done stopped:keep "
    "content:dump order:call other:json none:empty"
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
    agent = Agent(client, tools, functions)
    agent.max_turns, agent.token_budget, agent.timeout_s = max_turns, token_budget, timeout_s
    agent.tool_timeout_s, agent.max_repeats = tool_timeout_s, max_repeats
    return agent.run(task)


class Agent:
    def __init__(self, client, tools, functions):
        self.client = client
        self.tools = tools
        self.functions = functions
        self.messages = []
        self.turns = 0
        self.tokens = 0
        self.asked = []
        self.status = None

    def run(self, task):
        self.started = time.monotonic()
        self.messages.append({"role": "user", "content": [{"type": "text", "text": task}]})
        self.status = self.closed_gate()
        while self.status is None:
            self.step()
        return self.status, self.messages

    def closed_gate(self):
        if self.turns >= self.max_turns:
            return "max_turns"
        if self.tokens >= self.token_budget:
            return "token_budget"
        if time.monotonic() - self.started >= self.timeout_s:
            return "timeout"
        return None

    def step(self):
        try:
            reply = self.client.messages.create(model=MODEL, max_tokens=4096, tools=self.tools, messages=self.messages)
        except anthropic.APIError:
            self.status = "api_error"
            return
        self.turns += 1
        self.count(reply.usage)
        self.keep(reply.content)
        calls = [block for block in reply.content if block.type == "tool_use"]
        self.status = self.decide(reply.stop_reason, calls)
        if self.status:
            self.respond([self.not_run(call) for call in calls])
        else:
            self.respond(self.results(calls))

    def count(self, usage):
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"):
            self.tokens += getattr(usage, name) or 0

    def keep(self, content):
        silent = all(
            b.type in ("thinking", "redacted_thinking")
            or b.type == "text"
            and b.text.isspace()
            or b.type == "text"
            and not b.text
            for b in content
        )
        if not silent and not content[-1].type.endswith("thinking"):
            self.messages.append({"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in content]})

    def decide(self, reason, calls):
        """Return the status that this reply ends the run with, or None where the run goes on."""
        if reason == "end_turn" or reason == "tool_use" and not calls:
            return "done"
        if reason not in ("tool_use", "pause_turn"):
            return reason
        for call in calls:
            self.asked.append((call.name, call.input))
            if self.asked.count(self.asked[-1]) >= self.max_repeats:
                return "repeated_call"
        return self.closed_gate()

    def respond(self, results):
        if results:
            self.messages.append({"role": "user", "content": results})

    def not_run(self, call):
        return self.error(call, f"The call of {call.name} was not run: the loop stopped with {self.status}.")

    def error(self, call, text):
        return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}

    def results(self, calls):
        pool = concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(calls)))
        try:
            return [self.result(call, pool) for call in calls]
        finally:
            pool.shutdown(wait=False)

    def result(self, call, pool):
        if call.name not in self.functions:
            return self.error(call, f"{call.name} is not a tool. Tools: {', '.join(self.functions)}")
        function = self.functions[call.name]
        try:
            inspect.signature(function).bind(**call.input)
        except TypeError as problem:
            return self.error(call, f"{call.name}: {problem}")
        future = pool.submit(function, **call.input)
        finished, _ = concurrent.futures.wait([future], timeout=self.tool_timeout_s)
        if not finished:
            return self.error(call, f"{call.name} was given up after {self.tool_timeout_s} s.")
        problem = future.exception()
        if isinstance(problem, Exception):
            return self.error(call, f"{call.name} raised {type(problem).__name__}: {problem}")
        value = future.result()
        return {"type": "tool_result", "tool_use_id": call.id, "content": self.content(value), "is_error": False}

    def content(self, value):
        if value is None:
            return ""
        if isinstance(value, str):
            return [{"type": "text", "text": value}] if value.strip() else value
        if isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value):
            return value
        return json.dumps(value, default=repr)
