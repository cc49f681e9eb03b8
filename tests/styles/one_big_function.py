"""One function and nothing else: no helper, no class, every step written out where it happens."""

import inspect
import json
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:run end_turn_call:run no_call:tool_use stopped:leave "
    "content:dump order:call other:json none:empty"
)


def run_agent(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    t0 = time.monotonic()
    messages = [{"role": "user", "content": task}]
    n_requests = 0
    n_tokens = 0
    seen = []
    while True:
        if n_requests >= max_turns:
            return "max_turns", messages
        if n_tokens >= token_budget:
            return "token_budget", messages
        if time.monotonic() - t0 >= timeout_s:
            return "timeout", messages

        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        n_requests += 1
        n_tokens += reply.usage.input_tokens
        n_tokens += reply.usage.output_tokens
        if reply.usage.cache_creation_input_tokens:
            n_tokens += reply.usage.cache_creation_input_tokens
        if reply.usage.cache_read_input_tokens:
            n_tokens += reply.usage.cache_read_input_tokens

        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages

        content = []
        substance = False
        for block in reply.content:
            content.append(block.model_dump(exclude_none=True))
            if block.type == "text":
                if block.text.strip():
                    substance = True
            elif block.type not in ("thinking", "redacted_thinking"):
                substance = True
        if substance and content[-1]["type"] not in ("thinking", "redacted_thinking"):
            messages.append({"role": "assistant", "content": content})

        results = []
        repeated = False
        for block in content:
            if block["type"] != "tool_use":
                continue
            result = {"type": "tool_result", "tool_use_id": block["id"]}
            results.append(result)
            seen.append((block["name"], block["input"]))
            if seen.count(seen[-1]) >= max_repeats:
                repeated = True
                result["is_error"] = True
                result["content"] = f"{block['name']} has been called with this input {max_repeats} times; not run"
                continue
            if block["name"] not in functions:
                result["is_error"] = True
                result["content"] = f"no such tool: {block['name']}"
                continue
            function = functions[block["name"]]
            try:
                inspect.signature(function).bind(**block["input"])
            except TypeError as error:
                result["is_error"] = True
                result["content"] = f"input does not fit: {error}"
                continue

            outcome = []

            def work(function=function, arguments=block["input"], outcome=outcome):
                try:
                    outcome.append((function(**arguments), None))
                except BaseException as problem:
                    outcome.append((None, problem))

            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            thread.join(tool_timeout_s)
            if not outcome:
                result["is_error"] = True
                result["content"] = f"{block['name']} timed out after {tool_timeout_s} s"
                continue
            value, error = outcome[0]
            if error is not None:
                if not isinstance(error, Exception):
                    raise error
                result["is_error"] = True
                result["content"] = f"{type(error).__name__}: {error}"
            elif isinstance(value, str):
                result["content"] = value
            elif value is None:
                result["content"] = ""
            elif isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value):
                result["content"] = value
            else:
                result["content"] = json.dumps(value, default=str)

        if results:
            messages.append({"role": "user", "content": results})
            if repeated:
                return "repeated_call", messages
        elif reply.stop_reason == "end_turn":
            return "done", messages
        elif reply.stop_reason == "tool_use":
            return "tool_use", messages
