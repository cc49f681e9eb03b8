"""Faults that show when the returned history is to be continued."""

from mutants.loop import GIVE, RUN
from mutants.mutant import Mutant

CLOSE_STOPPED = '            close(messages, calls, f"The reply stopped with {reply.stop_reason}.")\n'
CLOSE_REPEATED = '            close(messages, calls, "A call was repeated too often.")\n'
ENDED = "        if not calls:\n            return \"done\", messages\n"
SENDABLE = "if sendable(content):"
JSON = "return json.dumps(value, default=str)"
GATES = ("if requests >= max_turns", "if used >= token_budget", "if time.monotonic() - started >= timeout_s")


def unrun_at(condition):
    """Before a gate: the last reply's calls are neither run nor answered."""
    return (RUN, f"if {condition}:\n            continue\n        {RUN}")


MUTANTS = [
    Mutant("open-after-a-stop", "N01", "resume", "the calls of a truncated or refused reply stay open", [(CLOSE_STOPPED, "")]),
    Mutant("open-after-a-repeat", "N01", "resume", "the calls of the last reply stay open when one is repeated", [(CLOSE_REPEATED, "")]),
    Mutant("only-the-repeat-closed", "N01", "resume", "the repeated call is answered, its siblings stay open",
           [(CLOSE_REPEATED, CLOSE_REPEATED.replace("calls,", "[call for call in calls if asked[key(call)] >= max_repeats],"))]),
    Mutant("open-at-the-turn-limit", "N01", "resume", "the calls of the last allowed reply stay open", [unrun_at("requests >= max_turns")]),
    Mutant("open-at-the-budget", "N01", "resume", "the calls of the reply that crosses the budget stay open", [unrun_at("used >= token_budget")]),
    Mutant("open-at-the-deadline", "N01", "resume", "the calls of the reply that comes too late stay open", [unrun_at("time.monotonic() - started >= timeout_s")]),
    Mutant("open-after-end-turn", "N01", "resume", "a call that comes with end_turn stays open",
           [(ENDED, '        if not calls or reply.stop_reason == "end_turn":\n            return "done", messages\n')]),
    Mutant("first-open-call-closed-only", "N01", "resume", "of several open calls the first is answered",
           [("for call in calls]})\n\n\ndef error", "for call in calls[:1]]})\n\n\ndef error")]),
    Mutant("closed-without-a-mark", "L10", "resume", "calls that were not run are answered without is_error",
           [('[error(call, f"This call was not run. {why}") for call in calls]', '[error(call, f"This call was not run. {why}") | {"is_error": False} for call in calls]')]),
    Mutant("closed-with-nothing", ("N02", "P12"), "resume", "calls that were not run are answered with empty error results", [('f"This call was not run. {why}"', '""')]),
    Mutant("closed-with-made-up-results", ("L05", "L10"), "resume", "calls that were not run are answered as if they had been",
           [('[error(call, f"This call was not run. {why}") for call in calls]', '[{"type": "tool_result", "tool_use_id": call["id"], "content": "OK"} for call in calls]')]),
    Mutant("closed-twice", ("N02", "P05", "P13"), "resume", "each open call gets two results", [(CLOSE_REPEATED, CLOSE_REPEATED + CLOSE_REPEATED), (CLOSE_STOPPED, CLOSE_STOPPED + CLOSE_STOPPED)]),
    Mutant("closed-one-message-each", "P13", "resume", "each open call is answered in a message of its own",
           [('        messages.append({"role": "user", "content": [error(call, f"This call was not run. {why}") for call in calls]})',
             '        messages.extend({"role": "user", "content": [error(call, f"This call was not run. {why}")]} for call in calls)')]),
    Mutant("closed-as-assistant", ("N02", "N01", "P09", "P01"), "resume", "the answers to open calls stand in an assistant message",
           [('    if calls:\n        messages.append({"role": "user"', '    if calls:\n        messages.append({"role": "assistant"')]),
    Mutant("closed-though-left-out", ("N02", "P04"), "resume", "a stopped reply is left out, yet its calls are answered",
           [(SENDABLE, "if sendable(content) and reply.stop_reason in GOES_ON:")]),
    Mutant("closed-with-a-note-first", ("N02", "P03", "N01", "L22", "L16"), "resume", "a text block stands before the answers to the open calls",
           [('"content": [error(call, f"This call was not run. {why}") for call in calls]})', '"content": [{"type": "text", "text": why}] + [error(call, f"This call was not run. {why}") for call in calls]})')]),
    Mutant("stopped-reply-half-kept", ("N01", "L16", "L04", "N02", "P04"), "resume", "of a stopped reply the text is kept, the calls are not, their answers are",
           [("            messages.append({\"role\": \"assistant\", \"content\": content})",
             "            kept = content if reply.stop_reason in GOES_ON else [b for b in content if b['type'] != 'tool_use']\n"
             "            messages.append({\"role\": \"assistant\", \"content\": kept or content})")]),
    Mutant("thinking-only-reply-appended", ("N02", "L16", "T05", "T06", "T04"), "resume", "a reply that was cut while thinking goes into the history",
           [(SENDABLE, "if content:")]),
    Mutant("dict-as-content", "P16", "resume", "a tool's dict goes back as it is", [(JSON, "return value")]),
    Mutant("number-as-content", ("P16",), "resume", "a tool's number goes back as it is", [(JSON, "return value if isinstance(value, (int, float)) else json.dumps(value)")]),
    Mutant("list-of-anything-as-content", ("P16", "R05"), "resume", "every list is taken for content blocks", [("isinstance(value, list) and all(isinstance(block, dict) and \"type\" in block for block in value)", "isinstance(value, list)")]),
    Mutant("odd-output-dropped", "L08", "resume", "what is neither str nor blocks becomes an empty result", [(JSON, 'return ""')]),
    Mutant("odd-output-crashes", ("L17", "L26"), "resume", "the loop joins strings and gets a dict", [(JSON, 'return "" + value')]),
    Mutant("none-as-error", "L11", "resume", "None is taken for a failure",
           [('    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}',
             '    if value is None:\n        return error(call, "The tool returned nothing.")\n'
             '    return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}')]),
    Mutant("keys-of-a-dict-only", "L08", "resume", "of a dict only the keys go back", [(JSON, 'return ", ".join(map(str, value)) if isinstance(value, dict) else json.dumps(value)')]),
    Mutant("resume-note-appended", ("L16", "L22"), "resume", "a note for whoever continues goes into the history",
           [(CLOSE_REPEATED, CLOSE_REPEATED + '            messages.append({"role": "user", "content": "Please try something else."})\n')]),
]
