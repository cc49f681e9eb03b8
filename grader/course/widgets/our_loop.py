"""A small loop of the course's own, for widgets to walk through."""

import json

from grader.history.models import MODEL


def our_loop(client, task, tools, functions, **limits):
    """Send the task and run the tools that the model asks for, until it asks for none.

    It does what chapters 3 to 6 ask of a loop: all calls of a reply are answered, in one message, errors as errors.
    """
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        results = []
        for block in reply.content:
            if block.type == "tool_use":
                results.append(answered(block, functions))
        messages.append({"role": "user", "content": results})


def answered(call, functions):
    """The tool_result block for one call."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    if call.name not in functions:
        return {**result, "content": f"There is no tool called {call.name}.", "is_error": True}
    try:
        output = functions[call.name](**call.input)
    except Exception as error:
        return {**result, "content": f"{type(error).__name__}: {error}", "is_error": True}
    return {**result, "content": output if isinstance(output, str | list) else json.dumps(output)}
