"""Faults of pairing and of thinking: what stands where, under which id, in which role."""

from mutants.loop import DUMP, GIVE, KEEP, RESULT
from mutants.mutant import Mutant

RESULTS = '{"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}'


def dump(*lines):
    """Replace what becomes of a reply's blocks, in ``as_dicts``."""
    return (DUMP, "\n    ".join((DUMP.replace("return ", "blocks = "), *lines)))


MUTANTS = [
    Mutant("never-answered", "P01", "loop", "the tools are run, their results are not sent: the model is asked to go on",
           [(GIVE, 'messages.append({"role": "user", "content": "The tools have been run."})')]),
    Mutant("results-as-text", "P01", "loop", "the outputs go back as a plain user message",
           [(GIVE, 'messages.append({"role": "user", "content": str([result["content"] for result in results])})')]),
    Mutant("results-one-message-late", "P01", "loop", "a message of the loop's own stands between the call and its result",
           [(GIVE, 'messages.append({"role": "assistant", "content": "One moment."})\n        ' + GIVE)]),
    Mutant("text-after-the-call", "P02", "loop", "the loop moves a reply's text behind its calls",
           [dump('return sorted(blocks, key=lambda block: block["type"] == "text")')]),
    Mutant("note-after-the-call", "P02", "loop", "the loop adds a text block behind the calls of a reply",
           [(KEEP, 'note = [{"type": "text", "text": "Running the tools."}] if calls else []\n'
             '            messages.append({"role": "assistant", "content": content + note})')]),
    Mutant("text-before-the-results", "P03", "loop", "a text block stands before the results",
           [(GIVE, 'results.insert(0, {"type": "text", "text": "Results:"})\n        ' + GIVE)]),
    Mutant("message-before-the-results", "P03", "loop", "a user message of its own stands before the results; the API merges the two",
           [(GIVE, 'messages.append({"role": "user", "content": "Results:"})\n        ' + GIVE)]),
    Mutant("result-under-the-message-id", ("P01", "P04"), "loop", "the reply's id is taken for the call's",
           [(GIVE, 'messages.append({"role": "user", "content": [result | {"tool_use_id": reply.id} for result in results]})')]),
    Mutant("result-under-the-tool-name", ("P01", "P04"), "loop", "the tool's name is taken for the id", [(RESULT, RESULT.replace('call["id"]', "name"))]),
    Mutant("results-of-all-rounds", "P04", "loop", "each message of results holds those of the earlier rounds too",
           [("requests = 0\n", "requests = 0\n    answered = []\n"), (GIVE, "answered += results\n        " + GIVE.replace("results})", "list(answered)})"))]),
    Mutant("results-without-their-call", ("P04", "L04"), "loop", "the calls are taken out of the reply that is appended",
           [(KEEP, 'messages.append({"role": "assistant", "content": [block for block in content if block["type"] != "tool_use"]\n'
             '                             or [{"type": "text", "text": "I call a tool."}]})')]),
    Mutant("result-sent-twice", "P05", "loop", "each result stands twice in the message", [(GIVE, GIVE.replace("results})", "results + results})"))]),
    Mutant("same-id-for-every-call", ("P06", "L04"), "parallel", "the loop renames the calls of a reply, all to one id",
           [dump('return [block | {"id": "call"} if block["type"] == "tool_use" else block for block in blocks]')]),
    Mutant("id-with-a-colon", "P07", "loop", "the loop builds ids of its own: name and id, joined with a colon",
           [dump('return [block | {"id": f"{block[\'name\']}:{block[\'id\']}"} if block["type"] == "tool_use" else block for block in blocks]')]),
    Mutant("ids-counted-anew-each-round", ("L04", "P15"), "loop", "call_0, call_1 … in every reply",
           [dump('numbers = iter(range(len(blocks)))',
                 'return [block | {"id": f"call_{next(numbers)}"} if block["type"] == "tool_use" else block for block in blocks]')]),
    Mutant("input-as-json-text", "P08", "loop", "a call's input is kept as a JSON string",
           [(KEEP, 'messages.append({"role": "assistant", "content": [\n'
             '                block | {"input": json.dumps(block["input"])} if block["type"] == "tool_use" else block for block in content\n'
             "            ]})")]),
    Mutant("results-in-the-assistant-role", ("P09", "P01"), "loop", "results are appended to the assistant's side", [(GIVE, GIVE.replace('"user"', '"assistant"'))]),
    Mutant("result-without-tool-use-id", ("P10", "P01"), "loop", "the key is called id", [(RESULT, RESULT.replace('"tool_use_id"', '"id"'))]),
    Mutant("result-in-the-tool-role", ("R06", "R05", "R04", "R03", "R02", "P01", "P09"), "loop", "the OpenAI shape: role tool", [(GIVE, GIVE.replace('"user"', '"tool"'))]),
    Mutant("result-instead-of-a-list", ("R04", "R03", "R05", "R02", "P01"), "loop", "the content is one block, not a list of blocks",
           [(GIVE, GIVE.replace("results})", "results[0]})"))]),
    Mutant("results-in-the-system-role", ("R01", "R02", "R03", "R07", "R08", "R09", "P01", "P09"), "loop", "results are sent with role system",
           [(GIVE, GIVE.replace('"user"', '"system"'))]),
    Mutant("thinking-dropped", "L25", "pairing", "thinking blocks are taken for noise", [dump('return [block for block in blocks if "thinking" not in block["type"]]')]),
    Mutant("redacted-thinking-dropped", ("T01", "L04", "L25"), "pairing", "thinking stays, redacted thinking goes",
           [dump('return [block for block in blocks if block["type"] != "redacted_thinking"]')]),
    Mutant("silent-thinking-dropped", ("L25", "T01", "L04"), "pairing", "thinking blocks without text are taken for empty ones",
           [dump('return [block for block in blocks if block["type"] != "thinking" or block["thinking"]]')]),
    Mutant("one-thinking-block-kept", ("T01", "L04"), "pairing", "of several thinking blocks only the first is kept",
           [dump('first = next((block for block in blocks if block["type"] == "thinking"), None)',
                 'return [block for block in blocks if block["type"] != "thinking" or block is first]')]),
    Mutant("thinking-reordered", ("T01", "L04"), "pairing", "text comes first, then thinking, then the calls",
           [dump('order = {"text": 0, "tool_use": 2}', 'return sorted(blocks, key=lambda block: order.get(block["type"], 1))')]),
    Mutant("thinking-turned-round", ("T01", "L04"), "pairing", "the thinking blocks of a reply change places",
           [dump('thoughts = [block for block in blocks if "thinking" in block["type"]]',
                 'return [thoughts.pop() if "thinking" in block["type"] else block for block in blocks]')]),
    Mutant("signature-blanked", ("T02", "T03", "T04", "T01", "L04"), "pairing", "the signature is emptied",
           [dump('return [block | {"signature": ""} if block["type"] == "thinking" else block for block in blocks]')]),
    Mutant("signature-left-out", ("T02", "T03", "T01", "L04"), "pairing", "the signature is not dumped",
           [dump('return [{k: v for k, v in block.items() if k != "signature"} for block in blocks]')]),
    Mutant("thinking-stripped", ("T01", "L04"), "pairing", "white space around the thinking is cut off, which changes it",
           [dump('return [block | {"thinking": block["thinking"].strip()} if block["type"] == "thinking" else block for block in blocks]')]),
    Mutant("thinking-shortened", ("T01", "T02", "T03", "L04"), "pairing", "thinking is cut to save tokens",
           [dump('return [block | {"thinking": block["thinking"][:10] + "…"} if block["type"] == "thinking" else block for block in blocks]')]),
    Mutant("thinking-as-text", ("L04", "L25", "T01"), "pairing", "thinking goes back as a text block",
           [dump('return [{"type": "text", "text": block["thinking"] or "(thinking)"} if block["type"] == "thinking" else block for block in blocks]')]),
    Mutant("earlier-thinking-dropped", ("L25", "L04", "L02", "T01"), "pairing", "thinking stays in the newest reply only",
           [(KEEP, "for message in messages[1::2]:\n"
             '                message["content"] = [b for b in message["content"] if "thinking" not in b["type"]]\n            ' + KEEP)]),
    Mutant("signature-of-the-reply-before", ("T02", "T03", "T01", "L04"), "pairing", "every thinking block gets the first one's signature",
           [("requests = 0\n", "requests = 0\n    signed = []\n"),
            (KEEP, 'signed += [block["signature"] for block in content if block["type"] == "thinking"]\n'
             '            content = [block | {"signature": signed[0]} if block["type"] == "thinking" else block for block in content]\n            ' + KEEP)]),
    Mutant("cache-marks-pile-up", "C01", "loop", "each message gets a cache mark and none is taken away",
           [(GIVE, 'results[-1]["cache_control"] = {"type": "ephemeral"}\n        ' + GIVE),
            (KEEP, KEEP + '\n            content[-1]["cache_control"] = {"type": "ephemeral"}'),
            ('{"role": "user", "content": task}', '{"role": "user", "content": [{"type": "text", "text": task, "cache_control": {"type": "ephemeral"}}]}')]),
]
