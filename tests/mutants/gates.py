"""Faults of the stop gates: turns, tokens, seconds, repeats, tool time, API errors."""

from mutants.loop import GIVE, RUN
from mutants.mutant import Mutant

TURNS = "if requests >= max_turns:"
TOKENS = "if used >= token_budget:"
CLOCK = "if time.monotonic() - started >= timeout_s:"
COUNT = "requests += 1"
USE = "used += tokens(reply.usage)"
CACHED = "cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)"
ASKED = "asked.update(key(call) for call in calls)"
REPEATED = "if any(asked[key(call)] >= max_repeats for call in calls):"
KEY = 'return call["name"], json.dumps(call["input"], sort_keys=True)'
FAILED = '        except anthropic.APIError:\n            return "api_error", messages\n'
WAIT = "outcome, value = outcomes.get(timeout=seconds)"
LATE = 'return error(call, f"{name} did not answer within {tool_timeout_s} seconds.")'
PAUSE = '        if reply.stop_reason == "pause_turn" and not calls:\n            continue\n'
LOOP = "    while True:\n"


def api_error(*lines):
    return (FAILED, "".join(f"        {line}\n" for line in lines))


MUTANTS = [
    Mutant("no-turn-limit", "G01", "gates", "max_turns is not looked at", [(TURNS, "if False:")]),
    Mutant("one-turn-too-many", "G01", "gates", "> instead of >=", [(TURNS, "if requests > max_turns:")]),
    Mutant("one-turn-too-few", "G07", "gates", "the last allowed request is not made", [(TURNS, "if requests >= max_turns - 1 and requests:")]),
    Mutant("turns-counted-twice", "G07", "gates", "a round counts as two", [(COUNT, "requests += 2")]),
    Mutant("pauses-not-counted", "G01", "gates", "a pause_turn does not count as a request", [(COUNT, 'requests += reply.stop_reason != "pause_turn"')]),
    Mutant("only-tool-rounds-counted", "G01", "gates", "requests are counted after the tools have run",
           [(COUNT, "pass"), (GIVE, GIVE + "\n        requests += 1")]),
    Mutant("calls-counted-as-turns", "G07", "gates", "each call counts as a turn",
           [(COUNT, "requests += max(1, len([block for block in reply.content if block.type == 'tool_use']))")]),
    Mutant("turn-limit-is-ten", ("G01", "G07"), "gates", "the limit that is passed is not used", [(TURNS, "if requests >= 10:")]),
    Mutant("turn-limit-says-done", "L15", "gates", "at the limit the status is done", [('return "max_turns", messages', 'return "done", messages')]),
    Mutant("turn-limit-raises", "L17", "gates", "at the limit an exception is raised", [('return "max_turns", messages', 'raise RuntimeError("too many turns")')]),
    Mutant("turn-limit-asks-for-a-summary", ("G01",), "gates", "at the limit the model is asked for a last word",
           [('            return "max_turns", messages', "            ask(client, messages, tools)\n            return \"max_turns\", messages")]),
    Mutant("answer-at-the-limit-lost", "L15", "gates", "an answer in the last allowed request is reported as max_turns",
           [("        content = as_dicts(reply.content)\n", "        content = as_dicts(reply.content)\n        capped = requests >= max_turns\n"),
            ('return "done", messages', 'return ("max_turns" if capped else "done"), messages')]),
    Mutant("no-token-budget", "G02", "gates", "token_budget is not looked at", [(TOKENS, "if False:")]),
    Mutant("budget-over-equality", "G02", "gates", "> instead of >=", [(TOKENS, "if used > token_budget:")]),
    Mutant("cache-not-counted", "G02", "gates", "both cache counts are left out", [(CACHED, "cached = 0")]),
    Mutant("cache-writes-not-counted", "G02", "gates", "cache_creation_input_tokens is left out", [(CACHED, "cached = usage.cache_read_input_tokens or 0")]),
    Mutant("cache-reads-not-counted", "G02", "gates", "cache_read_input_tokens is left out", [(CACHED, "cached = usage.cache_creation_input_tokens or 0")]),
    Mutant("output-not-counted", "G02", "gates", "output tokens are left out", [("return usage.input_tokens + cached + usage.output_tokens", "return usage.input_tokens + cached")]),
    Mutant("input-not-counted", "G02", "gates", "only output tokens are counted", [("return usage.input_tokens + cached + usage.output_tokens", "return usage.output_tokens")]),
    Mutant("only-last-reply-counted", "G02", "gates", "= instead of +=", [(USE, "used = tokens(reply.usage)")]),
    Mutant("output-counted-twice", "G07", "gates", "output tokens are counted twice",
           [("return usage.input_tokens + cached + usage.output_tokens", "return usage.input_tokens + cached + 2 * usage.output_tokens")]),
    Mutant("input-growth-counted-again", ("G07",), "gates", "the history's tokens are added on top of the usage",
           [(USE, USE + "\n        used += len(json.dumps(messages, default=str)) // 4")]),
    Mutant("budget-of-the-next-request-guessed", "G07", "gates", "stops when another reply like the last would cross the budget",
           [(TOKENS, "if used and used + last >= token_budget:"), (USE, USE + "\n        last = tokens(reply.usage)"), (LOOP, "    last = 0\n" + LOOP)]),
    Mutant("budget-beats-the-answer", "L15", "gates", "an answer that crosses the budget is reported as token_budget",
           [(USE, USE + '\n        if used >= token_budget and reply.stop_reason == "end_turn":\n'
             '            messages.append({"role": "assistant", "content": as_dicts(reply.content)})\n            return "token_budget", messages')]),
    Mutant("budget-says-max-tokens", "L15", "gates", "the status is max_tokens", [('return "token_budget", messages', 'return "max_tokens", messages')]),
    Mutant("no-deadline", "G03", "gates", "timeout_s is not looked at", [(CLOCK, "if False:")]),
    Mutant("deadline-over-equality", "G03", "gates", "> instead of >=, in whole seconds", [(CLOCK, "if int(time.monotonic() - started) > timeout_s:")]),
    Mutant("deadline-for-each-request", "G03", "gates", "the clock is started anew in every round",
           [(LOOP, LOOP + "        started = time.monotonic()\n")]),
    Mutant("deadline-in-cpu-time", "G03", "gates", "process time stands still while the API thinks",
           [("started = time.monotonic()", "started = time.process_time()"), (CLOCK, "if time.process_time() - started >= timeout_s:")]),
    Mutant("deadline-in-milliseconds", "G07", "gates", "the limit is taken for milliseconds", [(CLOCK, "if (time.monotonic() - started) * 1000 >= timeout_s:")]),
    Mutant("deadline-beats-the-answer", "L15", "gates", "an answer that comes too late is reported as timeout",
           [('return "done", messages', 'return ("timeout" if time.monotonic() - started >= timeout_s else "done"), messages')]),
    Mutant("deadline-says-max-turns", "L15", "gates", "the status is max_turns", [('return "timeout", messages', 'return "max_turns", messages')]),
    Mutant("no-repeat-check", "G04", "gates", "repeats are not looked at", [(REPEATED, "if False:")]),
    Mutant("one-repeat-too-many", "G04", "gates", "> instead of >=", [(REPEATED, REPEATED.replace(">=", ">"))]),
    Mutant("one-repeat-too-few", "G07", "gates", "stops one call too early", [(REPEATED, REPEATED.replace("max_repeats", "max_repeats - 1"))]),
    Mutant("repeats-by-key-order", "G04", "gates", "inputs are compared as text: another key order is another call", [(KEY, 'return call["name"], json.dumps(call["input"])')]),
    Mutant("repeats-in-a-row-only", "G04", "gates", "another call in between starts the count anew",
           [(ASKED, "for call in calls:\n            asked = Counter({key(call): asked[key(call)] + 1})")]),
    Mutant("repeats-of-the-same-round-only", "G04", "gates", "the count starts anew with each reply", [(ASKED, "asked = Counter(key(call) for call in calls)")]),
    Mutant("repeats-once-a-reply", "G04", "gates", "equal calls of one reply count once", [(ASKED, "asked.update({key(call) for call in calls})")]),
    Mutant("repeats-of-good-calls-only", "G04", "gates", "calls that failed are not counted",
           [(ASKED, "pass"), (REPEATED, "if any(asked[key(call)] + 1 >= max_repeats for call in calls):"),
            (RUN, RUN + '\n        asked.update(key(call) for call, result in zip(calls, results) if not result.get("is_error"))')]),
    Mutant("repeats-of-known-tools-only", "G04", "gates", "calls of unknown tools are not counted", [(ASKED, 'asked.update(key(call) for call in calls if call["name"] in functions)')]),
    Mutant("repeats-of-the-first-call-only", "G04", "gates", "only the first call of a reply is counted", [(ASKED, "asked.update([key(calls[0])])")]),
    Mutant("repeats-by-name", "G07", "gates", "the same tool with another input counts as a repeat", [(KEY, 'return call["name"]')]),
    Mutant("repeats-by-input", "G07", "gates", "another tool with the same input counts as a repeat", [(KEY, 'return json.dumps(call["input"], sort_keys=True)')]),
    Mutant("repeats-by-keys", "G07", "gates", "the names of the arguments are compared, not their values", [(KEY, 'return call["name"], tuple(sorted(call["input"]))')]),
    Mutant("repeats-kept-between-runs", ("L23", "G07"), "gates", "the count of the run before goes on",
           [("GOES_ON =", "asked = Counter()\nGOES_ON ="), ("    asked = Counter()\n    requests", "    requests")]),
    Mutant("repeat-run-once-more", "G04", "gates", "the repeat is noticed after it was run",
           [(REPEATED, "for call in calls:\n            if asked[key(call)] >= max_repeats:\n                answer(call, functions, tool_timeout_s)\n        " + REPEATED)]),
    Mutant("repeat-answered-and-on", "G04", "gates", "the repeat is not run, but the loop goes on",
           [('            return "repeated_call", messages', "            continue")]),
    Mutant("repeat-says-done", "L15", "gates", "the status is done", [('return "repeated_call", messages', 'return "done", messages')]),
    Mutant("repeat-says-max-turns", "L15", "gates", "the status is max_turns", [('return "repeated_call", messages', 'return "max_turns", messages')]),
    Mutant("no-tool-timeout", "G05", "gates", "a hung tool is waited for", [(WAIT, "outcome, value = outcomes.get()")]),
    Mutant("tool-timeout-of-the-run", "G05", "gates", "a tool gets all the time of the run", [("results = [answer(call, functions, tool_timeout_s)", "results = [answer(call, functions, timeout_s)")]),
    Mutant("tool-pool-waits", "G05", "gates", "a thread pool in a with block waits for its hung thread on the way out",
           [("    threading.Thread(target=work, daemon=True).start()\n    try:\n        outcome, value = outcomes.get(timeout=seconds)\n",
             "    try:\n        with ThreadPoolExecutor() as pool:\n            pool.submit(work)\n            outcome, value = outcomes.get(timeout=seconds)\n"),
            ("import anthropic\n", "from concurrent.futures import ThreadPoolExecutor\n\nimport anthropic\n")]),
    Mutant("tool-thread-joined-late", "G05", "gates", "after the timeout the thread is joined without one",
           [("threading.Thread(target=work, daemon=True).start()", "thread = threading.Thread(target=work, daemon=True)\n    thread.start()"),
            ('        return "late", None', '        thread.join()\n        return "late", None')]),
    Mutant("timeout-not-marked", "L10", "gates", "the answer for a hung tool is no error", [(LATE, LATE + ' | {"is_error": False}')]),
    Mutant("hung-call-left-open", "P01", "gates", "a hung call gets no result",
           [(RUN, RUN + "\n        results = [result for result in results if 'did not answer within' not in str(result['content'])]")]),
    Mutant("hung-tool-ends-the-run", ("L13", "L15", "L17", "L26"), "gates", "a hung tool ends the run with timeout",
           [(RUN, RUN + "\n        if any('did not answer within' in str(result['content']) for result in results):\n            return \"timeout\", messages")]),
    Mutant("hung-tool-raises", ("L17", "L26"), "gates", "a hung tool raises TimeoutError", [('        return "late", None', '        raise TimeoutError("the tool hung") from None')]),
    Mutant("hung-tool-started-again", "L06", "gates", "a hung tool is given a second try",
           [('    if outcome == "late":\n', '    if outcome == "late":\n        outcome, value = in_time(function, arguments, tool_timeout_s)\n    if outcome == "late":\n')]),
    Mutant("late-output-used", ("G08", "G05"), "gates", "what a hung tool says later is taken for its result",
           [('        return "late", None', "        return outcomes.get()")]),
    Mutant("hung-tool-blocks-its-siblings", ("L05", "L11", "L10"), "gates", "after one hung call the others are not run",
           [(RUN, "results = []\n        for call in calls:\n"
             "            if any('did not answer within' in str(result['content']) for result in results):\n"
             "                results.append(error(call, 'Skipped.'))\n            else:\n"
             "                results.append(answer(call, functions, tool_timeout_s))")]),
    Mutant("api-error-escapes", "G06", "gates", "nothing is caught around the request", [api_error("except ZeroDivisionError:", '    return "api_error", messages')]),
    Mutant("only-rate-limits-caught", "G06", "gates", "RateLimitError is caught, every other failure escapes",
           [(FAILED, FAILED.replace("anthropic.APIError", "anthropic.RateLimitError"))]),
    Mutant("only-connection-errors-caught", "G06", "gates", "APIConnectionError is caught, a status error escapes",
           [(FAILED, FAILED.replace("anthropic.APIError", "anthropic.APIConnectionError"))]),
    Mutant("api-error-says-error", "L15", "gates", "a status of the loop's own", [(FAILED, FAILED.replace('"api_error"', '"error"'))]),
    Mutant("api-error-says-done", "L15", "gates", "a failed request ends the run as done", [(FAILED, FAILED.replace('"api_error"', '"done"'))]),
    Mutant("api-error-tried-again", "L14", "gates", "the loop tries again after the SDK's own retries",
           [api_error("except anthropic.APIError:", "    try:", "        reply = ask(client, messages, tools)", "    except anthropic.APIError:", '        return "api_error", messages')]),
    Mutant("api-error-in-the-history", ("L16", "L22"), "gates", "the failure is written into the history",
           [api_error("except anthropic.APIError as problem:", '    messages.append({"role": "assistant", "content": f"API error: {problem}"})', '    return "api_error", messages')]),
    Mutant("api-error-rolls-back", "L16", "gates", "the results that the failed request held are thrown away",
           [api_error("except anthropic.APIError:", '    return "api_error", messages[:-1]')]),
    Mutant("api-error-loses-the-history", "L16", "gates", "the failed run returns an empty list",
           [api_error("except anthropic.APIError:", '    return "api_error", []')]),
    Mutant("gate-drops-the-last-round", ("L16",), "gates", "at the turn limit the last reply and its results are taken off again",
           [('return "max_turns", messages', 'return "max_turns", messages[:-2]')]),
    Mutant("limits-not-accepted", ("L17", "X02"), "gates", "run_agent takes no max_repeats", [("    max_repeats=3,\n):", "):\n    max_repeats = 3")]),
]
