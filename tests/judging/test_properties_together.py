"""The property of calls that run side by side: right functions keep it, also when cancelled; wrong ones are caught, in words."""

import asyncio

import pytest

from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import counterexample


def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


async def answer(call, functions):
    try:
        output = await functions[call.name](**call.input)
    except Exception as error:
        return failed(call, f"{type(error).__name__}: {error}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": output}


def outcome(call, task):
    return task.result() if task.done() and not task.cancelled() else failed(call, "cancelled")


async def with_finally(calls, functions, messages):
    tasks = [asyncio.ensure_future(answer(call, functions)) for call in calls]
    try:
        await asyncio.gather(*tasks)
    finally:
        messages.append(
            {"role": "user", "content": [outcome(call, task) for call, task in zip(calls, tasks, strict=True)]}
        )


async def with_a_group(calls, functions, messages):
    results = {call.id: failed(call, "cancelled") for call in calls}

    async def one(call):
        results[call.id] = await answer(call, functions)

    try:
        async with asyncio.TaskGroup() as group:
            for call in calls:
                group.create_task(one(call))
    finally:
        messages.append({"role": "user", "content": list(results.values())})


async def forgetful(calls, functions, messages):
    results = await asyncio.gather(*[answer(call, functions) for call in calls])
    messages.append({"role": "user", "content": results})


async def swallowing(calls, functions, messages):
    try:
        await with_finally(calls, functions, messages)
    except asyncio.CancelledError:
        pass


async def all_cancelled(calls, functions, messages):
    try:
        await forgetful(calls, functions, messages)
    except asyncio.CancelledError:
        messages.append({"role": "user", "content": [failed(call, "cancelled") for call in calls]})
        raise


async def in_turn(calls, functions, messages):
    results = []
    try:
        for call in calls:
            results.append(await answer(call, functions))
    finally:
        results += [failed(call, "cancelled") for call in calls[len(results) :]]
        messages.append({"role": "user", "content": results})


async def leaving_them_to_run(calls, functions, messages):
    tasks = [asyncio.ensure_future(answer(call, functions)) for call in calls]
    try:
        await asyncio.wait(tasks)
    finally:
        messages.append(
            {"role": "user", "content": [outcome(call, task) for call, task in zip(calls, tasks, strict=True)]}
        )


async def split(calls, functions, messages):
    own = []
    try:
        await with_finally(calls, functions, own)
    finally:
        messages += [{"role": "user", "content": [result]} for result in own[0]["content"]]


async def asking_too_early(calls, functions, messages):
    tasks = [asyncio.ensure_future(answer(call, functions)) for call in calls]
    try:
        await asyncio.gather(*tasks)  # cancelled, it comes back with the first task that has ended
    finally:
        results = [failed(c, "cancelled") if t.cancelled() else t.result() for c, t in zip(calls, tasks, strict=True)]
        messages.append({"role": "user", "content": results})


async def raising(calls, functions, messages):
    await asyncio.gather(*[functions[call.name]() for call in calls])


async def unmarked(calls, functions, messages):
    own = []
    try:
        await with_finally(calls, functions, own)
    finally:
        messages.append({"role": "user", "content": [{**result, "is_error": False} for result in own[0]["content"]]})


def fault(function, seed=1):
    found = counterexample(PROPERTIES["answers-together"], function, seed=seed)
    return found[1] if found else None


@pytest.mark.parametrize("function", [with_finally, with_a_group])
def test_a_right_function_keeps_it(function):
    assert [fault(function, seed) for seed in range(3)] == [None] * 3


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (forgetful, "no message had been appended"),
        (swallowing, "returned as if nothing had happened"),
        (all_cancelled, "its output is not in its result"),
        (in_turn, "run one after the other"),
        (leaving_them_to_run, "was still running behind it"),
        (split, "All results stand in one"),
        (unmarked, "does not say is_error"),
        (asking_too_early, "needs a moment to end"),
        (raising, ""),
    ],
)
def test_a_wrong_one_is_caught_in_words(function, words):
    assert words in (fault(function) or pytest.fail("it was not caught"))
