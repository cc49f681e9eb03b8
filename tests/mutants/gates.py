"""Faults of the gates that are asked before a request: turns, tokens, seconds."""

from mutants.mutant import Mutant

TURNS = "if requests >= max_turns:"
COUNT = "requests += 1"
DONE = 'return "done", messages'
TOKENS = "if used >= token_budget:"
CACHED = "cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)"
USE = "used += tokens(reply.usage)"
LOOP = """    while True:
"""
CLOCK = "if time.monotonic() - started >= timeout_s:"

MUTANTS = [
    Mutant("no-turn-limit", "G01", "gates", "max_turns is not looked at", [(TURNS, "if False:")]),
    Mutant("one-turn-too-many", "G01", "gates", "> instead of >=", [(TURNS, "if requests > max_turns:")]),
    Mutant(
        "one-turn-too-few",
        "G07",
        "gates",
        "the last allowed request is not made",
        [(TURNS, "if requests >= max_turns - 1 and requests:")],
    ),
    Mutant("turns-counted-twice", "G07", "gates", "a round counts as two", [(COUNT, "requests += 2")]),
    Mutant(
        "pauses-not-counted",
        "G01",
        "gates",
        "a pause_turn does not count as a request",
        [(COUNT, 'requests += reply.stop_reason != "pause_turn"')],
    ),
    Mutant(
        "calls-counted-as-turns",
        "G07",
        "gates",
        "each call counts as a turn",
        [(COUNT, "requests += max(1, len([block for block in reply.content if block.type == 'tool_use']))")],
    ),
    Mutant(
        "retries-counted-as-turns",
        "G07",
        "gates",
        "what the SDK tries again counts as another turn",
        [
            ("reply = ask(client, messages, tools)", "reply, tries = ask(client, messages, tools)"),
            (COUNT, "requests += tries"),
            (
                "    return client.messages.create(model=MODEL, max_tokens=2000, tools=tools, messages=messages)",
                """    raw = client.messages.with_raw_response.create(
        model=MODEL, max_tokens=2000, tools=tools, messages=messages
    )
    return raw.parse(), 1 + raw.retries_taken""",
            ),
        ],
    ),
    Mutant(
        "turn-limit-is-ten", "G01", "gates", "the limit that is passed is not used", [(TURNS, "if requests >= 10:")]
    ),
    Mutant(
        "turn-limit-says-done",
        "L15",
        "gates",
        "at the limit the status is done",
        [('return "max_turns", messages', 'return "done", messages')],
    ),
    Mutant(
        "turn-limit-raises",
        "L17",
        "gates",
        "at the limit an exception is raised",
        [('return "max_turns", messages', 'raise RuntimeError("too many turns")')],
    ),
    Mutant(
        "turn-limit-asks-for-a-summary",
        "G01",
        "gates",
        "at the limit the model is asked for a last word",
        [
            (
                '            return "max_turns", messages',
                """            ask(client, messages, tools)
            return "max_turns", messages""",
            )
        ],
    ),
    Mutant(
        "answer-at-the-limit-lost",
        "L15",
        "gates",
        "an answer in the last allowed request is reported as max_turns",
        [
            (
                """        content = as_dicts(reply.content)
""",
                """        content = as_dicts(reply.content)
        capped = requests >= max_turns
""",
            ),
            (DONE, 'return ("max_turns" if capped else "done"), messages'),
        ],
    ),
    Mutant("default-of-eleven-turns", "G01", "resume", "max_turns is 11 when nobody gives it", [("max_turns=10", "max_turns=11")]),
    Mutant("default-budget-one-too-big", "G02", "resume", "token_budget is 200,001 when nobody gives it", [("token_budget=200_000", "token_budget=200_001")]),
    Mutant("default-deadline-too-late", "G03", "resume", "timeout_s is 330 when nobody gives it", [("timeout_s=300", "timeout_s=330")]),
    Mutant("default-of-four-repeats", "G04", "gates", "max_repeats is 4 when nobody gives it", [("max_repeats=3", "max_repeats=4")]),
    Mutant("no-token-budget", "G02", "gates", "token_budget is not looked at", [(TOKENS, "if False:")]),
    Mutant("budget-over-equality", "G02", "gates", "> instead of >=", [(TOKENS, "if used > token_budget:")]),
    Mutant("cache-not-counted", "G02", "gates", "both cache counts are left out", [(CACHED, "cached = 0")]),
    Mutant(
        "cache-writes-not-counted",
        "G02",
        "gates",
        "cache_creation_input_tokens is left out",
        [(CACHED, "cached = usage.cache_read_input_tokens or 0")],
    ),
    Mutant(
        "cache-reads-not-counted",
        "G02",
        "gates",
        "cache_read_input_tokens is left out",
        [(CACHED, "cached = usage.cache_creation_input_tokens or 0")],
    ),
    Mutant(
        "output-not-counted",
        "G02",
        "gates",
        "output tokens are left out",
        [("return usage.input_tokens + cached + usage.output_tokens", "return usage.input_tokens + cached")],
    ),
    Mutant(
        "input-not-counted",
        "G02",
        "gates",
        "only output tokens are counted",
        [("return usage.input_tokens + cached + usage.output_tokens", "return usage.output_tokens")],
    ),
    Mutant("only-last-reply-counted", "G02", "gates", "= instead of +=", [(USE, "used = tokens(reply.usage)")]),
    Mutant(
        "output-counted-twice",
        "G07",
        "gates",
        "output tokens are counted twice",
        [
            (
                "return usage.input_tokens + cached + usage.output_tokens",
                "return usage.input_tokens + cached + 2 * usage.output_tokens",
            )
        ],
    ),
    Mutant(
        "budget-of-the-next-request-guessed",
        "G07",
        "gates",
        "stops when another reply like the last would cross the budget",
        [
            (TOKENS, "if used and used + last >= token_budget:"),
            (
                USE,
                """used += tokens(reply.usage)
        last = tokens(reply.usage)""",
            ),
            (
                LOOP,
                """    last = 0
    while True:
""",
            ),
        ],
    ),
    Mutant(
        "budget-beats-the-answer",
        "L15",
        "gates",
        "an answer that crosses the budget is reported as token_budget",
        [
            (
                USE,
                """used += tokens(reply.usage)
        if used >= token_budget and reply.stop_reason == "end_turn":
            messages.append({"role": "assistant", "content": as_dicts(reply.content)})
            return "token_budget", messages""",
            )
        ],
    ),
    Mutant(
        "budget-says-max-tokens",
        "L15",
        "gates",
        "the status is max_tokens",
        [('return "token_budget", messages', 'return "max_tokens", messages')],
    ),
    Mutant("no-deadline", "G03", "gates", "timeout_s is not looked at", [(CLOCK, "if False:")]),
    Mutant(
        "deadline-for-each-request",
        "G03",
        "gates",
        "the clock is started anew in every round",
        [
            (
                LOOP,
                """    while True:
        started = time.monotonic()
""",
            )
        ],
    ),
    Mutant(
        "deadline-in-cpu-time",
        "G03",
        "gates",
        "process time stands still while the API thinks",
        [
            ("started = time.monotonic()", "started = time.process_time()"),
            (CLOCK, "if time.process_time() - started >= timeout_s:"),
        ],
    ),
    Mutant(
        "deadline-in-milliseconds",
        "G07",
        "gates",
        "the limit is taken for milliseconds",
        [(CLOCK, "if (time.monotonic() - started) * 1000 >= timeout_s:")],
    ),
    Mutant(
        "deadline-beats-the-answer",
        "L15",
        "gates",
        "an answer that comes too late is reported as timeout",
        [(DONE, 'return ("timeout" if time.monotonic() - started >= timeout_s else "done"), messages')],
    ),
    Mutant(
        "deadline-says-max-turns",
        ("G07", "L15"),
        "gates",
        "the status is max_turns",
        [('return "timeout", messages', 'return "max_turns", messages')],
    ),
    Mutant(
        "gate-drops-the-last-round",
        "L16",
        "gates",
        "at the turn limit the last reply and its results are taken off again",
        [('return "max_turns", messages', 'return "max_turns", messages[:-2]')],
    ),
    Mutant(
        "limits-not-accepted",
        "L17",
        "gates",
        "run_agent takes no max_repeats",
        [
            (
                """    max_repeats=3,
):""",
                """):
    max_repeats = 3""",
            )
        ],
    ),
]
