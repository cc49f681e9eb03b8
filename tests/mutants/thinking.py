"""Faults with thinking blocks and their signatures."""

from mutants.mutant import Mutant

DUMP = 'return [block.model_dump(mode="json", exclude_none=True) for block in content]'
KEEP = 'messages.append({"role": "assistant", "content": content})'

MUTANTS = [
    Mutant(
        "thinking-dropped",
        "L25",
        "pairing",
        "thinking blocks are taken for noise",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block for block in blocks if "thinking" not in block["type"]]""",
            )
        ],
    ),
    Mutant(
        "redacted-thinking-dropped",
        ("L25", "T01"),
        "pairing",
        "thinking stays, redacted thinking goes",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block for block in blocks if block["type"] != "redacted_thinking"]""",
            )
        ],
    ),
    Mutant(
        "silent-thinking-dropped",
        "L25",
        "pairing",
        "thinking blocks without text are taken for empty ones",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block for block in blocks if block["type"] != "thinking" or block["thinking"]]""",
            )
        ],
    ),
    Mutant(
        "one-thinking-block-kept",
        "T01",
        "pairing",
        "of several thinking blocks, redacted or not, only the first is kept",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    first = next((block for block in blocks if "thinking" in block["type"]), None)
    return [block for block in blocks if "thinking" not in block["type"] or block is first]""",
            )
        ],
    ),
    Mutant(
        "thinking-reordered",
        ("L04", "T01"),
        "pairing",
        "text comes first, then thinking, then the calls",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    order = {"text": 0, "tool_use": 2}
    return sorted(blocks, key=lambda block: order.get(block["type"], 1))""",
            )
        ],
    ),
    Mutant(
        "thinking-last",
        ("L04", "P02", "T05"),
        "pairing",
        "thinking is put behind what the model said",
        [
            (
                KEEP,
                """messages.append(
    {"role": "assistant", "content": sorted(content, key=lambda block: "thinking" in block["type"])}
)""",
            )
        ],
    ),
    Mutant(
        "thinking-turned-round",
        "T01",
        "pairing",
        "the thinking blocks of a reply change places",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    thoughts = [block for block in blocks if "thinking" in block["type"]]
    return [thoughts.pop() if "thinking" in block["type"] else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "signature-blanked",
        "T02",
        "pairing",
        "the signature is emptied",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block | {"signature": ""} if block["type"] == "thinking" else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "signature-made-up",
        "T03",
        "pairing",
        "the signature is replaced by one of the loop's own",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block | {"signature": "c2lnbmVk"} if block["type"] == "thinking" else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "signature-left-out",
        "T02",
        "pairing",
        "the signature is not dumped",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [{k: v for k, v in block.items() if k != "signature"} for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "thinking-stripped",
        "T01",
        "pairing",
        "white space around the thinking is cut off, which changes it",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [
        block | {"thinking": block["thinking"].strip()}
        if block["type"] == "thinking"
        else block
        for block in blocks
    ]""",
            )
        ],
    ),
    Mutant(
        "thinking-shortened",
        "T01",
        "pairing",
        "thinking is cut to save tokens",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [
        block | {"thinking": block["thinking"][:10] + "…"}
        if block["type"] == "thinking"
        else block
        for block in blocks
    ]""",
            )
        ],
    ),
    Mutant(
        "thinking-as-text",
        ("L04", "L25"),
        "pairing",
        "thinking goes back as a text block",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [
        {"type": "text", "text": block["thinking"] or "(thinking)"}
        if block["type"] == "thinking"
        else block
        for block in blocks
    ]""",
            )
        ],
    ),
    Mutant(
        "earlier-thinking-dropped",
        ("L16", "L02", "L25"),
        "pairing",
        "thinking stays in the newest reply only",
        [
            (
                KEEP,
                """for message in messages[1::2]:
                message["content"] = [b for b in message["content"] if "thinking" not in b["type"]]
            messages.append({"role": "assistant", "content": content})""",
            )
        ],
    ),
    Mutant(
        "signature-of-the-reply-before",
        ("T01", "T03"),
        "pairing",
        "every thinking block gets the first one's signature",
        [
            (
                """requests = 0
""",
                """requests = 0
    signed = []
""",
            ),
            (
                KEEP,
                """signed += [block["signature"] for block in content if block["type"] == "thinking"]
            content = [
                block | {"signature": signed[0]}
                if block["type"] == "thinking"
                else block
                for block in content
            ]
            messages.append({"role": "assistant", "content": content})""",
            ),
        ],
    ),
]
