"""Faults of an async loop."""

from functools import partial

from mutants.mutant import Mutant as AnyMutant

Mutant = partial(AnyMutant, base="reference_async.py")

RAISED = 'return error(call, f"{type(value).__name__}: {value}")'
GATHER = "results = await asyncio.gather(*[answer(call, functions, tool_timeout_s) for call in calls])"

MUTANTS = [
    Mutant(
        "gather-raises",
        "L26",
        "errors",
        "gather without return_exceptions: the first failure ends the run",
        [(RAISED, "raise value")],
    ),
    Mutant(
        "gather-loses-failures",
        ("E01", "P01"),
        "errors",
        "exceptions that gather returns are left out of the results",
        [
            (RAISED, "raise value"),
            (
                GATHER,
                """results = await asyncio.gather(
    *[answer(call, functions, tool_timeout_s) for call in calls], return_exceptions=True
)
        results = [result for result in results if isinstance(result, dict)]""",
            ),
        ],
    ),
    Mutant(
        "gather-marks-siblings",
        "L11",
        "errors",
        "when gather raises, every call is answered with the first failure",
        [
            (RAISED, "raise value"),
            (
                GATHER,
                """try:
            results = await asyncio.gather(*[answer(call, functions, tool_timeout_s) for call in calls])
        except Exception as problem:
            results = [error(call, f"{type(problem).__name__}: {problem}") for call in calls]""",
            ),
        ],
    ),
    Mutant(
        "task-group-raises",
        "L26",
        "errors",
        "a TaskGroup cancels the siblings of a failed call and raises",
        [
            (RAISED, "raise value"),
            (
                GATHER,
                """async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(answer(call, functions, tool_timeout_s)) for call in calls]
        results = [task.result() for task in tasks]""",
            ),
        ],
    ),
    Mutant(
        "one-task-for-all-calls",
        "P01",
        "parallel",
        "only the first task that is done is looked at",
        [
            (
                GATHER,
                """tasks = [asyncio.create_task(answer(call, functions, tool_timeout_s)) for call in calls]
        await asyncio.wait(tasks)
        results = [tasks[0].result()]""",
            )
        ],
    ),
    Mutant(
        "results-of-gather-turned-round",
        "L09",
        "parallel",
        "outputs of gather are put under the ids in the opposite order",
        [
            (
                GATHER,
                """results = await asyncio.gather(
    *[answer(call, functions, tool_timeout_s) for call in reversed(calls)]
)
        results = [result | {"tool_use_id": call["id"]} for call, result in zip(calls, results)]""",
            )
        ],
    ),
    Mutant(
        "fire-and-forget",
        "L08",
        "loop",
        "the tool is started, the result says so, its output goes nowhere",
        [
            (
                """    outcome, value = await in_time(function, arguments, tool_timeout_s)
""",
                """    outcome, value = await in_time(function, arguments, tool_timeout_s)
    value = "started"
""",
            )
        ],
    ),
    Mutant(
        "coroutine-never-awaited",
        "L05",
        "resume",
        "a coroutine function is called and not awaited: its repr is the result",
        [
            (
                """        return await function(**arguments)
    return await""",
                """        coroutine = function(**arguments)
        coroutine.close()
        return repr(coroutine)
    return await""",
            )
        ],
    ),
    Mutant(
        "async-timeout-ignored",
        "G05",
        "gates",
        "a hung tool is awaited for ever",
        [
            (
                "finished, _ = await asyncio.wait([running], timeout=seconds)",
                "finished, _ = await asyncio.wait([running])",
            )
        ],
    ),
    Mutant(
        "timeout-for-all-calls-together",
        "L11",
        "gates",
        "one wait_for around gather: a hung call takes its siblings with it",
        [
            (
                GATHER,
                """try:
            results = await asyncio.wait_for(
                asyncio.gather(*[answer(call, functions, 3600) for call in calls]), tool_timeout_s
            )
        except TimeoutError:
            results = [error(call, f"no answer within {tool_timeout_s} s") for call in calls]""",
            )
        ],
    ),
    Mutant(
        "cancelled-call-left-open",
        "P01",
        "gates",
        "a call that was cancelled at its timeout gets no result",
        [
            (
                GATHER,
                """results = await asyncio.gather(*[answer(call, functions, tool_timeout_s) for call in calls])
        results = [result for result in results if 'did not answer within' not in str(result['content'])]""",
            )
        ],
    ),
    Mutant(
        "async-timeout-escapes",
        "L17",
        "gates",
        "a TimeoutError of wait_for is not caught",
        [
            (
                'return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")',
                'raise TimeoutError(f"{name} hung")',
            )
        ],
    ),
    Mutant(
        "sync-tool-blocks-the-loop",
        "G05",
        "gates",
        "an ordinary function is called in the event loop: a timeout can't fire",
        [("return await asyncio.to_thread(function, **arguments)", "return function(**arguments)")],
    ),
    Mutant(
        "shielded-late-output",
        "G05",
        "gates",
        "after the timeout the shielded task is awaited after all",
        [
            (
                """        running.cancel()
        return "late", None""",
                "        await asyncio.wait([running])",
            )
        ],
    ),
    Mutant(
        "async-api-error-escapes",
        "G06",
        "gates",
        "nothing is caught around the awaited request",
        [("except anthropic.APIError:", "except ZeroDivisionError:")],
    ),
    Mutant(
        "request-beside-the-tools",
        "P01",
        "loop",
        "the next request is sent before the results are there",
        [
            (
                GATHER,
                """pending = asyncio.gather(*[answer(call, functions, tool_timeout_s) for call in calls])
        try:
            await ask(client, messages, tools)
        except anthropic.APIError:
            pass
        results = await pending""",
            )
        ],
    ),
]
