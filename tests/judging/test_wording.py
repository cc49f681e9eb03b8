"""What a finding says, where two things would look alike in short."""

import pytest

from grader import MODEL
from grader.judging import judge
from grader.judging.exercises.wording import shown_value
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


@pytest.mark.parametrize(
    "keeps", [lambda text: text[:1000], lambda text: text[-1000:], lambda text: text[:988] + "… and so on"]
)
def test_a_cut_output_is_told_by_its_length(keeps):
    script = load_scenario("server-log-whole")
    root = judge(play(script, loop_that(keeps), seed=3), script, "errors").root
    assert root.rule == "L08"
    assert "characters; the result of" in root.saw


def asking(before=lambda client, messages: None, answer=lambda call, functions: functions[call.name](**call.input)):
    """A loop that does ``before`` in front of each request, and answers each call with ``answer``."""

    def run_agent(client, task, tools, functions, **limits):
        messages = [{"role": "user", "content": task}]
        while True:
            before(client, messages)
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
            messages.append({"role": "assistant", "content": reply.content})
            if reply.stop_reason != "tool_use":
                return "done", messages
            calls = [block for block in reply.content if block.type == "tool_use"]
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": answer(call, functions)} for call in calls
            ]
            messages.append({"role": "user", "content": results})

    return run_agent


def root_of(name, loop, level):
    script = load_scenario(name)
    return judge(play(script, loop, seed=3), script, level).root


def test_an_unknown_name_is_blamed_only_for_an_error_that_it_can_cause():
    def strip_marks(client, messages):
        for message in messages[1:]:
            for block in message["content"]:
                block.pop("cache_control", None)

    assert root_of("letter-declared-only", asking(), "errors").rule == "L26"
    other = asking(before=strip_marks, answer=lambda call, functions: f"There is no tool named {call.name}.")
    assert root_of("letter-declared-only", other, "errors").rule == "L17"


def test_a_broken_reply_names_the_error_of_a_loop_that_does_not_stream_too():
    root = root_of("dam-broken-stream", asking(), "gates")
    assert root.rule == "G06" and root.help.startswith("Catch anthropic.APIError") and "httpx2" in root.help


def test_a_missing_await_is_named():
    async def receive():
        raise AssertionError("never runs")

    def forgets(client, messages):
        reply = receive()
        try:
            reply.stop_reason  # noqa: B018
        finally:
            reply.close()

    assert "await" in root_of("server-log-whole", asking(before=forgets), "errors").help


def test_a_message_with_calls_of_the_other_shape_is_shown_with_their_ids():
    call = {"id": "call_1", "type": "function", "function": {"name": "stock", "arguments": "{}"}}
    spoken = {"role": "assistant", "content": "I look.", "tool_calls": [call]}
    assert shown_value([{"role": "assistant", "content": None, "tool_calls": [call]}, spoken]) == (
        "[assistant: call call_1, assistant: 'I look.' + call call_1]"
    )
