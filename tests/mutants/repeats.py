"""Faults in counting repeated calls."""

from mutants.mutant import Mutant

REPEATED = "if any(asked[key(call)] >= max_repeats for call in calls):"
KEY = 'return call["name"], json.dumps(call["input"], sort_keys=True)'
ASKED = "asked.update(key(call) for call in calls)"

MUTANTS = [
    Mutant("no-repeat-check", "G04", "gates", "repeats are not looked at", [(REPEATED, "if False:")]),
    Mutant(
        "one-repeat-too-many",
        "G04",
        "gates",
        "> instead of >=",
        [(REPEATED, "if any(asked[key(call)] > max_repeats for call in calls):")],
    ),
    Mutant(
        "repeat-limit-is-three",
        "G07",
        "gates",
        "the limit that is passed is not used",
        [(REPEATED, "if any(asked[key(call)] >= 3 for call in calls):")],
    ),
    Mutant(
        "one-repeat-too-few",
        ("L05", "L13"),
        "pairing",
        "stops one call too early, also with the default limit",
        [(REPEATED, "if any(asked[key(call)] >= max_repeats - 1 for call in calls):")],
    ),
    Mutant(
        "repeats-by-key-order",
        "G04",
        "gates",
        "inputs are compared as text: another key order is another call",
        [(KEY, 'return call["name"], json.dumps(call["input"])')],
    ),
    Mutant(
        "repeats-in-a-row-only",
        "G04",
        "gates",
        "another call in between starts the count anew",
        [
            (
                ASKED,
                """for call in calls:
            asked = Counter({key(call): asked[key(call)] + 1})""",
            )
        ],
    ),
    Mutant(
        "repeats-of-the-same-round-only",
        "G04",
        "gates",
        "the count starts anew with each reply",
        [(ASKED, "asked = Counter(key(call) for call in calls)")],
    ),
    Mutant(
        "repeats-once-a-reply",
        "G04",
        "gates",
        "equal calls of one reply count once",
        [(ASKED, "asked.update({key(call) for call in calls})")],
    ),
    Mutant(
        "repeats-of-good-calls-only",
        "G04",
        "gates",
        "calls that failed are not counted",
        [
            (ASKED, "pass"),
            (REPEATED, "if any(asked[key(call)] + 1 >= max_repeats for call in calls):"),
            (
                "results = [answer(call, functions, tool_timeout_s) for call in calls]",
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        asked.update(key(call) for call, result in zip(calls, results) if not result.get("is_error"))""",
            ),
        ],
    ),
    Mutant(
        "repeats-of-known-tools-only",
        "G04",
        "resume",
        "calls of unknown tools are not counted",
        [(ASKED, 'asked.update(key(call) for call in calls if call["name"] in functions)')],
    ),
    Mutant(
        "repeats-of-the-first-call-only",
        "G04",
        "gates",
        "only the first call of a reply is counted",
        [(ASKED, "asked.update([key(calls[0])])")],
    ),
    Mutant(
        "repeats-by-name",
        ("L05", "L13"),
        "loop",
        "the same tool with another input counts as a repeat",
        [(KEY, 'return call["name"]')],
    ),
    Mutant(
        "repeats-by-input",
        ("L05", "L13"),
        "parallel",
        "another tool with the same input counts as a repeat",
        [(KEY, 'return json.dumps(call["input"], sort_keys=True)')],
    ),
    Mutant(
        "repeats-by-keys",
        ("L05", "L13"),
        "loop",
        "the names of the arguments are compared, not their values",
        [(KEY, 'return call["name"], tuple(sorted(call["input"]))')],
    ),
    Mutant(
        "repeats-kept-between-runs",
        ("G07", "L23"),
        "gates",
        "the count of the run before goes on",
        [
            (
                "GOES_ON =",
                """asked = Counter()
GOES_ON =""",
            ),
            (
                """    asked = Counter()
    requests""",
                "    requests",
            ),
        ],
    ),
    Mutant(
        "repeat-run-once-more",
        "G04",
        "gates",
        "the repeat is noticed after it was run",
        [
            (
                REPEATED,
                """for call in calls:
            if asked[key(call)] >= max_repeats:
                answer(call, functions, tool_timeout_s)
        if any(asked[key(call)] >= max_repeats for call in calls):""",
            )
        ],
    ),
    Mutant(
        "repeat-answered-and-on",
        "G04",
        "gates",
        "the repeat is not run, but the loop goes on",
        [('            return "repeated_call", messages', "            continue")],
    ),
    Mutant(
        "repeat-says-done",
        "L15",
        "gates",
        "the status is done",
        [('return "repeated_call", messages', 'return "done", messages')],
    ),
    Mutant(
        "repeat-says-max-turns",
        ("G07", "L15"),
        "gates",
        "the status is max_turns",
        [('return "repeated_call", messages', 'return "max_turns", messages')],
    ),
    Mutant(
        "repeats-not-counted-in-the-last-round",
        "G04",
        "gates",
        "before the turn limit closes, repeats are not looked at",
        [(REPEATED, "if requests < max_turns and any(asked[key(call)] >= max_repeats for call in calls):")],
    ),
]
