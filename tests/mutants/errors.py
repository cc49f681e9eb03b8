"""Faults in how tools that fail, don't exist or don't fit are answered, and in what becomes of odd outputs."""

from mutants.loop import CALL, RESULT, RUN
from mutants.mutant import Mutant

RAISED = 'return error(call, f"{type(value).__name__}: {value}")'
UNKNOWN = "return error(call, f\"There is no tool named {name!r}. There are: {', '.join(functions)}.\")"
MISFIT = 'return error(call, f"The input does not fit {name}: {complaint}.")'
MARK = '"content": text, "is_error": True}'
CONTENT = "    if isinstance(value, str) or is_blocks(value):\n        return value\n"

MUTANTS = [
    Mutant("tool-error-escapes", "L26", "errors", "nothing is caught around the call", [(RAISED, "raise value")]),
    Mutant("value-errors-caught-only", "L26", "errors", "ValueError is answered, every other exception ends the run",
           [(RAISED, "if not isinstance(value, ValueError):\n            raise value\n        " + RAISED)]),
    Mutant("key-error-escapes", "L26", "errors", "KeyError is not among the exceptions that are caught",
           [(RAISED, "if isinstance(value, LookupError):\n            raise value\n        " + RAISED)]),
    Mutant("unknown-tool-escapes", "L26", "errors", "functions[name] without a look before",
           [("    if name not in functions:\n        " + UNKNOWN + "\n", "")]),
    Mutant("misfit-escapes", "L26", "errors", "the call is made where nothing catches the TypeError of an input that does not fit",
           [("    except TypeError as complaint:\n        return str(complaint)\n", "    except TypeError:\n        function(**arguments)\n")]),
    Mutant("unknown-tool-ignored", "P01", "errors", "a call of an unknown tool is left out of the results",
           [(RUN, RUN + '\n        results = [result for call, result in zip(calls, results) if call["name"] in functions]')]),
    Mutant("failed-call-left-open", "P01", "errors", "a call that raised gets no result",
           [("def error(call, text):", "def error(call, text):\n    if text.startswith('This call was not run'):\n        return not_run(call, text)\n"
             "    return {\"type\": \"text\", \"text\": text}\n\n\ndef not_run(call, text):")]),
    Mutant("error-not-marked", "L10", "errors", "the text of an error goes back without is_error", [(MARK, '"content": text}')]),
    Mutant("raised-not-marked", "L10", "errors", "an exception's text goes back as if it were the output",
           [(RAISED, "return error(call, f\"{type(value).__name__}: {value}\") | {\"is_error\": False}")]),
    Mutant("unknown-not-marked", "L10", "errors", "the answer to an unknown tool is no error",
           [(UNKNOWN, UNKNOWN + ' | {"is_error": False}')]),
    Mutant("misfit-not-marked", "L10", "errors", "the complaint about an input is no error", [(MISFIT, MISFIT + ' | {"is_error": False}')]),
    Mutant("every-result-marked", "L11", "errors", "is_error stands on all results", [(RESULT, RESULT.replace("as_content(value)}", 'as_content(value), "is_error": True}'))]),
    Mutant("siblings-of-a-failure-marked", "L11", "errors", "when one call of a reply fails, all its results are marked",
           [(RUN, RUN + '\n        if any(result.get("is_error") for result in results):\n'
             '            results = [result | {"is_error": True} for result in results]')]),
    Mutant("empty-output-marked", "L11", "errors", "an empty output is taken for a failure",
           [("    return {\"type\": \"tool_result\", \"tool_use_id\": call[\"id\"], \"content\": as_content(value)}",
             "    if not value:\n        return error(call, \"The tool returned nothing.\")\n"
             "    return {\"type\": \"tool_result\", \"tool_use_id\": call[\"id\"], \"content\": as_content(value)}")]),
    Mutant("error-text-error", "L12", "errors", "the text of an error is the word Error", [(RAISED, 'return error(call, "Error")')]),
    Mutant("error-text-is-the-type", "L12", "errors", "only the exception's type is told", [(RAISED, "return error(call, type(value).__name__)")]),
    Mutant("error-text-is-the-first-word", "L12", "errors", "of the message only the first word is told",
           [(RAISED, 'return error(call, f"{type(value).__name__}: {(str(value).split() or [str()])[0]}")')]),
    Mutant("unknown-name-not-told", "L12", "errors", "the answer to an unknown tool does not name it", [(UNKNOWN, 'return error(call, "No such tool.")')]),
    Mutant("complaint-not-told", "L12", "errors", "the answer to an input that does not fit does not say what is wrong", [(MISFIT, 'return error(call, "Invalid input.")')]),
    Mutant("key-error-as-unknown-tool", "L12", "errors", "a KeyError inside a tool is answered as an unknown tool",
           [(RAISED, 'if isinstance(value, KeyError):\n            return error(call, f"There is no tool named {name!r}.")\n        ' + RAISED)]),
    Mutant("type-error-as-misfit", "L12", "errors", "a TypeError inside a tool is answered as an input that does not fit",
           [(RAISED, 'if isinstance(value, TypeError):\n            return error(call, f"The input does not fit {name}.")\n        ' + RAISED)]),
    Mutant("empty-error-text", "P12", "errors", "str(exception) is empty where the exception has no message", [(RAISED, "return error(call, str(value))")]),
    Mutant("error-as-empty-list", "P12", "errors", "an error without a message has an empty list for content",
           [(RAISED, 'return error(call, [{"type": "text", "text": str(value)}] if str(value) else [])')]),
    Mutant("error-with-an-image", "P11", "errors", "a picture of a stop sign stands in error results",
           [(MARK, '"content": [{"type": "text", "text": text}, PICTURE], "is_error": True}'),
            ("GOES_ON =", 'PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}\nGOES_ON =')]),
    Mutant("tool-tried-again", "L06", "errors", "a tool that raised is run a second time",
           [(CALL, "try:\n                value = function(**arguments)\n            except Exception:\n"
             '                value = function(**arguments)\n            outcomes.put(("returned", value))')]),
    Mutant("failure-ends-the-run", ("L13", "L15"), "errors", "a tool that raises ends the run with a status of the loop's own",
           [(RUN, RUN + '\n        if any(result.get("is_error") for result in results):\n            return "tool_error", messages')]),
    Mutant("failure-loses-its-siblings", ("L11", "L05", "L10"), "errors", "one failure, and all calls of the reply are answered with its text",
           [(RUN, RUN + '\n        bad = next((result for result in results if result.get("is_error")), None)\n'
             '        if bad:\n            results = [bad | {"tool_use_id": call["id"]} for call in calls]')]),
    Mutant("siblings-behind-a-failure-open", "P01", "errors", "the calls after a failed one are not answered",
           [(RUN, "results = []\n        for call in calls:\n            results.append(answer(call, functions, tool_timeout_s))\n"
             '            if results[-1].get("is_error"):\n                break')]),
    Mutant("misfit-mended", ("L07", "L10"), "errors", "arguments that don't fit are dropped without a word",
           [("    function = functions[name]\n", "    function = functions[name]\n    known = inspect.signature(function).parameters\n"
             "    arguments = {k: v for k, v in arguments.items() if k in known}\n")]),
    Mutant("missing-arguments-filled-in", ("L07", "L10"), "errors", "a missing argument is replaced by an empty string",
           [("    function = functions[name]\n", "    function = functions[name]\n    for k, p in inspect.signature(function).parameters.items():\n"
             "        if p.default is p.empty and p.kind is p.KEYWORD_ONLY:\n            arguments = {k: \"\"} | arguments\n")]),
    Mutant("unknown-tool-guessed", ("L07", "L05", "L10"), "errors", "an unknown name is answered by the tool that stands first",
           [("    if name not in functions:\n        " + UNKNOWN + "\n    function = functions[name]\n",
             "    function = functions.get(name) or next(iter(functions.values()))\n")]),
    Mutant("output-cut-at-2000", "L08", "errors", "long output is cut without a word",
           [("        return value\n    if value is None:", "        return value[:2000]\n    if value is None:")]),
    Mutant("tail-of-output-kept", "L08", "errors", "of long output only the last lines are kept",
           [("        return value\n    if value is None:",
             "        return value[-5000:] if isinstance(value, str) else value\n    if value is None:")]),
    Mutant("blocks-as-repr", "L08", "errors", "a list of content blocks goes back as str(list)",
           [("isinstance(value, str) or is_blocks(value)", "isinstance(value, str)"), ("json.dumps(value, default=str)", "repr(value)")]),
    Mutant("blocks-text-only", "L08", "errors", "of a list of content blocks only the text is kept",
           [(CONTENT, '    if is_blocks(value):\n        return "".join(block.get("text", "") for block in value)\n    if isinstance(value, str):\n        return value\n')]),
    Mutant("first-block-only", "L08", "errors", "of a list of content blocks only the first is kept",
           [(CONTENT, "    if is_blocks(value):\n        return value[:1]\n    if isinstance(value, str):\n        return value\n")]),
    Mutant("empty-output-as-ok", "L08", "errors", "an empty str is replaced by the word OK", [(CONTENT, '    if value == "":\n        return "OK"\n' + CONTENT)]),
    Mutant("output-that-says-error-marked", "L11", "errors", "output with the word error in it is taken for a failure",
           [(RESULT, 'failed = "error" in str(value).lower()\n    ' + RESULT.replace("as_content(value)}", 'as_content(value), "is_error": failed}'))]),
]
