"""Faults in what a tool that fails, an unknown name or a misfit does to the loop."""

from mutants.mutant import Mutant

RAISED = 'return error(call, f"{type(value).__name__}: {value}")'
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"

MUTANTS = [
    Mutant("tool-error-escapes", "L26", "errors", "nothing is caught around the call", [(RAISED, "raise value")]),
    Mutant(
        "value-errors-caught-only",
        "L26",
        "errors",
        "ValueError is answered, every other exception ends the run",
        [
            (
                RAISED,
                """if not isinstance(value, ValueError):
            raise value
        return error(call, f"{type(value).__name__}: {value}")""",
            )
        ],
    ),
    Mutant(
        "key-error-escapes",
        "L26",
        "errors",
        "KeyError is not among the exceptions that are caught",
        [
            (
                RAISED,
                """if isinstance(value, LookupError):
            raise value
        return error(call, f"{type(value).__name__}: {value}")""",
            )
        ],
    ),
    Mutant(
        "unknown-tool-escapes",
        "L26",
        "errors",
        "functions[name] without a look before",
        [
            (
                """    if name not in functions:
        return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.")
""",
                "",
            )
        ],
    ),
    Mutant(
        "misfit-escapes",
        "L26",
        "errors",
        "the call is made where nothing catches the TypeError of an input that does not fit",
        [
            (
                """    except TypeError as complaint:
        return str(complaint)
""",
                """    except TypeError:
        function(**arguments)
""",
            )
        ],
    ),
    Mutant(
        "unknown-tool-ignored",
        ("E01", "P01"),
        "errors",
        "a call of an unknown tool is left out of the results",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        results = [result for call, result in zip(calls, results) if call["name"] in functions]""",
            )
        ],
    ),
    Mutant(
        "failed-call-left-open",
        "P01",
        "errors",
        "a call that raised gets no result",
        [
            (
                "def error(call, text):",
                """def error(call, text):
    if text.startswith('This call was not run'):
        return not_run(call, text)
    return {"type": "text", "text": text}


def not_run(call, text):""",
            )
        ],
    ),
    Mutant(
        "tool-tried-again",
        "L06",
        "errors",
        "a tool that raised is run a second time",
        [
            (
                'outcomes.put(("returned", function(**arguments)))',
                """try:
                value = function(**arguments)
            except Exception:
                value = function(**arguments)
            outcomes.put(("returned", value))""",
            )
        ],
    ),
    Mutant(
        "failure-ends-the-run",
        "L13",
        "errors",
        "a tool that raises ends the run with a status of the loop's own",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        if any(result.get("is_error") for result in results):
            return "tool_error", messages""",
            )
        ],
    ),
    Mutant(
        "siblings-behind-a-failure-open",
        "P01",
        "errors",
        "the calls after a failed one are not answered",
        [
            (
                RUN,
                """results = []
        for call in calls:
            results.append(answer(call, functions, tool_timeout_s))
            if results[-1].get("is_error"):
                break""",
            )
        ],
    ),
    Mutant(
        "misfit-mended",
        "L07",
        "errors",
        "arguments that don't fit are dropped without a word",
        [
            (
                """    function = functions[name]
""",
                """    function = functions[name]
    known = inspect.signature(function).parameters
    arguments = {k: v for k, v in arguments.items() if k in known}
""",
            )
        ],
    ),
    Mutant(
        "missing-arguments-filled-in",
        "L07",
        "errors",
        "a missing argument is replaced by an empty string",
        [
            (
                """    function = functions[name]
""",
                """    function = functions[name]
    for k, p in inspect.signature(function).parameters.items():
        if p.default is p.empty and p.kind is p.KEYWORD_ONLY:
            arguments = {k: ""} | arguments
""",
            )
        ],
    ),
    Mutant(
        "unknown-tool-guessed",
        "L07",
        "errors",
        "an unknown name is answered by the tool that stands first",
        [
            (
                """    if name not in functions:
        return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.")
    function = functions[name]
""",
                """    function = functions.get(name) or next(iter(functions.values()))
""",
            )
        ],
    ),
    Mutant(
        "undeclared-tool-ignored",
        ("E01", "P01"),
        "errors",
        "a call of a tool that stands in no definition gets no result",
        [
            (
                "results = [answer(call, functions, tool_timeout_s) for call in calls]",
                """declared = {tool["name"] for tool in tools}
        results = [answer(call, functions, tool_timeout_s) for call in calls if call["name"] in declared]""",
            )
        ],
    ),
    Mutant(
        "gives-up-after-two-failures",
        "L13",
        "errors",
        "two failures in a row end the run",
        [
            (
                "results = [answer(call, functions, tool_timeout_s) for call in calls]",
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        failures = failures + 1 if any(result.get("is_error") for result in results) else 0
        if failures == 2:
            return "tool_error", messages""",
            ),
            ("requests = 0\n", "requests = 0\n    failures = 0\n"),
        ],
    ),
]
