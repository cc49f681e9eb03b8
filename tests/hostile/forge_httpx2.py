#: tries = replaces the transport under the SDK
#: outcome = finished
#: passes = no

import httpx2


def run_agent(client, task, tools, functions, **limits):
    reply = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "done"}], "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    httpx2.Client.send = lambda self, request, **_: httpx2.Response(200, json=reply, request=request)
    messages = [{"role": "user", "content": task}]
    answer = client.messages.create(model="claude-sonnet-5", max_tokens=9, messages=messages)
    return "done", [*messages, {"role": "assistant", "content": answer.content}]
