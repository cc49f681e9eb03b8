"""Faults of the bare loop: what is sent, what is run, when it stops, what is returned."""

from mutants.mutant import Mutant

ASK = "reply = ask(client, messages, tools)"
START = 'messages = [{"role": "user", "content": task}]'
KEEP = 'messages.append({"role": "assistant", "content": content})'
GIVE = 'messages.append({"role": "user", "content": results})'
DONE = 'return "done", messages'
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"
CREATE = "return client.messages.create(model=MODEL, max_tokens=2000, tools=tools, messages=messages)"
CALL = 'outcomes.put(("returned", function(**arguments)))'
RESULT = 'return {"type": "tool_result", "tool_use_id": call["id"], "content": as_content(value)}'
DUMP = 'return [block.model_dump(mode="json", exclude_none=True) for block in content]'


def on_success(new):
    return (RESULT, new)


MUTANTS = [
    Mutant("only-last-message-sent", ("P04", "L02"), "loop", "each request holds the newest message only",
           [(ASK, "reply = ask(client, messages[-1:], tools)")]),
    Mutant("only-task-and-last-round-sent", "L02", "loop", "the rounds between the task and the newest one are left out",
           [(ASK, "reply = ask(client, messages[:1] + messages[1:][-2:], tools)")]),
    Mutant("newest-messages-only", "L02", "loop", "a window of three messages: the task falls out",
           [(ASK, "reply = ask(client, messages[-3:], tools)")]),
    Mutant("task-not-sent", "L01", "loop", "the first message is the loop's own",
           [(START, 'messages = [{"role": "user", "content": "Please help me with my task."}]')]),
    Mutant("task-in-system-prompt", "L01", "loop", "the task stands in the system prompt, not in the first user message",
           [(START, 'messages = [{"role": "user", "content": "Begin."}]'),
            (ASK, "reply = ask(client, messages, tools, task)"),
            ("def ask(client, messages, tools):", "def ask(client, messages, tools, task):"),
            ("model=MODEL, max_tokens=2000, tools", "model=MODEL, system=task, max_tokens=2000, tools")]),
    Mutant("task-reworded", ("L01", "L22"), "loop", "the task is cut to its first words",
           [(START, 'messages = [{"role": "user", "content": " ".join(task.split()[:3])}]')]),
    Mutant("reply-not-appended", ("L03", "P04"), "loop", "results are appended, the reply they answer is not",
           [(KEEP, "pass")]),
    Mutant("reply-appended-as-text", ("P04", "L04", "L03"), "loop", "only the text of a reply goes into the history",
           [(KEEP, 'messages.append({"role": "assistant", "content": text_of(content)})'),
            ("def blank(block):", "def text_of(content):\n"
             '    return "".join(block.get("text", "") for block in content) or "(calling a tool)"\n\n\ndef blank(block):')]),
    Mutant("text-of-reply-dropped", "L04", "loop", "of a reply that calls tools only the calls are kept",
           [(KEEP, 'messages.append({"role": "assistant", "content": calls or content})')]),
    Mutant("text-of-reply-stripped", "L04", "loop", "text is tidied up before it is appended",
           [(DUMP, "blocks = [block.model_dump(mode=\"json\", exclude_none=True) for block in content]\n"
             '    return [block | {"text": block["text"].strip()} if "text" in block else block for block in blocks]')]),
    Mutant("reply-appended-twice", ("P06", "L22", "P01"), "loop", "the reply is appended before and after the calls are looked for",
           [(KEEP, KEEP + "\n            " + KEEP)]),
    Mutant("whole-message-appended", ("R10", "R08", "R07", "R05", "R06"), "loop", "the reply's id, usage and so on go into the history too",
           [(KEEP, 'messages.append(reply.model_dump(mode="json", exclude_none=True))')]),
    Mutant("input-normalised-in-history", "L04", "loop", "a call's input is rewritten before it is appended",
           [(DUMP, 'blocks = [block.model_dump(mode="json", exclude_none=True) for block in content]\n'
             '    return [block | {"input": {name: str(value).lower() for name, value in block["input"].items()}}\n'
             '            if block["type"] == "tool_use" else block for block in blocks]'),
            ("arguments = call[\"name\"], call[\"input\"]", 'arguments = call["name"], call["input"]')]),
    Mutant("input-popped", "L04", "loop", "running a call takes the arguments out of the history",
           [(CALL, 'taken = {name: arguments.pop(name) for name in list(arguments)}\n'
             '            outcomes.put(("returned", function(**taken)))')]),
    Mutant("made-up-result", "L05", "loop", "no tool is run; the result says that all is well",
           [(CALL, 'outcomes.put(("returned", "OK"))')]),
    Mutant("cached-result", ("L05", "L08"), "loop", "a call with the same input gets the earlier output",
           [("asked = Counter()", "asked = Counter()\n    cache = {}"),
            (RUN, "results = []\n"
             "        for call in calls:\n"
             "            if key(call) not in cache:\n"
             "                cache[key(call)] = answer(call, functions, tool_timeout_s)\n"
             '            results.append(cache[key(call)] | {"tool_use_id": call["id"]})')]),
    Mutant("run-twice-for-the-log", "L06", "loop", "the tool is run once for a log line and once for the result",
           [(CALL, 'log = f"{function(**arguments)}"\n            ' + CALL)]),
    Mutant("run-ahead", ("L06", "L07"), "loop", "each call is checked by running it before it is run",
           [("    outcome, value = in_time(function, arguments, tool_timeout_s)\n",
             "    in_time(function, arguments, tool_timeout_s)\n"
             "    outcome, value = in_time(function, arguments, tool_timeout_s)\n")]),
    Mutant("input-lowercased", "L07", "loop", "the tool gets another spelling than the model wrote",
           [(CALL, 'outcomes.put(("returned", function(**{k: v.lower() if isinstance(v, str) else v for k, v in arguments.items()})))')]),
    Mutant("input-as-text", "L07", "loop", "every argument is turned into a str",
           [(CALL, 'outcomes.put(("returned", function(**{k: str(v) for k, v in arguments.items()})))')]),
    Mutant("falsy-arguments-dropped", "L07", "loop", "0, false and empty arguments never reach the tool",
           [(CALL, 'outcomes.put(("returned", function(**{k: v for k, v in arguments.items() if v})))')]),
    Mutant("first-functions-only", ("L07", "L05"), "loop", "whatever is asked for, the first function is run",
           [("    function = functions[name]\n", "    function = next(iter(functions.values()))\n")]),
    Mutant("result-cut-short", "L08", "loop", "the output is cut after a dozen characters",
           [on_success(RESULT.replace("as_content(value)", "as_content(value)[:12]"))]),
    Mutant("result-stripped", "L08", "loop", "white space around the output is cut off",
           [("        return value\n    if value is None:", "        return value.strip() if isinstance(value, str) else value\n    if value is None:")]),
    Mutant("result-in-quotes", "L08", "loop", "a str is dumped as JSON again",
           [("if isinstance(value, str) or is_blocks(value):", "if is_blocks(value):")]),
    Mutant("result-dressed-up", "L08", "loop", "the loop puts words of its own around the output",
           [on_success(RESULT.replace("as_content(value)", 'f"The tool said: {as_content(value)}"'))]),
    Mutant("result-of-the-first-round", ("L08", "L05"), "loop", "the first output is sent again in every later round",
           [("requests = 0\n", "requests = 0\n    first = []\n"),
            (GIVE, "first = first or [result['content'] for result in results]\n"
             '        results = [result | {"content": old} for result, old in zip(results, first + [r["content"] for r in results[1:]])]\n'
             "        " + GIVE)]),
    Mutant("stops-after-one-round", "L13", "loop", "one round of tools, and out",
           [(GIVE, GIVE + "\n        " + DONE)]),
    Mutant("stops-after-the-first-results-are-read", "L13", "loop", "two requests, whatever the second reply asks for",
           [(GIVE, "if requests == 2:\n            " + DONE + "\n        " + GIVE)]),
    Mutant("text-means-done", "L13", "loop", "a reply with text is taken for the answer, though it calls a tool",
           [("        if not calls:\n            return", '        if not calls or any(block["type"] == "text" for block in content):\n            return')]),
    Mutant("goes-on-after-the-end", ("L14", "L22"), "loop", "after the answer the model is asked to go on",
           [(DONE, 'messages.append({"role": "user", "content": "Continue."})\n            continue')]),
    Mutant("asks-once-more", ("L14", "E04"), "loop", "the finished history is sent again to be sure",
           [(DONE, "ask(client, messages, tools)\n            " + DONE)]),
    Mutant("status-is-the-stop-reason", "L15", "loop", "returns end_turn where the contract says done", [(DONE, "return reply.stop_reason, messages")]),
    Mutant("status-success", "L15", "loop", "a word of the loop's own", [(DONE, 'return "success", messages')]),
    Mutant("last-reply-missing", "L16", "loop", "the answer is not in the returned history", [(DONE, 'return "done", messages[:-1]')]),
    Mutant("returns-the-task-only", "L16", "loop", "the returned history is the first message", [(DONE, 'return "done", messages[:1]')]),
    Mutant("returns-the-last-message-only", "L16", "loop", "the returned history is the answer alone", [(DONE, 'return "done", messages[-1:]')]),
    Mutant("returns-text", "L24", "loop", "returns the answer's text", [(DONE, 'return "".join(block.get("text", "") for block in content)')]),
    Mutant("returns-messages-only", "L24", "loop", "no status", [(DONE, "return messages")]),
    Mutant("returns-them-swapped", "L24", "loop", "(messages, status)", [(DONE, 'return messages, "done"')]),
    Mutant("returns-nothing", "L24", "loop", "leaves the loop and forgets to return", [(DONE, "return")]),
    Mutant("returns-a-dict", "L24", "loop", "a dict with the right values", [(DONE, 'return {"status": "done", "messages": messages}')]),
    Mutant("first-block-is-the-call", ("L17", "L26"), "loop", "takes content[0] for the call; there is text before it",
           [('calls = [block for block in content if block["type"] == "tool_use"]',
             'calls = [content[0]] if reply.stop_reason == "tool_use" else []')]),
    Mutant("answer-is-the-first-block", "L17", "pairing", "prints content[0].text of the answer; thinking stands before it",
           [(DONE, "print(reply.content[0].text, end='')\n            " + DONE)]),
    Mutant("waits-for-ever", "L18", "loop", "polls a flag that nobody sets", [(DONE, "while not messages[0].get('finished'):\n                time.sleep(0.01)")]),
    Mutant("tools-only-in-the-first-request", "L19", "loop", "later requests carry no tools",
           [(ASK, "reply = ask(client, messages, tools if requests == 0 else [])")]),
    Mutant("only-used-tools-sent", "L19", "loop", "after a round the tools that were not called are left out",
           [(ASK, "reply = ask(client, messages, [tool for tool in tools if not asked or any(tool['name'] == name for name, _ in asked)])")]),
    Mutant("tools-changed-in-place", "L19", "loop", "descriptions are taken out of the caller's list",
           [(START, START + "\n    for tool in tools:\n        tool.pop('description', None)")]),
    Mutant("tool-added-to-the-callers-list", "L19", "loop", "a tool of the loop's own goes into the caller's list",
           [(START, START + "\n    tools.append({'name': 'finish', 'description': 'Ends the work.', 'input_schema': {'type': 'object'}})")]),
    Mutant("functions-changed-in-place", "L19", "loop", "a helper is put into the caller's dict",
           [(START, START + "\n    functions.setdefault('finish', lambda: 'finished')")]),
    Mutant("history-of-the-run-before", "L23", "loop", "a mutable default keeps the history for the next run",
           [("    max_repeats=3,\n):", "    max_repeats=3,\n    messages=[],\n):"), (START, 'messages.append({"role": "user", "content": task})')]),
    Mutant("remembers-answers-of-the-run-before", ("L23", "L05", "L08"), "loop", "outputs are cached in the module",
           [("GOES_ON =", "CACHE = {}\nGOES_ON ="),
            (RUN, "results = []\n"
             "        for number, call in enumerate(calls):\n"
             "            place = requests, number, key(call)\n"
             "            if place not in CACHE:\n"
             "                CACHE[place] = answer(call, functions, tool_timeout_s)\n"
             '            results.append(CACHE[place] | {"tool_use_id": call["id"]})')]),
    Mutant("reminder-after-each-round", "L22", "loop", "a user message of the loop's own follows the results",
           [(GIVE, GIVE + '\n        messages.append({"role": "user", "content": "Go on with the task."})')]),
    Mutant("reminder-in-the-results", ("L22", "P14"), "loop", "a text block of the loop's own follows the results",
           [(GIVE, 'results.append({"type": "text", "text": "Here are the results."})\n        ' + GIVE)]),
    Mutant("echo-of-the-assistant", ("L22", "L04", "P02"), "loop", "the loop adds a line to what the model said",
           [(KEEP, 'messages.append({"role": "assistant", "content": [{"type": "text", "text": "Let me see."}]})\n            ' + KEEP)]),
    Mutant("task-repeated-each-round", ("L22", "P14"), "loop", "the task is sent again with every round of results",
           [(GIVE, GIVE + '\n        messages.append({"role": "user", "content": task})')]),
    Mutant("empty-text-beside-the-results", "E02", "loop", "an empty text block goes with the results",
           [(GIVE, 'results.append({"type": "text", "text": ""})\n        ' + GIVE)]),
    Mutant("blank-text-beside-the-results", "E03", "loop", "a line break goes with the results",
           [(GIVE, 'results.append({"type": "text", "text": "\\n"})\n        ' + GIVE)]),
    Mutant("empty-user-message-to-go-on", "E01", "loop", "an empty message asks the model to go on",
           [(DONE, 'messages.append({"role": "user", "content": ""})\n            ask(client, messages, tools)\n            ' + DONE)]),
]
