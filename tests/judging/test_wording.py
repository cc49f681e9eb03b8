"""What a finding says, where two things would look alike in short."""

import pytest

from grader import MODEL
from grader.judging import judge
from grader.replay import load_scenario, play


def loop_that(keeps):
    def run_agent(client, task, tools, functions):
        messages = [{"role": "user", "content": task}]
        while True:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
            messages.append({"role": "assistant", "content": reply.content})
            if reply.stop_reason != "tool_use":
                return "done", messages
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": keeps(functions[call.name](**call.input))}
                for call in reply.content
                if call.type == "tool_use"
            ]
            messages.append({"role": "user", "content": results})

    return run_agent


@pytest.mark.parametrize("keeps", [lambda text: text[:1000], lambda text: text[-1000:], lambda text: text[:988] + "… and so on"])
def test_a_cut_output_is_told_by_its_length(keeps):
    script = load_scenario("server-log-whole")
    root = judge(play(script, loop_that(keeps), seed=3), script, "errors").root
    assert root.rule == "L08"
    assert "characters; the result of" in root.saw
