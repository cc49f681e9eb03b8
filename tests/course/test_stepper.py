"""The stepper: a recorded run of a loop, line by line."""

import asyncio
import runpy
import sys
import threading
from pathlib import Path

import pytest

from grader.course import Stepper, UnknownScenario, our_loop, steps
from grader.course.widgets.recording import MAX_STEPS, record
from grader.judging.grade import grade_loop
from grader.replay import load_scenario, play

NAME = "ch03-bakery"
STYLES = sorted((Path(__file__).parents[1] / "styles").glob("*.py"))


def ask(client, messages, tools):
    from grader import MODEL

    return client.messages.create(
        model=MODEL,
        max_tokens=100,
        tools=tools,
        messages=messages,
    )


def own_loop(client, task, tools, functions):
    """Written as a learner would, with a helper and a statement over several lines."""
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        call = next(block for block in reply.content if block.type == "tool_use")
        result = {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": functions[call.name](**call.input),
        }
        messages.append({"role": "user", "content": [result]})


def line_of(stepper, number):
    step = stepper.recording.steps[number]
    return stepper.recording.sources[step.source].lines[step.line - 1].strip() if step.line else ""


def test_our_loop_is_right():
    assert grade_loop(our_loop, level="errors", seed=1).passed


def test_messages_grow_beside_the_lines():
    stepper = steps(own_loop, NAME)
    sizes = [len(stepper.recording.snapshots[step.snapshot]) for step in stepper.recording.steps]
    assert sizes[0] == 0 and sizes == sorted(sizes) and sizes[-1] == 8
    for number in range(1, len(sizes)):
        if sizes[number] > sizes[number - 1]:
            assert "messages" in line_of(stepper, number - 1), "the line before a change is the one that made it"


def test_what_a_line_does_after_a_helper_came_back_is_its_own():
    def kept(content):
        return content

    def with_helper(client, task, tools, functions):
        messages = [{"role": "user", "content": task}]
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": kept(reply.content)})
        return "done", messages

    stepper = steps(with_helper, NAME)
    sizes = [len(stepper.recording.snapshots[step.snapshot]) for step in stepper.recording.steps]
    assert line_of(stepper, sizes.index(2) - 1).startswith("messages.append")


def test_a_statement_over_several_lines_is_one_step_and_comprehensions_are_none():
    recording = steps(own_loop, NAME).recording
    assert {source.name for source in recording.sources} == {"own_loop", "ask"}
    texts = [line_of(Stepper(recording), number) for number in range(len(recording.steps))]
    assert "result = {" in texts and '"tool_use_id": call.id,' not in texts and "model=MODEL," not in texts


def test_requests_and_tools_are_told_at_the_lines_that_caused_them():
    text = repr(steps(own_loop, NAME))
    assert text.count("Request 1 answered: stop_reason tool_use") == 1
    assert text.count("Tool run_command returned") == 3
    assert "return client.messages.create(\n    Request 4 answered: stop_reason end_turn" in text
    assert text.endswith("The loop returned 'done'.")


def test_recording_changes_nothing_in_the_run():
    script = load_scenario(NAME)
    assert record(own_loop, script, seed=5).transcript.essence() == play(script, own_loop, seed=5).essence()
    assert sys.gettrace() is None or "pydev" in repr(sys.gettrace()) or "coverage" in repr(sys.gettrace())


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_loops_of_every_style_can_be_walked(path):
    stepper = steps(runpy.run_path(str(path))["run_agent"], NAME)
    assert isinstance(stepper, Stepper)
    assert repr(stepper).endswith("The loop returned 'done'.")
    assert len(stepper.recording.snapshots[stepper.recording.steps[-1].snapshot]) == 8


def test_an_async_loop_stays_async():
    async def run_agent(client, task, tools, functions):
        from grader import MODEL

        await asyncio.sleep(0)
        messages = [{"role": "user", "content": task}]
        await client.messages.create(model=MODEL, max_tokens=100, tools=tools, messages=messages)
        return "done", messages

    assert "Request 1 answered: stop_reason tool_use" in repr(steps(run_agent, NAME))


def test_a_crash_is_where_the_walk_ends():
    def run_agent(client, task, tools, functions):
        messages = [{"role": "user", "content": task}]
        return messages[0]["<b>"]

    stepper = steps(run_agent, NAME)
    assert "The loop raised KeyError: '<b>'" in repr(stepper)
    assert "<b>'" not in stepper._repr_html_()


@pytest.mark.parametrize("value", [None, 3, "run_agent", len, print], ids=repr)
def test_what_is_no_loop_gives_a_sentence(value):
    assert "No line of Python was seen" in repr(steps(value, NAME))


def test_a_stub_is_not_attempted_and_an_unknown_scenario_says_so():
    def stub(client, task, tools, functions):
        raise NotImplementedError

    assert "Not attempted yet" in repr(steps(stub, NAME))
    with pytest.raises(UnknownScenario):
        steps(stub, "ch03-bakry")


def test_a_long_run_is_cut():
    def run_agent(client, task, tools, functions):
        messages = [{"role": "user", "content": task}]
        for _ in range(5000):
            messages.append({"role": "user", "content": "more"})
            len(messages)
        return "done", messages

    recording = steps(run_agent, NAME).recording
    assert recording.cut and len(recording.steps) <= MAX_STEPS + 1
    assert recording.transcript.claim.status == "done", "the run itself goes on to its end"


def test_odd_lists_and_objects_are_no_reason_to_fail():
    class Odd:
        def __getattribute__(self, name):
            raise RuntimeError(name)

        __eq__ = __hash__ = __repr__ = __len__ = lambda self: 1 / 0

    def run_agent(client, task, tools, functions):
        self = odd = Odd()
        messages = [odd, self]
        messages.append(messages)
        return "done", messages

    bundle = steps(run_agent, NAME)._repr_mimebundle_()
    assert "The loop returned 'done'" in bundle["text/plain"]


def test_no_thread_stays_behind():
    before = threading.active_count()
    steps(own_loop, NAME)
    assert threading.active_count() == before


def parts(stepper):
    controls, status, panes = stepper._widget().children
    return controls.children, status, panes.children


def test_buttons_and_slider_walk_forwards_and_back():
    stepper = steps(own_loop, NAME)
    (start, back, on, message, slider), status, (code, messages) = parts(stepper)
    assert start.disabled and back.disabled and not on.disabled
    on.click()
    assert stepper.number == 1 and slider.value == 2 and "1 message" in messages.value
    message.click()
    assert "2 messages" in messages.value and "<b>+</b> [1]" in messages.value
    assert "messages grew by 1" in status.value
    back.click()
    assert "<b>+</b>" not in messages.value and "▶  8" not in code.value
    slider.value = len(stepper.recording.steps)
    assert on.disabled and message.disabled and "returned &#x27;done&#x27;" in status.value
    start.click()
    assert stepper.number == 0


def test_two_displays_of_one_stepper_show_the_same_step():
    stepper = steps(own_loop, NAME)
    (_, _, on, _, _), first, _ = parts(stepper)
    _, second, _ = parts(stepper)
    on.click()
    assert first.value == second.value != ""


def test_what_a_learner_or_a_model_wrote_is_escaped():
    def run_agent(client, task, tools, functions):
        messages = [{"role": "<script>", "content": "<script>\x1b[31m"}]
        return "<script>", messages

    stepper = steps(run_agent, NAME).go(99)
    _, status, (code, messages) = parts(stepper)
    for page in (status.value, code.value, messages.value, stepper._repr_html_()):
        assert "<script>" not in page and "\x1b" not in page


def test_a_stored_stepper_is_the_same_each_time():
    bundles = [steps(own_loop, NAME)._repr_mimebundle_() for _ in range(2)]
    assert bundles[0]["text/plain"] == bundles[1]["text/plain"]
    assert bundles[0]["text/html"] == bundles[1]["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundles[0]
