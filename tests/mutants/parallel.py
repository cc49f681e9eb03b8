"""Faults that show when one reply holds several calls."""

from mutants.mutant import Mutant

GIVE = 'messages.append({"role": "user", "content": results})'
RUN = "results = [answer(call, functions, tool_timeout_s) for call in calls]"

MUTANTS = [
    Mutant(
        "answers-first-call-only",
        "P01",
        "parallel",
        "one call of a reply is run, the others stay open",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = [block for block in content if block["type"] == "tool_use"][:1]',
            )
        ],
    ),
    Mutant(
        "answers-last-call-only",
        "P01",
        "parallel",
        "a dict keyed by type keeps the last call",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = list({block["type"]: block for block in content if block["type"] == "tool_use"}.values())',
            )
        ],
    ),
    Mutant(
        "one-call-a-tool",
        "P01",
        "parallel",
        "two calls of one tool are taken for one",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = list({block["name"]: block for block in content if block["type"] == "tool_use"}.values())',
            )
        ],
    ),
    Mutant(
        "one-call-an-input",
        "P01",
        "parallel",
        "two calls with equal name and input are taken for one",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = list({key(block): block for block in content if block["type"] == "tool_use"}.values())',
            )
        ],
    ),
    Mutant(
        "two-calls-at-most",
        "P01",
        "parallel",
        "a third call is never answered",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                'calls = [block for block in content if block["type"] == "tool_use"][:2]',
            )
        ],
    ),
    Mutant(
        "results-split",
        "P13",
        "parallel",
        "each result goes into a user message of its own",
        [(GIVE, 'messages.extend({"role": "user", "content": [result]} for result in results)')],
    ),
    Mutant(
        "results-over-several-rounds",
        "P01",
        "parallel",
        "after each result the model is asked again",
        [
            (
                GIVE,
                """for result in results[:-1]:
            messages.append({"role": "user", "content": [result]})
            messages.append({"role": "assistant", "content": "And the next one."})
        messages.append({"role": "user", "content": results[-1:]})""",
            )
        ],
    ),
    Mutant(
        "results-swapped",
        "L09",
        "parallel",
        "outputs are put under the ids in the opposite order",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        swapped = [result["content"] for result in reversed(results)]
        results = [result | {"content": content} for result, content in zip(results, swapped)]""",
            )
        ],
    ),
    Mutant(
        "results-shifted",
        "L09",
        "parallel",
        "each output goes under the id of the next call",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        results = [{**result, 'tool_use_id': calls[(i + 1) % len(calls)]['id']} for i, result in enumerate(results)]""",
            )
        ],
    ),
    Mutant(
        "output-by-tool-name",
        "L09",
        "parallel",
        "outputs are kept by the tool's name: two calls of one tool get the same",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        by_name = {call["name"]: result["content"] for call, result in zip(calls, results)}
        results = [result | {"content": by_name[call["name"]]} for call, result in zip(calls, results)]""",
            )
        ],
    ),
    Mutant(
        "first-id-for-all",
        "P05",
        "parallel",
        "every result carries the first call's id",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        results = [result | {"tool_use_id": calls[0]["id"]} for result in results]""",
            )
        ],
    ),
    Mutant(
        "id-by-position-in-the-content",
        "L09",
        "parallel",
        "ids are looked up by position, sorted by name",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        ordered = sorted(calls, key=lambda call: (call["name"], str(call["input"])), reverse=True)
        results = [result | {"tool_use_id": call["id"]} for result, call in zip(results, ordered)]""",
            )
        ],
    ),
    Mutant(
        "outputs-joined-in-one-result",
        "P01",
        "parallel",
        "all outputs go into the first call's result",
        [
            (
                RUN,
                r"""results = [answer(call, functions, tool_timeout_s) for call in calls]
        results = [results[0] | {"content": "\n".join(str(result["content"]) for result in results)}]""",
            )
        ],
    ),
    Mutant(
        "outputs-joined-in-every-result",
        "L08",
        "parallel",
        "each result holds the outputs of all calls",
        [
            (
                RUN,
                r"""results = [answer(call, functions, tool_timeout_s) for call in calls]
        joined = "\n".join(str(result["content"]) for result in results)
        results = [result | {"content": joined} for result in results]""",
            )
        ],
    ),
    Mutant(
        "late-binding",
        "L06",
        "parallel",
        "the threads all see the loop variable's last value",
        [
            (
                RUN,
                """jobs = [lambda: answer(call, functions, tool_timeout_s) for call in calls]
        results = [job() | {"tool_use_id": call["id"]} for job, call in zip(jobs, calls)]""",
            )
        ],
    ),
    Mutant(
        "text-between-results",
        "P03",
        "parallel",
        "a label stands before each result",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        labelled = [[{"type": "text", "text": f"Result {i}:"}, result] for i, result in enumerate(results)]
        results = sum(labelled, [])[1:]""",
            )
        ],
    ),
    Mutant(
        "names-after-results",
        "L22",
        "parallel",
        "a list of the tools that were run follows the results, if there are several",
        [
            (
                RUN,
                """results = [answer(call, functions, tool_timeout_s) for call in calls]
        if len(calls) > 1:
            results.append({"type": "text", "text": "Ran " + ", ".join(call["name"] for call in calls)})""",
            )
        ],
    ),
    Mutant(
        "second-call-gets-the-first-input",
        ("L06", "L07"),
        "parallel",
        "the arguments of the first call are used for all",
        [
            (
                RUN,
                """same = calls[0]["input"]
        results = [answer(call | {"input": same}, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
    Mutant(
        "only-the-first-call-run",
        "L05",
        "parallel",
        "only the first call is run; the rest is answered without being run",
        [
            (
                RUN,
                """results = [
            answer(call, functions, tool_timeout_s) if i < 1 or len(calls) < 2
            else {"type": "tool_result", "tool_use_id": call["id"], "content": "see above"}
            for i, call in enumerate(calls)
        ]""",
            )
        ],
    ),
    Mutant(
        "only-first-reply-answered-whole",
        "P01",
        "parallel",
        "later replies get one answer each",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                """calls = [block for block in content if block["type"] == "tool_use"]
        calls = calls if requests == 1 else calls[:1]""",
            )
        ],
    ),
    Mutant(
        "calls-of-one-tool-only",
        "P01",
        "parallel",
        "only the calls of the tool that is asked for first are answered",
        [
            (
                'calls = [block for block in content if block["type"] == "tool_use"]',
                """calls = [block for block in content if block["type"] == "tool_use"]
        calls = [call for call in calls if call["name"] == calls[0]["name"]]""",
            )
        ],
    ),
    Mutant(
        "ids-from-the-front-of-the-content",
        "L17",
        "parallel",
        "with several calls, the first blocks are taken for them",
        [
            (
                "results = [answer(call, functions, tool_timeout_s) for call in calls]",
                """calls = content[: len(calls)] if len(calls) > 1 else calls
        results = [answer(call, functions, tool_timeout_s) for call in calls]""",
            )
        ],
    ),
]
