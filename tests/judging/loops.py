"""Small loops for the judging tests. The large collections are in tests/styles and tests/mutants."""

from grader.history.models import MODEL


def right(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        response = client.messages.create(model=MODEL, max_tokens=1000, messages=messages, tools=tools)
        messages.append({"role": "assistant", "content": response.content})
        calls = [block for block in response.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)}
            for call in calls
        ]
        messages.append({"role": "user", "content": results})


def stub(client, task, tools, functions):
    raise NotImplementedError("write run_agent")


def forgets_the_reply(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        response = client.messages.create(model=MODEL, max_tokens=1000, messages=messages, tools=tools)
        calls = [block for block in response.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        for call in calls:
            result = {"type": "tool_result", "tool_use_id": call.id, "content": functions[call.name](**call.input)}
            messages.append({"role": "user", "content": [result]})


def never_comes_back(client, task, tools, functions):
    while True:
        pass
