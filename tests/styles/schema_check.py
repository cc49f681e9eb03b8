"""Checks a call's input against its input_schema before it runs the tool; replies go back as plain dumps."""

import inspect
import json
import queue
import threading
import time

import anthropic

from grader import MODEL

READINGS = (
    "gate:close siblings:run end_turn_call:run no_call:done stopped:keep "
    "content:plain_dump order:call other:str none:words"
)

KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}


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
    schemas = {tool["name"]: tool["input_schema"] for tool in tools if "input_schema" in tool}
    messages = [{"role": "user", "content": task}]
    clock = time.monotonic()
    requests = tokens = 0
    calls_made = {}
    while True:
        gates = {
            "max_turns": requests >= max_turns,
            "token_budget": tokens >= token_budget,
            "timeout": time.monotonic() - clock >= timeout_s,
        }
        for status, closed in gates.items():
            if closed:
                return status, messages
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages).model_dump()
        except anthropic.APIError:
            return "api_error", messages
        requests += 1
        usage = reply["usage"]
        tokens += usage["input_tokens"] + usage["output_tokens"]
        tokens += (usage["cache_creation_input_tokens"] or 0) + (usage["cache_read_input_tokens"] or 0)
        if fit(reply["content"]):
            messages.append({"role": "assistant", "content": reply["content"]})
        calls = [block for block in reply["content"] if block["type"] == "tool_use"]
        over = requests >= max_turns or tokens >= token_budget or time.monotonic() - clock >= timeout_s
        match reply["stop_reason"], bool(calls):
            case "pause_turn", False:
                continue
            case "end_turn" | "tool_use", False:
                return "done", messages
            case "end_turn" | "tool_use" | "pause_turn", True:
                stop = None
            case reason, _:
                stop = reason
        results = []
        repeated = False
        for call in calls:
            key = json.dumps([call["name"], call["input"]], sort_keys=True)
            calls_made[key] = calls_made.get(key, 0) + 1
            again = calls_made[key] >= max_repeats and not stop
            repeated = repeated or again
            if stop or again or over:
                results.append(refuse(call, "It was not run."))
            else:
                results.append(serve(call, functions, schemas, tool_timeout_s))
        if results:
            messages.append({"role": "user", "content": results})
        if stop or repeated:
            return stop or "repeated_call", messages


def fit(content):
    silent = ("thinking", "redacted_thinking")
    loud = [b for b in content if b["type"] not in silent and (b["type"] != "text" or b["text"].strip())]
    return bool(loud) and content[-1]["type"] not in silent


def refuse(call, text):
    return {"type": "tool_result", "tool_use_id": call["id"], "is_error": True, "content": f"{call['name']}: {text}"}


def complaints(arguments, schema):
    """Return what is wrong with the arguments, by the schema."""
    known = schema.get("properties", {})
    found = [f"{name} is missing." for name in schema.get("required", []) if name not in arguments]
    for name, value in arguments.items():
        if name not in known:
            found.append(f"{name} is not a parameter.")
        elif "enum" not in known[name] and not isinstance(value, KINDS.get(known[name].get("type"), object)):
            found.append(f"{name} should be of type {known[name]['type']}.")
    return found


def serve(call, functions, schemas, seconds):
    if call["name"] not in functions:
        return refuse(call, "There is no tool of this name.")
    wrong = complaints(call["input"], schemas.get(call["name"], {}))
    if wrong:
        return refuse(call, " ".join(wrong))
    try:
        inspect.signature(functions[call["name"]]).bind(**call["input"])
    except TypeError as error:
        return refuse(call, str(error))
    mail = queue.Queue()

    def postman():
        try:
            mail.put((None, functions[call["name"]](**call["input"])))
        except BaseException as error:
            mail.put((error, None))

    threading.Thread(target=postman, daemon=True).start()
    try:
        error, value = mail.get(timeout=seconds)
    except queue.Empty:
        return refuse(call, f"It took more than {seconds} s.")
    if isinstance(error, Exception):
        return refuse(call, f"{type(error).__name__}: {error}")
    if error:
        raise error
    return {"type": "tool_result", "tool_use_id": call["id"], "content": words(value)}


def words(value):
    if isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value):
        return value
    return "It is done; there is nothing to read." if value is None else value if isinstance(value, str) else str(value)
