"""Faults with tools that hang."""

from mutants.mutant import Mutant

RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"

MUTANTS = [
    Mutant(
        "only-tool-rounds-counted",
        "G01",
        "gates",
        "requests are counted after the tools have run",
        [
            ("requests += 1", "pass"),
            (
                'messages.append({"role": "user", "content": results})',
                """messages.append({"role": "user", "content": results})
        requests += 1""",
            ),
        ],
    ),
    Mutant(
        "no-tool-timeout",
        "G05",
        "gates",
        "a hung tool is waited for",
        [("outcome, value = outcomes.get(timeout=seconds)", "outcome, value = outcomes.get()")],
    ),
    Mutant(
        "tool-timeout-of-the-run",
        "G05",
        "gates",
        "a tool gets all the time of the run",
        [("results = [answer(call, functions, tool_timeout_s)", "results = [answer(call, functions, timeout_s)")],
    ),
    Mutant(
        "tool-pool-waits",
        "G05",
        "gates",
        "a thread pool in a with block waits for its hung thread on the way out",
        [
            (
                """    threading.Thread(target=work, daemon=True).start()
    try:
        outcome, value = outcomes.get(timeout=seconds)
""",
                """    try:
        with ThreadPoolExecutor() as pool:
            pool.submit(work)
            outcome, value = outcomes.get(timeout=seconds)
""",
            ),
            (
                """import anthropic
""",
                """from concurrent.futures import ThreadPoolExecutor

import anthropic
""",
            ),
        ],
    ),
    Mutant(
        "tool-thread-joined-late",
        "G05",
        "gates",
        "after the timeout the thread is joined without one",
        [
            (
                "threading.Thread(target=work, daemon=True).start()",
                """thread = threading.Thread(target=work, daemon=True)
    thread.start()""",
            ),
            (
                '        return "late", None',
                """        thread.join()
        return "late", None""",
            ),
        ],
    ),
    Mutant(
        "timeout-not-marked",
        "L10",
        "gates",
        "the answer for a hung tool is no error",
        [
            (
                'return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")',
                'return error(call, f"{name} did not answer within {tool_timeout_s} seconds.") | {"is_error": False}',
            )
        ],
    ),
    Mutant(
        "hung-call-left-open",
        "P01",
        "gates",
        "a hung call gets no result",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        results = [result for result in results if 'did not answer within' not in str(result['content'])]""",
            )
        ],
    ),
    Mutant(
        "hung-tool-ends-the-run",
        ("G07", "L13"),
        "gates",
        "a hung tool ends the run with timeout",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        if any('did not answer within' in str(result['content']) for result in results):
            return "timeout", messages""",
            )
        ],
    ),
    Mutant(
        "hung-tool-raises",
        "L17",
        "gates",
        "a hung tool raises TimeoutError",
        [('        return "late", None', '        raise TimeoutError("the tool hung") from None')],
    ),
    Mutant(
        "hung-tool-started-again",
        "L06",
        "gates",
        "a hung tool is given a second try",
        [
            (
                """    if outcome == "late":
""",
                """    if outcome == "late":
        outcome, value = in_time(function, arguments, tool_timeout_s)
    if outcome == "late":
""",
            )
        ],
    ),
    Mutant(
        "late-output-used",
        ("G05", "G08"),
        "gates",
        "what a hung tool says later is taken for its result",
        [('        return "late", None', "        return outcomes.get()")],
    ),
    Mutant(
        "hung-tool-blocks-its-siblings",
        "L05",
        "gates",
        "after one hung call the others are not run",
        [
            (
                RUN,
                """results = []
        for call in calls:
            if any('did not answer within' in str(result['content']) for result in results):
                results.append(error(call, 'Skipped.'))
            else:
                results.append(answer(call, functions, tool_timeout_s))""",
            )
        ],
    ),
]
