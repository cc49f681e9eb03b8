"""Values of kinds that nobody expects in a history, a request or an answer: a learner's mistake, never our crash."""

import json

import pytest

from grader.course.chapters import load_course
from grader.judging import grade_loop, grade_value, render_html, render_text

ODD = [[], [1], {}, {"a": 1}, 5, 2.5, True, None]


def ask(client, task, **fields):
    body = {"model": "claude-sonnet-5", "max_tokens": 9, "messages": [{"role": "user", "content": task}], **fields}
    return client.post("/v1/messages", cast_to=object, body=body)


def told(report):
    assert render_html(report) and render_text(report) and json.loads(report.to_json())
    return report.verdict


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_in_the_returned_history(odd):
    def run_agent(client, task, tools, functions, **limits):
        ask(client, task, tools=tools)
        call = {"type": "tool_use", "id": odd, "name": odd, "input": odd}
        result = {"type": "tool_result", "tool_use_id": odd, "content": odd}
        return "done", [
            {"role": "user", "content": task},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]

    assert told(grade_loop(run_agent, level="resume", seed=1, own_level_only=True)) == "failed"


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_in_a_request(odd):
    def run_agent(client, task, tools, functions, **limits):
        message = {"role": odd, "content": [odd]}
        for fields in ({"tools": odd}, {"tools": [odd]}, {"messages": odd}, {"messages": [message]}):
            try:
                ask(client, task, **fields)
            except Exception:
                continue
        return "done", [{"role": "user", "content": task}]

    assert told(grade_loop(run_agent, level="loop", seed=1)) == "failed"


def test_in_the_blocks_that_a_function_returns():
    exercises = [one for one in load_course().exercises if one.name in ("answer", "answer_all")]
    block = {"type": "tool_result", "tool_use_id": [1], "content": {}}
    assert len(exercises) == 4
    for exercise in exercises:
        assert told(grade_value(exercise, lambda *args, **kwargs: [block, 5, {"tool_use_id": {}}], seed=1)) == "failed"


def test_in_an_answer():
    exercise = next(one for one in load_course().exercises if one.id == "recall-1")
    assert told(grade_value(exercise, ["\ud800", object(), [], {}], seed=1)) == "failed"
