"""Faults with replies that are stopped before the work is done."""

from mutants.mutant import Mutant

GOES_ON = 'GOES_ON = ("tool_use", "end_turn", "pause_turn")'
STOPPED = """        if reply.stop_reason not in GOES_ON:
"""
STATUS = "return reply.stop_reason, messages"

MUTANTS = [
    Mutant(
        "truncated-call-run",
        "L20",
        "stop_reasons",
        "max_tokens is not looked at: a cut call is run",
        [(GOES_ON, 'GOES_ON = ("tool_use", "end_turn", "pause_turn", "max_tokens")')],
    ),
    Mutant(
        "only-content-looked-at",
        "L20",
        "stop_reasons",
        "whatever the stop_reason, calls are run",
        [
            (
                STOPPED,
                """        if reply.stop_reason not in GOES_ON and not calls:
""",
            )
        ],
    ),
    Mutant(
        "only-max-tokens-known",
        "L20",
        "stop_reasons",
        "every stop but max_tokens counts as a good one",
        [
            (
                STOPPED,
                """        if reply.stop_reason == "max_tokens":
""",
            )
        ],
    ),
    Mutant(
        "refused-call-run",
        "L20",
        "stop_reasons",
        "the calls of a refusal are run",
        [
            (GOES_ON, 'GOES_ON = ("tool_use", "end_turn", "pause_turn", "refusal")'),
            ('return "done", messages', 'return ("refusal" if reply.stop_reason == "refusal" else "done"), messages'),
        ],
    ),
    Mutant(
        "max-tokens-is-done",
        "L15",
        "stop_reasons",
        "a cut answer is reported as done",
        [(STATUS, "return (\"done\" if reply.stop_reason in ('max_tokens',) else reply.stop_reason), messages")],
    ),
    Mutant(
        "refusal-is-done",
        "L15",
        "stop_reasons",
        "a refusal is reported as done",
        [(STATUS, "return (\"done\" if reply.stop_reason in ('refusal',) else reply.stop_reason), messages")],
    ),
    Mutant(
        "stop-sequence-is-done",
        "L15",
        "stop_reasons",
        "a stop sequence is reported as done",
        [(STATUS, "return (\"done\" if reply.stop_reason in ('stop_sequence',) else reply.stop_reason), messages")],
    ),
    Mutant(
        "full-window-is-done",
        "L15",
        "stop_reasons",
        "a full context window is reported as done",
        [
            (
                STATUS,
                """status = reply.stop_reason.replace("model_context_window_exceeded", "done")
            return status, messages""",
            )
        ],
    ),
    Mutant(
        "every-stop-is-max-tokens",
        "L15",
        "stop_reasons",
        "every early stop is reported as max_tokens",
        [(STATUS, 'return "max_tokens", messages')],
    ),
    Mutant(
        "unknown-stop-is-done",
        "L15",
        "stop_reasons",
        "a stop_reason that the loop does not know is reported as done",
        [
            (
                STATUS,
                """known = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")
            return (reply.stop_reason if reply.stop_reason in known else "done"), messages""",
            )
        ],
    ),
    Mutant(
        "unknown-stop-raises",
        "L17",
        "stop_reasons",
        "a stop_reason that the loop does not know raises",
        [
            (
                STATUS,
                """known = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")
            return {name: name for name in known}[reply.stop_reason], messages""",
            )
        ],
    ),
    Mutant(
        "unknown-stop-goes-on",
        "L20",
        "stop_reasons",
        "an unknown stop_reason is treated like tool_use",
        [
            (
                STOPPED,
                """        stops = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")
        if reply.stop_reason in stops:
""",
            )
        ],
    ),
    Mutant(
        "classic-while-tool-use",
        ("L21", "L15"),
        "stop_reasons",
        "while stop_reason == tool_use; after it everything is done",
        [
            (
                STOPPED,
                """        if reply.stop_reason != "tool_use":
""",
            ),
            (STATUS, 'return "done", messages'),
        ],
    ),
    Mutant(
        "asks-to-continue-after-max-tokens",
        "L14",
        "stop_reasons",
        "a cut reply is kept and the model is asked to go on from there",
        [
            (
                STOPPED,
                """        if reply.stop_reason == "max_tokens" and not calls:
            messages.append({"role": "user", "content": "Continue where you stopped."})
            continue
        if reply.stop_reason not in GOES_ON:
""",
            )
        ],
    ),
    Mutant(
        "prefills-after-max-tokens",
        ("E04", "L14"),
        "stop_reasons",
        "a cut reply is sent again as a prefill",
        [
            (
                STOPPED,
                """        if reply.stop_reason == "max_tokens" and not calls:
            continue
        if reply.stop_reason not in GOES_ON:
""",
            )
        ],
    ),
    Mutant(
        "refusal-tried-again",
        "L14",
        "stop_reasons",
        "a refused request is sent again",
        [
            (
                """        requests += 1
""",
                """        if reply.stop_reason == "refusal":
            reply = ask(client, messages, tools)
        requests += 1
""",
            )
        ],
    ),
    Mutant(
        "full-window-trimmed",
        ("L02", "L14"),
        "stop_reasons",
        "when the window is full, the oldest round is dropped and the rest sent again",
        [
            (
                """        requests += 1
""",
                """        if reply.stop_reason == "model_context_window_exceeded":
            del messages[1:3]
            reply = ask(client, messages, tools)
        requests += 1
""",
            )
        ],
    ),
    Mutant(
        "stop-raises",
        "L17",
        "stop_reasons",
        "an early stop raises an exception",
        [(STATUS, 'raise RuntimeError(f"stopped: {reply.stop_reason}")')],
    ),
    Mutant(
        "cut-call-run",
        "L20",
        "stop_reasons",
        "max_tokens is a stop only where the reply holds no call",
        [
            (
                STOPPED,
                """        if reply.stop_reason not in GOES_ON and not (calls and reply.stop_reason == "max_tokens"):
""",
            )
        ],
    ),
    Mutant(
        "refusal-without-words-crashes",
        "L17",
        "stop_reasons",
        "looks for the words of a refusal that has none",
        [
            (
                STATUS,
                """reason_given = content[0] if reply.stop_reason == "refusal" else None
            return reply.stop_reason, messages""",
            )
        ],
    ),
]
