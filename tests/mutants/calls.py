"""Faults in running a call: not at all, twice, with another input, with another output."""

from mutants.mutant import Mutant

CALL = 'outcomes.put(("returned", function(**arguments)))'
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"
RESULT = 'return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}'

MUTANTS = [
    Mutant(
        "made-up-result",
        "L05",
        "loop",
        "no tool is run; the result says that all is well",
        [(CALL, 'outcomes.put(("returned", "OK"))')],
    ),
    Mutant(
        "cached-result",
        "L05",
        "pairing",
        "a call with the same input gets the earlier output",
        [
            (
                "asked = Counter()",
                """asked = Counter()
    cache = {}""",
            ),
            (
                RUN,
                """results = []
        for call in calls:
            if key(call) not in cache:
                cache[key(call)] = answer(call, functions, tool_timeout_s)
            results.append(cache[key(call)] | {"tool_use_id": call["id"]})""",
            ),
        ],
    ),
    Mutant(
        "run-twice-for-the-log",
        "L06",
        "loop",
        "the tool is run once for a log line and once for the result",
        [
            (
                CALL,
                """log = f"{function(**arguments)}"
            outcomes.put(("returned", function(**arguments)))""",
            )
        ],
    ),
    Mutant(
        "run-ahead",
        "L06",
        "loop",
        "each call is checked by running it before it is run",
        [
            (
                """    outcome, value = in_time(function, arguments, tool_timeout_s)
""",
                """    in_time(function, arguments, tool_timeout_s)
    outcome, value = in_time(function, arguments, tool_timeout_s)
""",
            )
        ],
    ),
    Mutant(
        "input-lowercased",
        "L07",
        "loop",
        "the tool gets another spelling than the model wrote",
        [
            (
                CALL,
                """outcomes.put(
    ("returned", function(**{k: v.lower() if isinstance(v, str) else v for k, v in arguments.items()}))
)""",
            )
        ],
    ),
    Mutant(
        "input-as-text",
        "L07",
        "loop",
        "every argument is turned into a str",
        [(CALL, 'outcomes.put(("returned", function(**{k: str(v) for k, v in arguments.items()})))')],
    ),
    Mutant(
        "falsy-arguments-dropped",
        "L07",
        "loop",
        "0, false and empty arguments never reach the tool",
        [(CALL, 'outcomes.put(("returned", function(**{k: v for k, v in arguments.items() if v})))')],
    ),
    Mutant(
        "first-functions-only",
        ("L05", "L07"),
        "loop",
        "whatever is asked for, the first function is run",
        [
            (
                """    function = functions[name]
""",
                """    function = next(iter(functions.values()))
""",
            )
        ],
    ),
    Mutant(
        "result-cut-short",
        "L08",
        "loop",
        "the output is cut after a dozen characters",
        [(RESULT, 'return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)[:12]}')],
    ),
    Mutant(
        "result-stripped",
        "L08",
        "errors",
        "white space around the output is cut off",
        [
            (
                """        return value
    if value is None:""",
                """        return value.strip() if isinstance(value, str) else value
    if value is None:""",
            )
        ],
    ),
    Mutant(
        "result-in-quotes",
        "L08",
        "loop",
        "a str is dumped as JSON again",
        [("if isinstance(value, str) or is_blocks(value):", "if is_blocks(value):")],
    ),
    Mutant(
        "result-dressed-up",
        "L08",
        "loop",
        "the loop puts words of its own around the output",
        [
            (
                RESULT,
                """return {
    "type": "tool_result", "tool_use_id": call["id"], "content": f"The tool said: {as_content(value)}"
}""",
            )
        ],
    ),
    Mutant(
        "result-of-the-first-round",
        "L08",
        "loop",
        "the first output is sent again in every later round",
        [
            (
                """requests = 0
""",
                """requests = 0
    first = []
""",
            ),
            (
                'messages.append({"role": "user", "content": results})',
                """first = first or [result['content'] for result in results]
        results = [
            result | {"content": old}
            for result, old in zip(results, first + [r["content"] for r in results[1:]])
        ]
        messages.append({"role": "user", "content": results})""",
            ),
        ],
    ),
    Mutant(
        "remembers-answers-of-the-run-before",
        ("L05", "L23"),
        "loop",
        "outputs are cached in the module",
        [
            (
                "GOES_ON =",
                """CACHE = {}
GOES_ON =""",
            ),
            (
                RUN,
                """results = []
        for number, call in enumerate(calls):
            place = requests, number, key(call)
            if place not in CACHE:
                CACHE[place] = answer(call, functions, tool_timeout_s)
            results.append(CACHE[place] | {"tool_use_id": call["id"]})""",
            ),
        ],
    ),
    Mutant(
        "nested-input-as-text",
        "L07",
        "pairing",
        "objects inside the input reach the tool as JSON text",
        [
            (
                'outcomes.put(("returned", function(**arguments)))',
                """flat = {k: json.dumps(v) if isinstance(v, dict) else v for k, v in arguments.items()}
            outcomes.put(("returned", function(**flat)))""",
            )
        ],
    ),
    Mutant(
        "nested-input-in-ascii",
        "L07",
        "pairing",
        "letters outside ASCII are replaced on the way to the tool",
        [
            (
                'outcomes.put(("returned", function(**arguments)))',
                """ascii_only = json.loads(json.dumps(arguments, ensure_ascii=False).encode("ascii", "replace"))
            outcomes.put(("returned", function(**ascii_only)))""",
            )
        ],
    ),
]
