"""Faults with pauses, empty replies, and replies whose stop_reason and content disagree."""

from mutants.mutant import Mutant

PAUSE = """        if reply.stop_reason == "pause_turn" and not calls:
            continue
"""
SENDABLE = "if sendable(content):"
KEEP = 'messages.append({"role": "assistant", "content": content})'
DONE = 'return "done", messages'

MUTANTS = [
    Mutant("pause-is-done", "L21", "stop_reasons", "pause_turn is taken for the end", [(PAUSE, "")]),
    Mutant(
        "pause-is-a-stop",
        "L21",
        "stop_reasons",
        "pause_turn ends the run with that word",
        [('GOES_ON = ("tool_use", "end_turn", "pause_turn")', 'GOES_ON = ("tool_use", "end_turn")')],
    ),
    Mutant(
        "pause-answered-with-continue",
        "L21",
        "stop_reasons",
        "a user message follows the paused turn",
        [
            (
                PAUSE,
                """        if reply.stop_reason == "pause_turn" and not calls:
            messages.append({"role": "user", "content": "Please continue."})
            continue
""",
            )
        ],
    ),
    Mutant(
        "paused-reply-not-appended",
        ("L03", "L21"),
        "stop_reasons",
        "after a pause the old history is sent again",
        [(SENDABLE, 'if sendable(content) and reply.stop_reason != "pause_turn":')],
    ),
    Mutant(
        "paused-reply-replaced",
        "L02",
        "stop_reasons",
        "the continuation takes the place of the paused reply",
        [
            (
                SENDABLE,
                """if paused and messages[-1]["role"] == "assistant":
            messages.pop()
        paused = reply.stop_reason == "pause_turn"
        if sendable(content):""",
            ),
            (
                """requests = 0
""",
                """requests = 0
    paused = False
""",
            ),
        ],
    ),
    Mutant(
        "paused-calls-not-run",
        "P01",
        "stop_reasons",
        "the calls of a paused reply are not looked at",
        [
            (
                PAUSE,
                """        if reply.stop_reason == "pause_turn":
            continue
""",
            )
        ],
    ),
    Mutant(
        "server-calls-answered",
        "P04",
        "stop_reasons",
        "a call that the API runs itself is answered by the loop",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = [block for block in content if block["type"] in ("tool_use", "server_tool_use")]',
            )
        ],
    ),
    Mutant(
        "server-blocks-dropped",
        "L04",
        "stop_reasons",
        "only text, thinking and tool_use are appended",
        [
            (
                KEEP,
                """kept = [
    block
    for block in content
    if block["type"] in ("text", "thinking", "redacted_thinking", "tool_use")
]
            messages.append({"role": "assistant", "content": kept or content})""",
            )
        ],
    ),
    Mutant(
        "server-results-dropped",
        ("L16", "L04"),
        "stop_reasons",
        "what the API's own tools brought is left out, their calls stay",
        [
            (
                KEEP,
                """messages.append(
    {"role": "assistant", "content": [b for b in content if not b["type"].endswith("_tool_result")] or content}
)""",
            )
        ],
    ),
    Mutant(
        "server-calls-dropped",
        ("L04", "S02"),
        "stop_reasons",
        "the calls of the API's own tools are left out, their results stay",
        [
            (
                KEEP,
                """messages.append(
    {"role": "assistant", "content": [b for b in content if b["type"] != "server_tool_use"] or content}
)""",
            )
        ],
    ),
    Mutant(
        "empty-answer-appended",
        ("L16", "E06"),
        "stop_reasons",
        "an empty reply goes into the history",
        [(SENDABLE, "if True:")],
    ),
    Mutant(
        "empty-answer-crashes",
        "L17",
        "stop_reasons",
        "content[-1] of an empty reply",
        [
            (
                DONE,
                """last_type = content[-1]['type']
            return "done", messages""",
            )
        ],
    ),
    Mutant(
        "empty-answer-filled-in",
        "L16",
        "stop_reasons",
        "an empty reply is replaced by words of the loop's own",
        [
            (
                SENDABLE,
                """content = content or [{"type": "text", "text": "(no answer)"}]
        if sendable(content):""",
            )
        ],
    ),
    Mutant(
        "empty-answer-asked-again",
        "L14",
        "stop_reasons",
        "an empty reply makes the loop ask again",
        [
            (
                DONE,
                """if not content:
                continue
            return "done", messages""",
            )
        ],
    ),
    Mutant(
        "empty-results-sent",
        "E01",
        "stop_reasons",
        "a tool_use stop without a call: an empty user message is sent",
        [
            (
                """        if not calls:
            return""",
                """        if not calls and reply.stop_reason != "tool_use":
            return""",
            )
        ],
    ),
    Mutant(
        "tool-use-without-call-sent-again",
        ("E04", "L14"),
        "stop_reasons",
        "a tool_use stop without a call: the same is asked again",
        [
            (
                """        if not calls:
            return""",
                """        if not calls and reply.stop_reason == "tool_use":
            continue
        if not calls:
            return""",
            )
        ],
    ),
    Mutant(
        "tool-use-without-call-crashes",
        "L17",
        "stop_reasons",
        "a tool_use stop without a call: the first call is looked for in vain",
        [
            (
                """        if not calls:
            return""",
                """        if reply.stop_reason == "tool_use":
            calls[0]
        if not calls:
            return""",
            )
        ],
    ),
    Mutant(
        "end-turn-call-run-and-dropped",
        "L13",
        "stop_reasons",
        "a call that comes with end_turn is run, its result is never sent",
        [
            (
                'messages.append({"role": "user", "content": results})',
                """messages.append({"role": "user", "content": results})
        if reply.stop_reason == "end_turn":
            return "done", messages""",
            )
        ],
    ),
    Mutant(
        "end-turn-call-made-up",
        "L05",
        "stop_reasons",
        "a call that comes with end_turn gets an empty result, no error",
        [
            (
                "        asked.update(",
                """        if reply.stop_reason == "end_turn":
            notes = [{"type": "tool_result", "tool_use_id": call["id"], "content": "done"} for call in calls]
            messages.append({"role": "user", "content": notes})
            continue
        asked.update(""",
            )
        ],
    ),
]
