"""Worker threads take jobs from a queue; results go back in the order in which they were finished."""

import inspect
import json
import queue
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:run siblings:skip end_turn_call:run no_call:done stopped:keep "
    "content:dump order:completion other:json none:words"
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
    start = time.monotonic()
    messages = [{"role": "user", "content": task}]
    history_of_calls = []
    requests = tokens = 0
    status = None
    while status is None:
        status = gate(requests >= max_turns, tokens >= token_budget, time.monotonic() - start >= timeout_s)
        if status:
            break
        try:
            reply = client.messages.create(max_tokens=1024, messages=messages, model=MODEL, tools=tools)
        except anthropic.APIError:
            status = "api_error"
            break
        requests += 1
        tokens += count(reply.usage)
        content = [json.loads(block.to_json()) for block in reply.content]
        if any(matters(block) for block in content) and "thinking" not in content[-1]["type"]:
            messages.append({"role": "assistant", "content": content})
        jobs = [(block["id"], block["name"], block["input"]) for block in content if block["type"] == "tool_use"]
        status = ending(reply.stop_reason, jobs)
        history_of_calls += [job[1:] for job in jobs]
        if status is None and any(history_of_calls.count(job[1:]) >= max_repeats for job in jobs):
            status = "repeated_call"
        if jobs:
            results = (
                [report(job, "not run", True) for job in jobs] if status else work_off(jobs, functions, tool_timeout_s)
            )
            messages.append({"role": "user", "content": results})
    return status, messages


def gate(turns, budget, deadline):
    if turns:
        return "max_turns"
    if budget:
        return "token_budget"
    return "timeout" if deadline else None


def ending(reason, jobs):
    if reason == "pause_turn" or jobs and reason in ("tool_use", "end_turn"):
        return None
    return "done" if reason in ("tool_use", "end_turn") else reason


def count(usage):
    total = usage.input_tokens + usage.output_tokens
    for extra in (usage.cache_creation_input_tokens, usage.cache_read_input_tokens):
        total += extra if extra else 0
    return total


def matters(block):
    if block["type"] == "text":
        return bool(block["text"].strip())
    return block["type"] not in ("thinking", "redacted_thinking")


def report(job, text, is_error):
    result = {"type": "tool_result", "tool_use_id": job[0], "content": text}
    return {**result, "is_error": True} if is_error else result


def work_off(jobs, functions, seconds):
    """Return the results in the order of completion; what is not there in time is answered with an error at the end."""
    todo, done = queue.Queue(), queue.Queue()
    for job in jobs:
        todo.put(job)
        threading.Thread(target=worker, args=(todo, done, functions), daemon=True).start()
    open_jobs = {job[0]: job for job in jobs}
    results = []
    until = time.perf_counter() + seconds
    while open_jobs:
        try:
            job, text, is_error = done.get(timeout=max(0, until - time.perf_counter()))
        except queue.Empty:
            break
        if isinstance(text, BaseException):
            raise text
        del open_jobs[job[0]]
        results.append(report(job, text, is_error))
    late = [report(job, f"{job[1]} did not finish in {seconds} s", True) for job in open_jobs.values()]
    return results + late


def worker(todo, done, functions):
    job = todo.get()
    try:
        done.put((job, *attempt(job[1], job[2], functions)))
    except BaseException as fatal:
        done.put((job, fatal, True))


def attempt(name, arguments, functions):
    """Return (content, is_error)."""
    if name not in functions:
        return f"unknown tool {name!r}", True
    try:
        inspect.signature(functions[name]).bind(**arguments)
        value = functions[name](**arguments)
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}", True
    if value is None:
        return "done, no output", False
    if isinstance(value, str) or isinstance(value, list) and all(isinstance(b, dict) and "type" in b for b in value):
        return value, False
    return json.dumps(value, default=str), False
