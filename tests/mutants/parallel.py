"""Faults that show when one reply holds several calls."""

from mutants.loop import CALL, GIVE, RUN
from mutants.mutant import Mutant

CALLS = 'calls = [block for block in content if block["type"] == "tool_use"]'


def results(*lines):
    """Replace how the results of a reply's calls are made."""
    return (RUN, "\n        ".join(lines))


MUTANTS = [
    Mutant("answers-first-call-only", "P01", "parallel", "one call of a reply is run, the others stay open", [(CALLS, CALLS + "[:1]")]),
    Mutant("answers-last-call-only", "P01", "parallel", "a dict keyed by type keeps the last call",
           [(CALLS, 'calls = list({block["type"]: block for block in content if block["type"] == "tool_use"}.values())')]),
    Mutant("one-call-a-tool", "P01", "parallel", "two calls of one tool are taken for one",
           [(CALLS, 'calls = list({block["name"]: block for block in content if block["type"] == "tool_use"}.values())')]),
    Mutant("one-call-an-input", ("P01",), "parallel", "two calls with equal name and input are taken for one",
           [(CALLS, 'calls = list({key(block): block for block in content if block["type"] == "tool_use"}.values())')]),
    Mutant("two-calls-at-most", "P01", "parallel", "a third call is never answered", [(CALLS, CALLS + "[:2]")]),
    Mutant("results-split", "P13", "parallel", "each result goes into a user message of its own",
           [(GIVE, 'messages.extend({"role": "user", "content": [result]} for result in results)')]),
    Mutant("results-over-several-rounds", "P01", "parallel", "after each result the model is asked again",
           [(GIVE, "for result in results[:-1]:\n"
             '            messages.append({"role": "user", "content": [result]})\n'
             '            messages.append({"role": "assistant", "content": "And the next one."})\n'
             '        messages.append({"role": "user", "content": results[-1:]})')]),
    Mutant("results-swapped", "L09", "parallel", "outputs are put under the ids in the opposite order",
           [results(RUN, 'swapped = [result["content"] for result in reversed(results)]',
                    'results = [result | {"content": content} for result, content in zip(results, swapped)]')]),
    Mutant("results-shifted", "L09", "parallel", "each output goes under the id of the next call",
           [results(RUN, "results = [{**result, 'tool_use_id': calls[(i + 1) % len(calls)]['id']} for i, result in enumerate(results)]")]),
    Mutant("output-by-tool-name", "L09", "parallel", "outputs are kept by the tool's name: two calls of one tool get the same",
           [results(RUN, 'by_name = {call["name"]: result["content"] for call, result in zip(calls, results)}',
                    'results = [result | {"content": by_name[call["name"]]} for call, result in zip(calls, results)]')]),
    Mutant("first-id-for-all", ("P05", "P01"), "parallel", "every result carries the first call's id",
           [results(RUN, 'results = [result | {"tool_use_id": calls[0]["id"]} for result in results]')]),
    Mutant("id-by-position-in-the-content", ("L09", "P01", "P04", "L17"), "parallel", "ids are looked up by position, sorted by name",
           [results(RUN, 'ordered = sorted(calls, key=lambda call: (call["name"], str(call["input"])), reverse=True)',
                    'results = [result | {"tool_use_id": call["id"]} for result, call in zip(results, ordered)]')]),
    Mutant("outputs-joined-in-one-result", ("P01", "L08"), "parallel", "all outputs go into the first call's result",
           [results(RUN, 'results = [results[0] | {"content": "\\n".join(str(result["content"]) for result in results)}]')]),
    Mutant("outputs-joined-in-every-result", "L08", "parallel", "each result holds the outputs of all calls",
           [results(RUN, 'joined = "\\n".join(str(result["content"]) for result in results)',
                    'results = [result | {"content": joined} for result in results]')]),
    Mutant("late-binding", ("L06", "L07", "L05"), "parallel", "the threads all see the loop variable's last value",
           [results("jobs = [lambda: answer(call, functions, tool_timeout_s) for call in calls]",
                    'results = [job() | {"tool_use_id": call["id"]} for job, call in zip(jobs, calls)]')]),
    Mutant("text-between-results", ("P03", "L22", "P01"), "parallel", "a label stands before each result",
           [results(RUN, 'labelled = [[{"type": "text", "text": f"Result {i}:"}, result] for i, result in enumerate(results)]',
                    "results = sum(labelled, [])[1:]")]),
    Mutant("names-after-results", ("L22", "P14"), "parallel", "a list of the tools that were run follows the results, if there are several",
           [results(RUN, "if len(calls) > 1:",
                    '    results.append({"type": "text", "text": "Ran " + ", ".join(call["name"] for call in calls)})')]),
    Mutant("calls-run-side-by-side-once-each-and-again", "L06", "parallel", "with several calls, all are run to warm up and then run for the result",
           [results("if len(calls) > 1:", "    _ = [answer(call, functions, tool_timeout_s) for call in calls]", RUN)]),
    Mutant("second-call-gets-the-first-input", ("L07",), "parallel", "the arguments of the first call are used for all",
           [results('results = [answer(call | {"input": calls[0]["input"]}, functions, tool_timeout_s) for call in calls]')]),
    Mutant("only-the-first-call-run", "L05", "parallel", "only the first call is run; the rest is answered without being run",
           [results("results = [",
                    "    answer(call, functions, tool_timeout_s) if i < 1 or len(calls) < 2",
                    '    else {"type": "tool_result", "tool_use_id": call["id"], "content": "see above"}',
                    "    for i, call in enumerate(calls)", "]")]),
]
