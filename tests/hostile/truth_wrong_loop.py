#: tries = nothing: a loop that answers each call with a result of its own making
#: outcome = finished
#: passes = no

def run_agent(client, task, tools, functions, **limits):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model="claude-sonnet-5", max_tokens=1024, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        made_up = [{"type": "tool_result", "tool_use_id": call.id, "content": "42"} for call in calls]
        messages.append({"role": "user", "content": made_up})
