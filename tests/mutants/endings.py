"""Faults of the end: when the loop stops, and what it returns."""

from mutants.mutant import Mutant

GIVE = 'messages.append({"role": "user", "content": results})'
DONE = 'return "done", messages'

MUTANTS = [
    Mutant(
        "stops-after-one-round",
        "L13",
        "loop",
        "one round of tools, and out",
        [
            (
                GIVE,
                """messages.append({"role": "user", "content": results})
        return "done", messages""",
            )
        ],
    ),
    Mutant(
        "stops-after-the-first-results-are-read",
        "L13",
        "loop",
        "two requests, whatever the second reply asks for",
        [
            (
                GIVE,
                """if requests == 2:
            return "done", messages
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "text-means-done",
        "L13",
        "loop",
        "a reply with text is taken for the answer, though it calls a tool",
        [
            (
                """        if not calls:
            return""",
                """        if not calls or any(block["type"] == "text" for block in content):
            return""",
            )
        ],
    ),
    Mutant(
        "goes-on-after-the-end",
        ("L14", "L22"),
        "loop",
        "after the answer the model is asked to go on",
        [
            (
                DONE,
                """messages.append({"role": "user", "content": "Continue."})
            continue""",
            )
        ],
    ),
    Mutant(
        "asks-once-more",
        ("E04", "L14"),
        "loop",
        "the finished history is sent again to be sure",
        [
            (
                DONE,
                """ask(client, messages, tools)
            return "done", messages""",
            )
        ],
    ),
    Mutant(
        "status-is-the-stop-reason",
        "L15",
        "loop",
        "returns end_turn where the contract says done",
        [(DONE, "return reply.stop_reason, messages")],
    ),
    Mutant("status-success", "L15", "loop", "a word of the loop's own", [(DONE, 'return "success", messages')]),
    Mutant(
        "last-reply-missing",
        "L16",
        "loop",
        "the answer is not in the returned history",
        [(DONE, 'return "done", messages[:-1]')],
    ),
    Mutant(
        "returns-the-task-only",
        "L16",
        "loop",
        "the returned history is the first message",
        [(DONE, 'return "done", messages[:1]')],
    ),
    Mutant(
        "returns-the-last-message-only",
        "L16",
        "loop",
        "the returned history is the answer alone",
        [(DONE, 'return "done", messages[-1:]')],
    ),
    Mutant(
        "returns-text",
        "L24",
        "loop",
        "returns the answer's text",
        [(DONE, 'return "".join(block.get("text", "") for block in content)')],
    ),
    Mutant("returns-messages-only", "L24", "loop", "no status", [(DONE, "return messages")]),
    Mutant("returns-them-swapped", "L24", "loop", "(messages, status)", [(DONE, 'return messages, "done"')]),
    Mutant("returns-nothing", "L24", "loop", "leaves the loop and forgets to return", [(DONE, "return")]),
    Mutant(
        "returns-a-dict",
        "L24",
        "loop",
        "a dict with the right values",
        [(DONE, 'return {"status": "done", "messages": messages}')],
    ),
    Mutant(
        "first-block-is-the-call",
        "L17",
        "loop",
        "takes content[0] for the call; there is text before it",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = [content[0]] if reply.stop_reason == "tool_use" else []',
            )
        ],
    ),
    Mutant(
        "answer-is-the-first-block",
        "L17",
        "pairing",
        "takes content[0].text for the answer; thinking stands before it",
        [
            (
                DONE,
                """answer_text = reply.content[0].text
            return "done", messages""",
            )
        ],
    ),
    Mutant(
        "waits-for-ever",
        "L18",
        "loop",
        "polls a flag that nobody sets",
        [
            (
                DONE,
                """while not messages[0].get('finished'):
                time.sleep(0.01)""",
            )
        ],
    ),
    Mutant(
        "first-reply-has-a-call",
        "L17",
        "loop",
        "takes for granted that the first reply calls a tool",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                """calls = [block for block in content if block["type"] == "tool_use"]
        if requests == 1:
            first_call = calls[0]""",
            )
        ],
    ),
    Mutant(
        "calling-reply-has-text",
        "L17",
        "loop",
        "takes for granted that a reply says something before it calls a tool",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                """calls = [block for block in content if block["type"] == "tool_use"]
        if calls:
            said = next(block["text"] for block in content if block["type"] != "thinking")""",
            )
        ],
    ),
]
