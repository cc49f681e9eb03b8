"""Faults in what becomes of a tool's output: long, empty, pictures, neither str nor blocks."""

from mutants.mutant import Mutant

CONTENT = """    if isinstance(value, str) or is_blocks(value):
        return value
"""
JSON = "return json.dumps(value, default=str)"

MUTANTS = [
    Mutant(
        "empty-output-marked",
        "L11",
        "errors",
        "an empty output is taken for a failure",
        [
            (
                '    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}',
                """    if not value:
        return error(call, "The tool returned nothing.")
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}""",
            )
        ],
    ),
    Mutant(
        "output-cut-at-2000",
        "L08",
        "errors",
        "long output is cut without a word",
        [
            (
                """        return value
    if value is None:""",
                """        return value[:2000]
    if value is None:""",
            )
        ],
    ),
    Mutant(
        "tail-of-output-kept",
        "L08",
        "errors",
        "of long output only the last lines are kept",
        [
            (
                """        return value
    if value is None:""",
                """        return value[-5000:] if isinstance(value, str) else value
    if value is None:""",
            )
        ],
    ),
    Mutant(
        "blocks-as-repr",
        "L08",
        "errors",
        "a list of content blocks goes back as str(list)",
        [
            ("isinstance(value, str) or is_blocks(value)", "isinstance(value, str)"),
            ("json.dumps(value, default=str)", "repr(value)"),
        ],
    ),
    Mutant(
        "blocks-text-only",
        "L08",
        "errors",
        "of a list of content blocks only the text is kept",
        [
            (
                CONTENT,
                """    if is_blocks(value):
        return "".join(block.get("text", "") for block in value)
    if isinstance(value, str):
        return value
""",
            )
        ],
    ),
    Mutant(
        "first-block-only",
        "L08",
        "errors",
        "of a list of content blocks only the first is kept",
        [
            (
                CONTENT,
                """    if is_blocks(value):
        return value[:1]
    if isinstance(value, str):
        return value
""",
            )
        ],
    ),
    Mutant(
        "empty-output-as-ok",
        "L08",
        "errors",
        "an empty str is replaced by the word OK",
        [
            (
                CONTENT,
                """    if value == "":
        return "OK"
    if isinstance(value, str) or is_blocks(value):
        return value
""",
            )
        ],
    ),
    Mutant(
        "picture-emptied",
        "R16",
        "errors",
        "the data of a picture is left out to save tokens",
        [
            (
                CONTENT,
                """    if isinstance(value, str) or is_blocks(value):
        return slim(value)
""",
            ),
            (
                "def is_blocks(value):",
                '''def slim(value):
    """Pictures without their data."""
    if isinstance(value, str):
        return value
    return [
        block | {"source": block["source"] | {"data": ""}}
        if block["type"] == "image"
        else block
        for block in value
    ]


def is_blocks(value):''',
            ),
        ],
    ),
    Mutant(
        "picture-type-misnamed",
        "R20",
        "errors",
        "a PNG is sent as image/jpg",
        [
            (
                CONTENT,
                """    if isinstance(value, str) or is_blocks(value):
        return renamed(value)
""",
            ),
            (
                "def is_blocks(value):",
                '''def renamed(value):
    """Pictures of one kind."""
    if isinstance(value, str):
        return value
    return [
        block | {"source": block["source"] | {"media_type": "image/jpg"}}
        if block["type"] == "image"
        else block
        for block in value
    ]


def is_blocks(value):''',
            ),
        ],
    ),
    Mutant(
        "output-that-says-error-marked",
        "L11",
        "errors",
        "output with the word error in it is taken for a failure",
        [
            (
                'return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}',
                """failed = "error" in str(value).lower()
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value), "is_error": failed}""",
            )
        ],
    ),
    Mutant("dict-as-content", "P16", "resume", "a tool's dict goes back as it is", [(JSON, "return value")]),
    Mutant(
        "number-as-content",
        "P16",
        "resume",
        "a tool's number goes back as it is",
        [(JSON, "return value if isinstance(value, (int, float)) else json.dumps(value)")],
    ),
    Mutant(
        "list-of-anything-as-content",
        "R11",
        "resume",
        "every list is taken for content blocks",
        [
            (
                'isinstance(value, list) and all(isinstance(block, dict) and "type" in block for block in value)',
                "isinstance(value, list)",
            )
        ],
    ),
    Mutant(
        "odd-output-dropped",
        "L08",
        "resume",
        "what is neither str nor blocks becomes an empty result",
        [(JSON, 'return ""')],
    ),
    Mutant(
        "odd-output-crashes", "L17", "resume", "the loop joins strings and gets a dict", [(JSON, 'return "" + value')]
    ),
    Mutant(
        "none-as-error",
        "L11",
        "resume",
        "None is taken for a failure",
        [
            (
                '    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}',
                """    if value is None:
        return error(call, "The tool returned nothing.")
    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}""",
            )
        ],
    ),
    Mutant(
        "keys-of-a-dict-only",
        "L08",
        "resume",
        "of a dict only the keys go back",
        [(JSON, 'return ", ".join(map(str, value)) if isinstance(value, dict) else json.dumps(value)')],
    ),
]
