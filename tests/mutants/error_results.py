"""Faults in how an error is told: the mark and the text."""

from mutants.mutant import Mutant

MARK = '"content": text, "is_error": True}'
RAISED = 'return error(call, f"{type(value).__name__}: {value}")'
UNKNOWN = "return error(call, f\"There is no tool named {name!r}. There are: {', '.join(functions)}.\")"
MISFIT = 'return error(call, f"The input does not fit {name}: {complaint}.")'
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"

MUTANTS = [
    Mutant(
        "error-not-marked",
        "L10",
        "errors",
        "the text of an error goes back without is_error",
        [(MARK, '"content": text}')],
    ),
    Mutant(
        "raised-not-marked",
        "L10",
        "errors",
        "an exception's text goes back as if it were the output",
        [(RAISED, 'return error(call, f"{type(value).__name__}: {value}") | {"is_error": False}')],
    ),
    Mutant(
        "unknown-not-marked",
        "L10",
        "errors",
        "the answer to an unknown tool is no error",
        [
            (
                UNKNOWN,
                """return error(call, f"There is no tool named {name!r}. There are: {', '.join(functions)}.") | {
    "is_error": False
}""",
            )
        ],
    ),
    Mutant(
        "misfit-not-marked",
        "L10",
        "errors",
        "the complaint about an input is no error",
        [(MISFIT, 'return error(call, f"The input does not fit {name}: {complaint}.") | {"is_error": False}')],
    ),
    Mutant(
        "every-result-marked",
        "L11",
        "errors",
        "is_error stands on every result that is a text",
        [
            (
                '"content": as_content(value)}',
                '"content": as_content(value), "is_error": isinstance(value, str) and value != ""}',
            )
        ],
    ),
    Mutant(
        "siblings-of-a-failure-marked",
        "L11",
        "errors",
        "when one call of a reply fails, all its results are marked",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        if any(result.get("is_error") for result in results):
            results = [result | {"is_error": True} for result in results]""",
            )
        ],
    ),
    Mutant(
        "error-text-error",
        "L12",
        "errors",
        "the text of an error is the word Error",
        [(RAISED, 'return error(call, "Error")')],
    ),
    Mutant(
        "error-text-is-the-type",
        "L12",
        "errors",
        "only the exception's type is told",
        [(RAISED, "return error(call, type(value).__name__)")],
    ),
    Mutant(
        "error-text-is-the-first-word",
        "L12",
        "errors",
        "of the message only the first word is told",
        [(RAISED, 'return error(call, f"{type(value).__name__}: {(str(value).split() or [str()])[0]}")')],
    ),
    Mutant(
        "unknown-name-not-told",
        "L12",
        "errors",
        "the answer to an unknown tool does not name it",
        [(UNKNOWN, 'return error(call, "No such tool.")')],
    ),
    Mutant(
        "complaint-not-told",
        "L12",
        "errors",
        "the answer to an input that does not fit does not say what is wrong",
        [(MISFIT, 'return error(call, "Invalid input.")')],
    ),
    Mutant(
        "key-error-as-unknown-tool",
        "L12",
        "errors",
        "a KeyError inside a tool is answered as an unknown tool",
        [
            (
                RAISED,
                """if isinstance(value, KeyError):
            return error(call, f"There is no tool named {name!r}.")
        return error(call, f"{type(value).__name__}: {value}")""",
            )
        ],
    ),
    Mutant(
        "type-error-as-misfit",
        "L12",
        "errors",
        "a TypeError inside a tool is answered as an input that does not fit",
        [
            (
                RAISED,
                """if isinstance(value, TypeError):
            return error(call, f"The input does not fit {name}.")
        return error(call, f"{type(value).__name__}: {value}")""",
            )
        ],
    ),
    Mutant(
        "empty-error-text",
        "P12",
        "errors",
        "str(exception) is empty where the exception has no message",
        [(RAISED, "return error(call, str(value))")],
    ),
    Mutant(
        "error-as-empty-list",
        "P12",
        "errors",
        "an error without a message has an empty list for content",
        [(RAISED, 'return error(call, [{"type": "text", "text": str(value)}] if str(value) else [])')],
    ),
    Mutant(
        "error-with-an-image",
        "P11",
        "errors",
        "a picture of a stop sign stands in error results",
        [
            (MARK, '"content": [{"type": "text", "text": text}, PICTURE], "is_error": True}'),
            (
                "GOES_ON =",
                """PICTURE = {
    "type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
}
GOES_ON =""",
            ),
        ],
    ),
    Mutant(
        "failure-loses-its-siblings",
        "L11",
        "errors",
        "one failure, and all calls of the reply are answered with its text",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        bad = next((result for result in results if result.get("is_error")), None)
        if bad:
            results = [bad | {"tool_use_id": call["id"]} for call in calls]""",
            )
        ],
    ),
    Mutant(
        "mark-is-a-string",
        ("L10", "R14"),
        "errors",
        'is_error is the string "true"',
        [(MARK, '"content": text, "is_error": "true"}')],
    ),
]
