"""Faults of pairing: what stands where, under which id, in which role."""

from mutants.mutant import Mutant

GIVE = 'messages.append({"role": "user", "content": results})'
DUMP = 'return [block.model_dump(mode="json", exclude_none=True) for block in content]'
KEEP = 'messages.append({"role": "assistant", "content": content})'
RESULT = 'return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}'

MUTANTS = [
    Mutant(
        "never-answered",
        "P01",
        "loop",
        "the tools are run, their results are not sent: the model is asked to go on",
        [(GIVE, 'messages.append({"role": "user", "content": "The tools have been run."})')],
    ),
    Mutant(
        "results-as-text",
        "P01",
        "loop",
        "the outputs go back as a plain user message",
        [(GIVE, 'messages.append({"role": "user", "content": str([result["content"] for result in results])})')],
    ),
    Mutant(
        "results-one-message-late",
        ("P02", "P01"),
        "loop",
        "a message of the loop's own stands between the call and its result",
        [
            (
                GIVE,
                """messages.append({"role": "assistant", "content": "One moment."})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "text-after-the-call",
        ("L04", "P02"),
        "loop",
        "the loop moves a reply's text behind its calls",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return sorted(blocks, key=lambda block: block["type"] == "text")""",
            )
        ],
    ),
    Mutant(
        "note-after-the-call",
        "P02",
        "loop",
        "the loop adds a text block behind the calls of a reply",
        [
            (
                KEEP,
                """note = [{"type": "text", "text": "Running the tools."}] if calls else []
            messages.append({"role": "assistant", "content": content + note})""",
            )
        ],
    ),
    Mutant(
        "text-before-the-results",
        "P03",
        "loop",
        "a text block stands before the results",
        [
            (
                GIVE,
                """results.insert(0, {"type": "text", "text": "Results:"})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "message-before-the-results",
        "P03",
        "loop",
        "a user message of its own stands before the results; the API merges the two",
        [
            (
                GIVE,
                """messages.append({"role": "user", "content": "Results:"})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "result-under-a-number",
        ("R14", "P04", "P01"),
        "loop",
        "results are numbered, in place of their ids",
        [
            (
                GIVE,
                """messages.append(
    {"role": "user", "content": [result | {"tool_use_id": i} for i, result in enumerate(results)]}
)""",
            )
        ],
    ),
    Mutant(
        "result-under-the-message-id",
        ("P04", "P01"),
        "loop",
        "the reply's id is taken for the call's",
        [
            (
                GIVE,
                """messages.append(
    {"role": "user", "content": [result | {"tool_use_id": reply.id} for result in results]}
)""",
            )
        ],
    ),
    Mutant(
        "result-under-the-tool-name",
        ("P04", "P01"),
        "loop",
        "the tool's name is taken for the id",
        [(RESULT, 'return {"type": "tool_result", "tool_use_id": name, "content": as_content(value)}')],
    ),
    Mutant(
        "results-of-all-rounds",
        "P04",
        "loop",
        "each message of results holds those of the earlier rounds too",
        [
            (
                """requests = 0
""",
                """requests = 0
    answered = []
""",
            ),
            (
                GIVE,
                """answered += results
        messages.append({"role": "user", "content": list(answered)})""",
            ),
        ],
    ),
    Mutant(
        "results-without-their-call",
        ("L04", "P04"),
        "loop",
        "the calls are taken out of the reply that is appended",
        [
            (
                KEEP,
                """messages.append({"role": "assistant", "content": [
    block
    for block in content
    if block["type"] != "tool_use"
]
                             or [{"type": "text", "text": "I call a tool."}]})""",
            )
        ],
    ),
    Mutant(
        "result-sent-twice",
        "P05",
        "loop",
        "each result stands twice in the message",
        [(GIVE, 'messages.append({"role": "user", "content": results + results})')],
    ),
    Mutant(
        "same-id-for-every-call",
        ("L04", "P06"),
        "parallel",
        "the loop renames the calls of a reply, all to one id",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    if sum(block["type"] == "tool_use" for block in blocks) < 2:
        return blocks
    return [block | {"id": "call"} if block["type"] == "tool_use" else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "id-with-a-colon",
        ("L04", "P07"),
        "loop",
        "the loop builds ids of its own: name and id, joined with a colon",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [
        block | {"id": f"{block['name']}:{block['id']}"}
        if block["type"] == "tool_use"
        else block
        for block in blocks
    ]""",
            )
        ],
    ),
    Mutant(
        "ids-counted-anew-each-round",
        "L04",
        "loop",
        "call_0, call_1 … in every reply",
        [
            (
                DUMP,
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    numbers = iter(range(len(blocks)))
    return [block | {"id": f"call_{next(numbers)}"} if block["type"] == "tool_use" else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "input-as-json-text",
        ("L04", "P08"),
        "loop",
        "a call's input is kept as a JSON string",
        [
            (
                KEEP,
                """messages.append({"role": "assistant", "content": [
                block | {"input": json.dumps(block["input"])} if block["type"] == "tool_use" else block
                for block in content
            ]})""",
            )
        ],
    ),
    Mutant(
        "results-in-the-assistant-role",
        "P09",
        "loop",
        "results are appended to the assistant's side",
        [(GIVE, 'messages.append({"role": "assistant", "content": results})')],
    ),
    Mutant(
        "result-without-tool-use-id",
        "P10",
        "loop",
        "the id is left out",
        [(RESULT, 'return {"type": "tool_result", "content": as_content(value)}')],
    ),
    Mutant(
        "id-under-another-key",
        ("R15", "P10"),
        "loop",
        "the key is called id",
        [(RESULT, 'return {"type": "tool_result", "id": call["id"], "content": as_content(value)}')],
    ),
    Mutant(
        "result-in-the-tool-role",
        "R07",
        "loop",
        "the OpenAI shape: role tool",
        [(GIVE, 'messages.append({"role": "tool", "content": results})')],
    ),
    Mutant(
        "result-instead-of-a-list",
        "R05",
        "loop",
        "the content is one block, not a list of blocks",
        [(GIVE, 'messages.append({"role": "user", "content": results[0]})')],
    ),
    Mutant(
        "results-in-the-system-role",
        "R09",
        "loop",
        "results are sent with role system",
        [(GIVE, 'messages.append({"role": "system", "content": results})')],
    ),
    Mutant(
        "cache-marks-pile-up",
        "C01",
        "loop",
        "each message gets a cache mark and none is taken away",
        [
            (
                GIVE,
                """results[-1]["cache_control"] = {"type": "ephemeral"}
        messages.append({"role": "user", "content": results})""",
            ),
            (
                KEEP,
                """messages.append({"role": "assistant", "content": content})
            content[-1]["cache_control"] = {"type": "ephemeral"}""",
            ),
            (
                '{"role": "user", "content": task}',
                """{
    "role": "user", "content": [{"type": "text", "text": task, "cache_control": {"type": "ephemeral"}}]
}""",
            ),
        ],
    ),
]
