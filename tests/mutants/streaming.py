"""Faults of a loop that streams."""

from functools import partial

from mutants.mutant import Mutant as AnyMutant

Mutant = partial(AnyMutant, base="reference_stream.py")

FRAGMENT = "self.fragments.setdefault(index, []).append(delta.partial_json)"
JOIN = 'written = "".join(self.fragments.get(index, []))'
EMPTY = "        if not written:\n            return\n"
PARSE = '        try:\n            block["input"] = json.loads(written)\n        except ValueError:\n            block["input"] = {}\n'
CAUGHT = "except (anthropic.APIError, httpx2.HTTPError, StreamBroke):"
WHOLE = "    if not reply.complete:\n        raise StreamBroke\n"
COUNT = "self.usage.update(usage.model_dump(mode=\"json\", exclude_none=True))"

MUTANTS = [
    Mutant("deltas-of-all-calls-joined", ("L17", "L07", "L04"), "parallel", "one buffer for the JSON of all calls",
           [("self.fragments.setdefault(index, [])", 'self.fragments.setdefault("all", [])'), ("self.fragments.get(index, [])", 'self.fragments.get("all", [])')]),
    Mutant("each-fragment-parsed", "L17", "loop", "each piece of JSON is parsed on its own", [(FRAGMENT, 'block["input"] |= json.loads(delta.partial_json)')]),
    Mutant("last-fragment-wins", ("L04", "L07"), "loop", "only the last piece of JSON is kept", [(FRAGMENT, "self.fragments[index] = [delta.partial_json]")]),
    Mutant("empty-arguments-crash", "L17", "loop", "a tool without arguments streams an empty string; parsing it raises",
           [(EMPTY, ""), (PARSE, '        block["input"] = json.loads(written)\n')]),
    Mutant("input-never-parsed", ("P08", "L17", "L04"), "loop", "the input stays a JSON text in the history",
           [(PARSE, '        block["input"] = written\n'),
            ('name, arguments = call["name"], call["input"]', 'name, arguments = call["name"], json.loads(call["input"] or "{}")')]),
    Mutant("input-stays-empty", ("L04", "L07"), "loop", "input_json_delta is not looked at", [(FRAGMENT, "pass")]),
    Mutant("blocks-in-order-of-completion", ("L04", "L09", "L17"), "parallel", "index is ignored: each delta goes to the newest block of its kind",
           [("self.blocks[event.index] = event.content_block", "self.blocks[0 if event.content_block.type == 'tool_use' else event.index] = event.content_block"),
            ("        block = self.blocks[index]\n        if delta.type", "        block = self.blocks.get(index) or self.blocks[0]\n        if delta.type"),
            ('        block = self.blocks[index]\n        if block["type"] not in', '        block = self.blocks.get(index) or self.blocks[0]\n        if block["type"] not in')]),
    Mutant("last-text-delta-wins", "L04", "loop", "= instead of += for text", [('block["text"] += delta.text', 'block["text"] = delta.text')]),
    Mutant("first-block-streamed-only", ("L04", "L03", "L15", "L13"), "loop", "reading stops at the first content_block_stop",
           [("            reply.take(event)\n", "            if event.type not in ('content_block_start', 'content_block_delta') or event.index == 0:\n                reply.take(event)\n")]),
    Mutant("signature-delta-missed", ("T02", "T03", "T01", "L04"), "pairing", "signature_delta is not looked at", [('block["signature"] = delta.signature', "pass")]),
    Mutant("thinking-delta-missed", ("T01", "L04", "T04", "T02", "T03"), "pairing", "thinking_delta is not looked at", [('block["thinking"] += delta.thinking', "pass")]),
    Mutant("thinking-block-skipped", "L25", "pairing", "thinking is shown to the user and kept nowhere",
           [("return [self.blocks[index] for index in sorted(self.blocks)]", 'return [self.blocks[index] for index in sorted(self.blocks) if "thinking" not in self.blocks[index]["type"]]')]),
    Mutant("usage-added-up", "G07", "gates", "the counts of message_start and message_delta are added; the latter are totals",
           [(COUNT, "for name, value in usage.model_dump(exclude_none=True).items():\n            if isinstance(value, int):\n                self.usage[name] = self.usage.get(name, 0) + value")]),
    Mutant("usage-of-the-start-only", "G02", "gates", "message_delta's usage is not looked at", [("            self.count(event.usage)\n", "")]),
    Mutant("stop-reason-of-the-start", ("L15", "L20"), "loop", "stop_reason is read from message_start, where it is null",
           [("self.stop_reason = event.delta.stop_reason", "self.stop_reason = self.stop_reason")]),
    Mutant("stop-reason-guessed", ("L20", "L15"), "stop_reasons", "a reply with a call counts as tool_use, any other as end_turn",
           [("    if not reply.complete:\n", '    reply.stop_reason = "tool_use" if any(b["type"] == "tool_use" for b in reply.content) else "end_turn"\n    if not reply.complete:\n')]),
    Mutant("broken-stream-escapes", "G06", "gates", "a stream that breaks raises an error that is no anthropic.APIError", [(CAUGHT, "except (anthropic.APIError, StreamBroke):")]),
    Mutant("broken-stream-appended", ("L16", "L22"), "gates", "what came of a broken stream goes into the history",
           [("        for event in events:\n            reply.take(event)\n",
             "        try:\n            for event in events:\n                reply.take(event)\n        except httpx2.HTTPError:\n            pass\n"),
            (WHOLE, "    if not reply.complete:\n        messages.append({\"role\": \"assistant\", \"content\": reply.content})\n        raise StreamBroke\n")]),
    Mutant("broken-stream-taken-for-whole", ("L15", "L20", "L16", "L13", "L14"), "gates", "what came of a broken stream counts as a reply",
           [("        for event in events:\n            reply.take(event)\n",
             "        try:\n            for event in events:\n                reply.take(event)\n        except httpx2.HTTPError:\n            pass\n"),
            (WHOLE, '    reply.stop_reason = reply.stop_reason or "end_turn"\n')]),
    Mutant("broken-stream-tried-again", "L14", "gates", "a broken stream is asked for again",
           [("        except (anthropic.APIError, httpx2.HTTPError, StreamBroke):\n            return \"api_error\", messages\n",
             "        except httpx2.HTTPError:\n            reply = read_reply(client, messages, tools)\n"
             "        except (anthropic.APIError, StreamBroke):\n            return \"api_error\", messages\n")]),
    Mutant("tools-run-while-streaming", ("L20", "L06"), "stop_reasons", "each call is run as soon as its block is complete, before stop_reason is known",
           [("def read_reply(client, messages, tools):", "def read_reply(client, messages, tools, functions):"),
            ("reply = read_reply(client, messages, tools)", "reply = read_reply(client, messages, tools, functions)"),
            ("            reply.take(event)\n", "            reply.take(event)\n            if event.type == 'content_block_stop' and reply.blocks[event.index]['type'] == 'tool_use':\n"
             "                block = reply.blocks[event.index]\n                reply.early[block['id']] = answer(block, functions, 30)\n"),
            ("        self.complete = False\n", "        self.complete = False\n        self.early = {}\n"),
            ("results = [answer(call, functions, tool_timeout_s) for call in calls]", "results = [reply.early[call['id']] for call in calls]")]),
    Mutant("cut-json-crashes", "L17", "resume", "a call that is cut inside its JSON makes the parser raise", [(PARSE, '        block["input"] = json.loads(written)\n')]),
    Mutant("cut-json-kept-as-text", ("P08", "N02", "L16", "L04"), "resume", "the half JSON of a cut call is kept as its input",
           [('        except ValueError:\n            block["input"] = {}\n', '        except ValueError:\n            block["input"] = written\n')]),
]
