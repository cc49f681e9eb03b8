"""Faults in what is made of stop_reason and content."""

from mutants.loop import DONE, GIVE, KEEP
from mutants.mutant import Mutant

STOPPED = "        if reply.stop_reason not in GOES_ON:\n"
STATUS = "return reply.stop_reason, messages"
GOES_ON = 'GOES_ON = ("tool_use", "end_turn", "pause_turn")'
PAUSE = '        if reply.stop_reason == "pause_turn" and not calls:\n            continue\n'
SENDABLE = "if sendable(content):"
CLOSE = 'close(messages, calls, f"The reply stopped with {reply.stop_reason}.")'


def means_done(*reasons):
    """These stop reasons end the run with ``done``."""
    return (STATUS, f'return ("done" if reply.stop_reason in {reasons!r} else reply.stop_reason), messages')


MUTANTS = [
    Mutant("truncated-call-run", ("L20",), "stop_reasons", "max_tokens is not looked at: a cut call is run", [(GOES_ON, GOES_ON[:-1] + ', "max_tokens")')]),
    Mutant("only-content-looked-at", ("L20",), "stop_reasons", "whatever the stop_reason, calls are run",
           [(STOPPED, "        if reply.stop_reason not in GOES_ON and not calls:\n")]),
    Mutant("only-max-tokens-known", ("L20", "L15"), "stop_reasons", "every stop but max_tokens counts as a good one",
           [(STOPPED, '        if reply.stop_reason == "max_tokens":\n')]),
    Mutant("refused-call-run", "L20", "stop_reasons", "the calls of a refusal are run", [(GOES_ON, GOES_ON[:-1] + ', "refusal")'),
           (DONE, 'return ("refusal" if reply.stop_reason == "refusal" else "done"), messages')]),
    Mutant("max-tokens-is-done", "L15", "stop_reasons", "a cut answer is reported as done", [means_done("max_tokens")]),
    Mutant("refusal-is-done", "L15", "stop_reasons", "a refusal is reported as done", [means_done("refusal")]),
    Mutant("stop-sequence-is-done", "L15", "stop_reasons", "a stop sequence is reported as done", [means_done("stop_sequence")]),
    Mutant("full-window-is-done", "L15", "stop_reasons", "a full context window is reported as done", [means_done("model_context_window_exceeded")]),
    Mutant("every-stop-is-max-tokens", "L15", "stop_reasons", "every early stop is reported as max_tokens", [(STATUS, 'return "max_tokens", messages')]),
    Mutant("unknown-stop-is-done", "L15", "stop_reasons", "a stop_reason that the loop does not know is reported as done",
           [(STATUS, 'known = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")\n'
             '            return (reply.stop_reason if reply.stop_reason in known else "done"), messages')]),
    Mutant("unknown-stop-raises", "L17", "stop_reasons", "a stop_reason that the loop does not know raises",
           [(STATUS, 'known = ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded")\n'
             '            return {name: name for name in known}[reply.stop_reason], messages')]),
    Mutant("unknown-stop-goes-on", ("L14", "L20", "E04", "L15"), "stop_reasons", "an unknown stop_reason is treated like tool_use",
           [(STOPPED, '        if reply.stop_reason in ("max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded"):\n')]),
    Mutant("classic-while-tool-use", ("L15", "L21", "L13"), "stop_reasons", "while stop_reason == tool_use; after it everything is done",
           [(STOPPED, '        if reply.stop_reason != "tool_use":\n'), (STATUS, DONE)]),
    Mutant("asks-to-continue-after-max-tokens", ("L14", "L22"), "stop_reasons", "a cut reply is kept and the model is asked to go on from there",
           [(STOPPED, '        if reply.stop_reason == "max_tokens" and not calls:\n'
             '            messages.append({"role": "user", "content": "Continue where you stopped."})\n            continue\n' + STOPPED)]),
    Mutant("prefills-after-max-tokens", ("L14", "E04"), "stop_reasons", "a cut reply is sent again as a prefill",
           [(STOPPED, '        if reply.stop_reason == "max_tokens" and not calls:\n            continue\n' + STOPPED)]),
    Mutant("refusal-tried-again", ("L14",), "stop_reasons", "a refused request is sent again",
           [("        requests += 1\n", '        if reply.stop_reason == "refusal":\n            reply = ask(client, messages, tools)\n        requests += 1\n')]),
    Mutant("full-window-trimmed", ("L14", "L02"), "stop_reasons", "when the window is full, the oldest round is dropped and the rest sent again",
           [("        requests += 1\n", '        if reply.stop_reason == "model_context_window_exceeded":\n            del messages[1:3]\n'
             "            reply = ask(client, messages, tools)\n        requests += 1\n")]),
    Mutant("stop-raises", "L17", "stop_reasons", "an early stop raises an exception", [(STATUS, 'raise RuntimeError(f"stopped: {reply.stop_reason}")')]),
    Mutant("pause-is-done", ("L21", "L13"), "stop_reasons", "pause_turn is taken for the end", [(PAUSE, "")]),
    Mutant("pause-is-a-stop", ("L21", "L13", "L15"), "stop_reasons", "pause_turn ends the run with that word",
           [(GOES_ON, 'GOES_ON = ("tool_use", "end_turn")')]),
    Mutant("pause-answered-with-continue", ("L21", "L22"), "stop_reasons", "a user message follows the paused turn",
           [(PAUSE, PAUSE.replace("continue\n", 'messages.append({"role": "user", "content": "Please continue."})\n            continue\n'))]),
    Mutant("paused-reply-not-appended", ("L21", "L03"), "stop_reasons", "after a pause the old history is sent again",
           [(SENDABLE, 'if sendable(content) and reply.stop_reason != "pause_turn":')]),
    Mutant("paused-reply-replaced", ("L02", "L21", "L04"), "stop_reasons", "the continuation takes the place of the paused reply",
           [(SENDABLE, 'if paused and messages[-1]["role"] == "assistant":\n            messages.pop()\n        paused = reply.stop_reason == "pause_turn"\n        if sendable(content):'),
            ("requests = 0\n", "requests = 0\n    paused = False\n")]),
    Mutant("paused-calls-not-run", ("P01", "L21", "L05"), "stop_reasons", "the calls of a paused reply are not looked at",
           [(PAUSE, '        if reply.stop_reason == "pause_turn":\n            continue\n')]),
    Mutant("server-calls-answered", ("P04", "P01", "L21", "L22"), "stop_reasons", "a call that the API runs itself is answered by the loop",
           [('calls = [block for block in content if block["type"] == "tool_use"]', 'calls = [block for block in content if block["type"] in ("tool_use", "server_tool_use")]')]),
    Mutant("server-blocks-dropped", ("L04", "L21"), "stop_reasons", "only text, thinking and tool_use are appended",
           [(KEEP, 'kept = [block for block in content if block["type"] in ("text", "thinking", "redacted_thinking", "tool_use")]\n'
             '            messages.append({"role": "assistant", "content": kept or content})')]),
    Mutant("empty-answer-appended", ("L16", "E01"), "stop_reasons", "an empty reply goes into the history", [(SENDABLE, "if True:")]),
    Mutant("empty-answer-crashes", "L17", "stop_reasons", "content[0] of an empty reply", [(DONE, "print(content[0]['type'], end='')\n            " + DONE)]),
    Mutant("empty-answer-filled-in", ("L16", "L22", "L04"), "stop_reasons", "an empty reply is replaced by words of the loop's own",
           [(SENDABLE, 'content = content or [{"type": "text", "text": "(no answer)"}]\n        if sendable(content):')]),
    Mutant("empty-answer-asked-again", ("L14",), "stop_reasons", "an empty reply makes the loop ask again",
           [(DONE, "if not content:\n                continue\n            " + DONE)]),
    Mutant("empty-results-sent", "E01", "stop_reasons", "a tool_use stop without a call: an empty user message is sent",
           [("        if not calls:\n            return", '        if not calls and reply.stop_reason != "tool_use":\n            return')]),
    Mutant("tool-use-without-call-sent-again", ("L14", "E04"), "stop_reasons", "a tool_use stop without a call: the same is asked again",
           [("        if not calls:\n            return", '        if not calls and reply.stop_reason == "tool_use":\n            continue\n        if not calls:\n            return')]),
    Mutant("tool-use-without-call-crashes", "L17", "stop_reasons", "a tool_use stop without a call: the first call is looked for in vain",
           [("        if not calls:\n            return", '        if reply.stop_reason == "tool_use":\n            calls[0]\n        if not calls:\n            return')]),
    Mutant("end-turn-call-run-and-dropped", ("L13", "L14", "L16"), "stop_reasons", "a call that comes with end_turn is run, its result is never sent",
           [(GIVE, GIVE + '\n        if reply.stop_reason == "end_turn":\n            ' + DONE)]),
    Mutant("end-turn-call-made-up", ("L05", "L08"), "stop_reasons", "a call that comes with end_turn gets an empty result, no error",
           [("        asked.update(", '        if reply.stop_reason == "end_turn":\n'
             '            messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": c["id"], "content": "done"} for c in calls]})\n'
             "            continue\n        asked.update(")]),
]
