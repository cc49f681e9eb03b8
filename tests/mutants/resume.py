"""Faults that show when the returned history is to be continued."""

from mutants.mutant import Mutant

CLOSE_STOPPED = """            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
"""
CLOSE_REPEATED = """            close(messages, calls, "A call was repeated too often.")
"""
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"
SENDABLE = "if sendable(content):"
UNRUN = 'unrun = [error(call, f"This call was not run. {why}") for call in calls]'
APPEND = 'messages.append({"role": "user", "content": unrun})'

MUTANTS = [
    Mutant(
        "open-after-a-stop",
        "N01",
        "resume",
        "the calls of a truncated or refused reply stay open",
        [(CLOSE_STOPPED, "")],
    ),
    Mutant(
        "open-after-a-repeat",
        "N01",
        "resume",
        "the calls of the last reply stay open when one is repeated",
        [(CLOSE_REPEATED, "")],
    ),
    Mutant(
        "only-the-repeat-closed",
        "N01",
        "resume",
        "the repeated call is answered, its siblings stay open",
        [
            (
                CLOSE_REPEATED,
                """            close(
                messages, [call for call in calls if asked[key(call)] >= max_repeats], "A call was repeated too often."
            )
""",
            )
        ],
    ),
    Mutant(
        "open-at-the-turn-limit",
        "N01",
        "resume",
        "the calls of the last allowed reply stay open",
        [
            (
                RUN,
                """if requests >= max_turns:
            continue
        results = [answer(call, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
    Mutant(
        "first-call-at-the-turn-limit-closed-only",
        "N01",
        "resume",
        "of the calls of the last allowed reply the first is answered",
        [
            (
                RUN,
                """if requests >= max_turns:
            close(messages, calls[:1], "The turn limit was reached.")
            continue
        results = [answer(call, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
    Mutant(
        "open-at-the-budget",
        "N01",
        "resume",
        "the calls of the reply that crosses the budget stay open",
        [
            (
                RUN,
                """if used >= token_budget:
            continue
        results = [answer(call, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
    Mutant(
        "open-at-the-deadline",
        "N01",
        "resume",
        "the calls of the reply that comes too late stay open",
        [
            (
                RUN,
                """if time.monotonic() - started >= timeout_s:
            continue
        results = [answer(call, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
    Mutant(
        "open-after-end-turn",
        "N01",
        "resume",
        "a call that comes with end_turn stays open",
        [
            (
                """        if not calls:
            return "done", messages
""",
                """        if not calls or reply.stop_reason == "end_turn":
            return "done", messages
""",
            )
        ],
    ),
    Mutant(
        "first-open-call-closed-only",
        "N01",
        "resume",
        "of several open calls the first is answered",
        [(UNRUN, 'unrun = [error(call, f"This call was not run. {why}") for call in calls[:1]]')],
    ),
    Mutant(
        "closed-without-a-mark",
        "L10",
        "stop_reasons",
        "calls that were not run are answered without is_error",
        [(UNRUN, 'unrun = [error(call, f"This call was not run. {why}") | {"is_error": False} for call in calls]')],
    ),
    Mutant(
        "closed-with-nothing",
        "N02",
        "resume",
        "calls that were not run are answered with empty error results",
        [('f"This call was not run. {why}"', '""')],
    ),
    Mutant(
        "closed-with-made-up-results",
        "L10",
        "stop_reasons",
        "calls that were not run are answered as if they had been",
        [(UNRUN, 'unrun = [{"type": "tool_result", "tool_use_id": call["id"], "content": "OK"} for call in calls]')],
    ),
    Mutant(
        "closed-twice",
        "N02",
        "resume",
        "each open call gets two results",
        [
            (
                CLOSE_REPEATED,
                """            close(messages, calls, "A call was repeated too often.")
            close(messages, calls, "A call was repeated too often.")
""",
            ),
            (
                CLOSE_STOPPED,
                """            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")
""",
            ),
        ],
    ),
    Mutant(
        "closed-one-message-each",
        "P13",
        "resume",
        "each open call is answered in a message of its own",
        [(APPEND, 'messages.extend({"role": "user", "content": [result]} for result in unrun)')],
    ),
    Mutant(
        "closed-as-assistant",
        "L16",
        "stop_reasons",
        "the answers to open calls stand in an assistant message",
        [(APPEND, 'messages.append({"role": "assistant", "content": unrun})')],
    ),
    Mutant(
        "closed-though-left-out",
        "N02",
        "resume",
        "a stopped reply is left out, yet its calls are answered",
        [(SENDABLE, "if sendable(content) and reply.stop_reason in GOES_ON:")],
    ),
    Mutant(
        "closed-with-a-note-first",
        "L16",
        "stop_reasons",
        "a text block stands before the answers to the open calls",
        [(APPEND, 'messages.append({"role": "user", "content": [{"type": "text", "text": why}, *unrun]})')],
    ),
    Mutant(
        "stopped-reply-half-kept",
        "L16",
        "stop_reasons",
        "of a stopped reply the text is kept, the calls are not, their answers are",
        [
            (
                '            messages.append({"role": "assistant", "content": content})',
                """            kept = content if reply.stop_reason in GOES_ON else [
                b
                for b in content
                if b['type'] != 'tool_use'
            ]
            messages.append({"role": "assistant", "content": kept or content})""",
            )
        ],
    ),
    Mutant(
        "thinking-only-reply-appended",
        "L16",
        "resume",
        "a reply that was cut while thinking goes into the history",
        [(SENDABLE, "if content:")],
    ),
    Mutant(
        "blank-reply-appended",
        "L16",
        "resume",
        "white space counts as words, so a reply without a word goes into the history",
        [('return block["type"] == "text" and not block["text"].strip()', "return False")],
    ),
    Mutant(
        "resume-note-appended",
        "L16",
        "gates",
        "a note for whoever continues goes into the history",
        [
            (
                CLOSE_REPEATED,
                """            close(messages, calls, "A call was repeated too often.")
            messages.append({"role": "user", "content": "Please try something else."})
""",
            )
        ],
    ),
    Mutant(
        "first-call-of-a-stop-closed-only",
        "N01",
        "resume",
        "of the calls of a stopped reply the first is answered",
        [(CLOSE_STOPPED, CLOSE_STOPPED.replace("messages, calls", "messages, calls[:1]"))],
    ),
    Mutant(
        "pause-at-the-cap-answered",
        ("L16", "N02"),
        "resume",
        "the search of a pause that the cap leaves open is answered by the loop",
        [
            (
                '            return "max_turns", messages\n',
                """            last = messages[-1]["content"]
            paused = [block for block in last if block["type"] == "server_tool_use"]
            close(messages, paused, "The turn limit was reached.")
            return "max_turns", messages
""",
            )
        ],
    ),
    Mutant(
        "pause-at-the-cap-closed",
        "L16",
        "resume",
        "a message of the loop's own follows the pause that the cap leaves open",
        [
            (
                '            return "max_turns", messages\n',
                """            if messages[-1]["role"] == "assistant":
                messages.append({"role": "user", "content": "Please continue."})
            return "max_turns", messages
""",
            )
        ],
    ),
]
