"""Faults of a loop that streams."""

from functools import partial

from mutants.mutant import Mutant as AnyMutant

Mutant = partial(AnyMutant, base="reference_stream.py")

FRAGMENT = "self.fragments.setdefault(index, []).append(delta.partial_json)"
PARSE = """        try:
            block["input"] = json.loads(written)
        except ValueError:
            block["input"] = {}
"""

MUTANTS = [
    Mutant(
        "deltas-of-all-calls-joined",
        "L04",
        "parallel",
        "one buffer for the JSON of all calls",
        [
            ("self.fragments.setdefault(index, [])", 'self.fragments.setdefault("all", [])'),
            ("self.fragments.get(index, [])", 'self.fragments.get("all", [])'),
        ],
    ),
    Mutant(
        "each-fragment-parsed",
        "L17",
        "loop",
        "each piece of JSON is parsed on its own",
        [(FRAGMENT, 'block["input"] |= json.loads(delta.partial_json)')],
    ),
    Mutant(
        "last-fragment-wins",
        "L04",
        "loop",
        "only the last piece of JSON is kept",
        [(FRAGMENT, "self.fragments[index] = [delta.partial_json]")],
    ),
    Mutant(
        "empty-arguments-crash",
        "L17",
        "loop",
        "a tool without arguments streams an empty string; parsing it raises",
        [
            (
                """        if not written:
            return
""",
                "",
            ),
            (
                PARSE,
                """        block["input"] = json.loads(written)
""",
            ),
        ],
    ),
    Mutant(
        "input-never-parsed",
        ("L04", "P08"),
        "loop",
        "the input stays a JSON text in the history",
        [
            (
                PARSE,
                """        block["input"] = written
""",
            ),
            (
                'name, arguments = call["name"], call["input"]',
                'name, arguments = call["name"], json.loads(call["input"] or "{}")',
            ),
        ],
    ),
    Mutant("input-stays-empty", "L04", "loop", "input_json_delta is not looked at", [(FRAGMENT, "pass")]),
    Mutant(
        "last-text-delta-wins",
        "L04",
        "loop",
        "= instead of += for text",
        [('block["text"] += delta.text', 'block["text"] = delta.text')],
    ),
    Mutant(
        "first-block-streamed-only",
        "L13",
        "loop",
        "only the block with index 0 is read",
        [
            (
                """            reply.take(event)
""",
                """            if getattr(event, 'index', 0) == 0:
                reply.take(event)
""",
            )
        ],
    ),
    Mutant(
        "signature-delta-missed",
        "T02",
        "pairing",
        "signature_delta is not looked at",
        [('block["signature"] = delta.signature', "pass")],
    ),
    Mutant(
        "thinking-delta-missed",
        "T01",
        "pairing",
        "thinking_delta is not looked at",
        [('block["thinking"] += delta.thinking', "pass")],
    ),
    Mutant(
        "thinking-block-skipped",
        "L25",
        "pairing",
        "thinking is shown to the user and kept nowhere",
        [
            (
                "return [self.blocks[index] for index in sorted(self.blocks)]",
                """return [
    self.blocks[index]
    for index in sorted(self.blocks)
    if "thinking" not in self.blocks[index]["type"]
]""",
            )
        ],
    ),
    Mutant(
        "usage-added-up",
        "G07",
        "gates",
        "the counts of message_start and message_delta are added; the latter are totals",
        [
            (
                'self.usage.update(usage.model_dump(mode="json", exclude_none=True))',
                """for name, value in usage.model_dump(exclude_none=True).items():
            if isinstance(value, int):
                self.usage[name] = self.usage.get(name, 0) + value""",
            )
        ],
    ),
    Mutant(
        "usage-of-the-start-only",
        "G02",
        "gates",
        "message_delta's usage is not looked at",
        [
            (
                """            self.count(event.usage)
""",
                "",
            )
        ],
    ),
    Mutant(
        "stop-reason-of-the-start",
        ("L13", "L15"),
        "loop",
        "stop_reason is read from message_start, where it is null",
        [("self.stop_reason = event.delta.stop_reason", "self.stop_reason = self.stop_reason")],
    ),
    Mutant(
        "stop-reason-guessed",
        "L20",
        "stop_reasons",
        "a reply with a call counts as tool_use, any other as end_turn",
        [
            (
                """    if not reply.complete:
""",
                """    called = any(block["type"] == "tool_use" for block in reply.content)
    reply.stop_reason = "tool_use" if called else "end_turn"
    if not reply.complete:
""",
            )
        ],
    ),
    Mutant(
        "tools-run-while-streaming",
        "L20",
        "stop_reasons",
        "each call is run as soon as its block is complete, before stop_reason is known",
        [
            ("def read_reply(client, messages, tools):", "def read_reply(client, messages, tools, functions):"),
            ("reply = read_reply(client, messages, tools)", "reply = read_reply(client, messages, tools, functions)"),
            (
                """            reply.take(event)
""",
                """            reply.take(event)
            if event.type == 'content_block_stop' and reply.blocks[event.index]['type'] == 'tool_use':
                block = reply.blocks[event.index]
                reply.early[block['id']] = answer(block, functions, 30)
""",
            ),
            (
                """        self.complete = False
""",
                """        self.complete = False
        self.early = {}
""",
            ),
            (
                "results = [answer(call, functions, tool_timeout_s) for call in calls]",
                "results = [reply.early[call['id']] for call in calls]",
            ),
        ],
    ),
]
