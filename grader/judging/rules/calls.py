"""What the loop does with each call: runs it once, with the model's input, and sends back what came out."""

from grader.history.rule import rule
from grader.judging.answers import misfits, stray_runs
from grader.judging.finding import Finding
from grader.judging.pieces import brief, result_content, speaks, text_of


@rule("L05", "call-not-run", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def call_not_run(run):
    """Every call is run, and its result is what the tool returned.

    Why: a result that no tool gave is made up, and the model takes it for true. Fix: ``functions[call.name](**call.input)``.
    """
    for answer in run.answers:
        if answer.runs or not answer.result or not answer.known or not answer.fits or answer.wanted == "never":
            continue
        if answer.wanted == "may" and answer.marked:
            continue
        saw = f"The call {answer.title} has a result (“{brief(answer.text, 50)}”), but the tool was never run."
        run_it = "Run functions[call.name](**call.input) and send back what it returns"
        yield _at(
            answer,
            saw,
            run_it + (", or say in an error result that it was not run." if answer.wanted == "may" else "."),
        )


@rule("L06", "call-run-again", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def call_run_again(run):
    """Each call is run once.

    Why: tools do things. Running one again may send a second mail. Fix: keep the result in a variable.
    """
    for answer in run.answers:
        if len(answer.runs) > 1:
            saw = f"The tool of the call {answer.title} was run {len(answer.runs)} times."
            yield Finding(
                answer.step.index + 0.5,
                f"reply {answer.step.index + 1}",
                saw,
                "Run each call once and keep its result.",
            )


@rule("L07", "wrong-input", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def wrong_input(run):
    """A tool is run with the input that the model gave, and no tool runs that the model did not ask for.

    Fix: ``functions[call.name](**call.input)``, nothing changed.
    """
    for step in run.answered:
        for served in stray_runs(step):
            asked = (
                ", ".join(f"{call.get('name')} with {brief(call.get('input'), 60)}" for call in step.calls) or "nothing"
            )
            saw = f"{served.name} was run with {brief(served.input, 60)}. The model had asked for {asked}."
            yield Finding(
                step.index + 0.5,
                f"reply {step.index + 1}",
                saw,
                "Run functions[call.name](**call.input), nothing changed.",
            )


@rule("L08", "result-changed", severity="harmful", chapter=3, needs="transcript", sources=("contract.md",))
def result_changed(run):
    """A result holds the tool's whole output, and nothing else.

    Why: the model can use what it reads and no more. Output that was cut or dressed up without a word misleads it.
    Fix: the string as it is, a list of content blocks as it is, anything else as JSON text.
    """
    for answer in _with_output(run):
        if not _is_output(answer.result.block.get("content"), answer.run.output) and not _swapped(run, answer):
            saw = f"{answer.call.get('name')} returned {_quote(answer.run.output)}; the result of {answer.id} says {_quote(answer.text)}."
            if _is_cut(answer.run.output, answer.text):
                saw = f"{answer.call.get('name')} returned {len(answer.run.output):,} characters; the result of {answer.id} holds {len(answer.text):,} of them."
            yield _at(answer, saw, "Send the tool's whole output as the content of its result.")


def _is_cut(output, text: str) -> bool:
    """Whether a long output lost its end or its beginning: quoted in short, both would look alike."""
    return (
        isinstance(output, str)
        and len(text) > 40
        and len(text) < len(output)
        and (output.startswith(text[:-20]) or output.endswith(text[20:]))
    )


@rule("L09", "result-under-wrong-id", severity="harmful", chapter=5, needs="transcript", sources=("contract.md",))
def result_under_wrong_id(run):
    """Each result carries the id of its own call.

    Why: the model reads Oslo's weather as Rome's, and nobody sees an error. Fix: take the id from the call that you ran.
    """
    for answer in _with_output(run):
        other = _swapped(run, answer)
        if other is not None:
            saw = f"The result of {answer.id} ({brief(answer.call.get('input'), 40)}) is the output of {other.id} ({brief(other.call.get('input'), 40)})."
            yield _at(answer, saw, "Build each result right where its call is run, with call.id.")


def _with_output(run):
    return [a for a in run.answers if a.result and a.known and a.run and a.run.outcome == "returned" and not a.marked]


def _swapped(run, answer):
    content = answer.result.block.get("content")
    if _is_output(content, answer.run.output):
        return None
    siblings = [
        a for a in run.answers if a.step is answer.step and a is not answer and a.run and a.run.outcome == "returned"
    ]
    return next((a for a in siblings if content and _is_output(content, a.run.output)), None)


def _is_output(content, output) -> bool:
    if isinstance(output, str):
        return content == output
    if isinstance(output, list) and all(isinstance(block, dict) and "type" in block for block in output):
        return content == result_content(output)
    return content == "" if output is None and content == "" else output is None or speaks(text_of(content), output)


@rule(
    "L10", "error-not-marked", severity="harmful", chapter=6, needs="transcript", sources=("contract.md", "facts.md 1")
)
def error_not_marked(run):
    """When a tool raises, is unknown, does not fit, or was not run, its result says ``is_error: true``.

    Why: without the mark the model reads the text as a result. Fix: add ``"is_error": True`` to that result.
    """
    for answer in run.answers:
        if answer.result and answer.should_be_error and not answer.marked and not _made_up(answer):
            saw = f"The call {answer.title} {_what_went_wrong(answer)}. Its result does not say is_error: true."
            yield _at(answer, saw, 'Put "is_error": True on the result of a call that did not work.')


def _made_up(answer) -> bool:
    """A known, fitting call that was to be run and was not: that is L05, not a missing mark."""
    return answer.run is None and answer.known and answer.fits and answer.wanted != "never"


@rule("L11", "error-mark-on-success", severity="harmful", chapter=6, needs="transcript", sources=("contract.md",))
def error_mark_on_success(run):
    """``is_error`` stands on errors alone.

    Why: the model takes a good result for a failure and tries again. Fix: set it only where the tool raised.
    """
    for answer in run.answers:
        if answer.result and answer.marked and answer.run and answer.run.outcome == "returned":
            saw = f"The tool of {answer.title} returned {_quote(answer.run.output)}; its result says is_error: true."
            yield _at(answer, saw, "Set is_error only where the call failed.")


@rule("L12", "error-text-unhelpful", severity="harmful", chapter=6, needs="transcript", sources=("contract.md",))
def error_text_unhelpful(run):
    """An error result says what went wrong: the exception's message (its type where that is empty), the unknown name, the argument.

    Why: the model can only mend what it can read about. Fix: ``f"{type(error).__name__}: {error}"``.
    """
    for answer in run.answers:
        if not (answer.result and answer.marked) or answer.wanted == "never":
            continue
        if answer.wanted == "may" and answer.run is None and answer.returned:
            continue  # closed at the end of the run, as a call that was not run: its name and input were never looked at
        needed = _needed_words(run, answer)
        if needed and not any(word in answer.text for word in needed):
            saw = f"The call {answer.title} {_what_went_wrong(answer)}. Its result says {_quote(answer.text)}."
            yield _at(answer, saw, f"Say what went wrong: the text should hold “{brief(needed[0], 60)}”.")


def _needed_words(run, answer) -> list[str]:
    """Any one of these in the text is enough; an empty list asks for nothing."""
    if not answer.known:
        return [str(answer.call.get("name"))]
    if answer.run is not None and answer.run.outcome == "raised":
        error = answer.run.error
        bare = error["message"].strip().strip("'\"")  # str(KeyError("x")) is "'x'"; either form helps
        return [bare] if bare else [error["type"]]
    if not answer.fits and (answer.run is None or answer.run.outcome == "unfit"):
        return misfits(run, answer.call)
    return []


def _what_went_wrong(answer) -> str:
    if not answer.known:
        return "names a tool that is not among the functions"
    if answer.run is None:
        return "was not run" if answer.fits else "has an input that does not fit the function"
    if answer.run.outcome == "raised":
        return f"raised {answer.run.error['type']}: {brief(answer.run.error['message'], 60)}"
    if answer.run.outcome == "unfit":
        return "has an input that does not fit the function"
    return "did not come back within the tool's time"


def _quote(value) -> str:
    return f"“{brief(value, 70)}”" if value not in ("", None) else "nothing"


def _at(answer, saw, help_) -> Finding:
    at = answer.step.index + (0.7 if answer.returned else 1)
    return Finding(at, answer.where, saw, help_)


@rule(
    "L26",
    "tool-error-escaped",
    severity="harmful",
    chapter=6,
    needs="transcript",
    sources=("contract.md", "facts.md 9"),
)
def tool_error_escaped(run):
    """A tool that raises, an unknown name and an input that does not fit never end the loop: they are answered.

    Why: the run dies, and the call stays open in the history that was saved. Fix: catch the exception around the call of the
    function and send its text back as an error result.
    """
    crash, step = run.transcript.crash, run.last
    if crash is None or step is None or step.outcome != "reply":
        return
    cause = _cause_of_crash(run, step, crash)
    if cause:
        help_ = "Catch the exception around the call and answer it with is_error: True and the exception's text."
        yield Finding(step.index + 0.6, f"reply {step.index + 1}", f"{cause}, and that ended the loop.", help_)


def _cause_of_crash(run, step, crash) -> str | None:
    for served in step.served:
        if served.outcome in ("raised", "unfit") and served.error and _same_error(served.error, crash):
            return f"{served.name} raised {crash.type}: {brief(crash.message, 60)}"
    for call in step.calls:
        if not run.function_known(call.get("name")) and _of_unknown_name(call.get("name"), crash):
            return f"The model asked for {call.get('name')}, which is not among the functions ({crash.type}: {brief(crash.message, 60)})"
    return None


def _of_unknown_name(name, crash) -> bool:
    """Whether a look for a function that isn't there ends like this. Any other error has a cause of its own."""
    return (
        crash.type in ("KeyError", "StopIteration", "IndexError")
        or "callable" in crash.message
        or str(name) in crash.message
    )


def _same_error(error: dict, crash) -> bool:
    grouped = crash.type in ("ExceptionGroup", "BaseExceptionGroup")
    return grouped or (error["type"] == crash.type and error["message"] in (crash.message, crash.message.strip("'\"")))
