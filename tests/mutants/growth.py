"""Faults in how the history grows: what is kept of a reply, and what is added that nobody asked for."""

from mutants.mutant import Mutant

KEEP = 'messages.append({"role": "assistant", "content": content})'
GIVE = 'messages.append({"role": "user", "content": results})'

MUTANTS = [
    Mutant(
        "reply-appended-as-text",
        ("L04", "P04"),
        "loop",
        "only the text of a reply goes into the history",
        [
            (KEEP, 'messages.append({"role": "assistant", "content": text_of(content)})'),
            (
                "def blank(block):",
                """def text_of(content):
    return "".join(block.get("text", "") for block in content) or "(calling a tool)"


def blank(block):""",
            ),
        ],
    ),
    Mutant(
        "text-of-reply-dropped",
        "L04",
        "loop",
        "of a reply that calls tools only the calls are kept",
        [(KEEP, 'messages.append({"role": "assistant", "content": calls or content})')],
    ),
    Mutant(
        "text-of-reply-stripped",
        "L04",
        "pairing",
        "text is tidied up before it is appended",
        [
            (
                'return [block.model_dump(mode="json", exclude_none=True) for block in content]',
                """blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]
    return [block | {"text": block["text"].strip()} if "text" in block else block for block in blocks]""",
            )
        ],
    ),
    Mutant(
        "calls-appended-twice",
        "P06",
        "loop",
        "the calls of a reply are appended once with it and once more by themselves",
        [(KEEP, 'messages.append({"role": "assistant", "content": content + calls})')],
    ),
    Mutant(
        "whole-message-appended",
        "R06",
        "loop",
        "the reply's id, usage and so on go into the history too",
        [(KEEP, 'messages.append(reply.model_dump(mode="json", exclude_none=True))')],
    ),
    Mutant(
        "input-normalised-in-history",
        "L04",
        "loop",
        "a call's input is rewritten before it is appended",
        [
            (
                KEEP,
                """messages.append({"role": "assistant", "content": [
                block | {"input": {name: str(value).lower() for name, value in block["input"].items()}}
                if block in calls else block
                for block in content
            ]})""",
            )
        ],
    ),
    Mutant(
        "input-popped",
        "L04",
        "loop",
        "running a call takes the arguments out of the history",
        [
            (
                'outcomes.put(("returned", function(**arguments)))',
                """taken = {name: arguments.pop(name) for name in list(arguments)}
            outcomes.put(("returned", function(**taken)))""",
            )
        ],
    ),
    Mutant(
        "reminder-after-each-round",
        "L22",
        "loop",
        "a user message of the loop's own follows the results",
        [
            (
                GIVE,
                """messages.append({"role": "user", "content": results})
        messages.append({"role": "user", "content": "Go on with the task."})""",
            )
        ],
    ),
    Mutant(
        "reminder-in-the-results",
        "L22",
        "loop",
        "a text block of the loop's own follows the results",
        [
            (
                GIVE,
                """results.append({"type": "text", "text": "Here are the results."})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "echo-of-the-assistant",
        ("L04", "L22"),
        "loop",
        "the loop adds a line to what the model said",
        [
            (
                KEEP,
                """messages.append({"role": "assistant", "content": [{"type": "text", "text": "Let me see."}]})
            messages.append({"role": "assistant", "content": content})""",
            )
        ],
    ),
    Mutant(
        "task-repeated-each-round",
        "L22",
        "loop",
        "the task is sent again with every round of results",
        [
            (
                GIVE,
                """messages.append({"role": "user", "content": results})
        messages.append({"role": "user", "content": task})""",
            )
        ],
    ),
    Mutant(
        "outputs-as-bare-strings",
        "R11",
        "loop",
        "the outputs stand in the content as strings, not as blocks",
        [(GIVE, 'messages.append({"role": "user", "content": [result["content"] for result in results]})')],
    ),
    Mutant(
        "foreign-result-block",
        "R12",
        "loop",
        "function_call_output, as another API has it",
        [
            (
                GIVE,
                """messages.append({"role": "user", "content": [
            {"type": "function_call_output", "call_id": result["tool_use_id"], "output": result["content"]}
            for result in results
        ]})""",
            )
        ],
    ),
    Mutant(
        "call-without-its-id",
        "R13",
        "loop",
        "a call is rebuilt from its name and input, without the id",
        [
            (
                KEEP,
                """messages.append({"role": "assistant", "content": [
                {k: v for k, v in block.items() if k != "id"} if block in calls else block for block in content
            ]})""",
            )
        ],
    ),
    Mutant(
        "marked-empty-text",
        ("C02", "E02"),
        "loop",
        "a cache mark on an empty text block",
        [
            (
                GIVE,
                """results.append({"type": "text", "text": "", "cache_control": {"type": "ephemeral"}})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "empty-text-beside-the-results",
        "E02",
        "loop",
        "an empty text block goes with the results",
        [
            (
                GIVE,
                """results.append({"type": "text", "text": ""})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "blank-text-beside-the-results",
        "E03",
        "loop",
        "a line break goes with the results",
        [
            (
                GIVE,
                r"""results.append({"type": "text", "text": "\n"})
        messages.append({"role": "user", "content": results})""",
            )
        ],
    ),
    Mutant(
        "empty-user-message-to-go-on",
        "E01",
        "loop",
        "an empty message asks the model to go on",
        [
            (
                'return "done", messages',
                """messages.append({"role": "user", "content": ""})
            ask(client, messages, tools)
            return "done", messages""",
            )
        ],
    ),
]
