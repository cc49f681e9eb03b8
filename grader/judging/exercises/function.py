"""A plain function of the learner's: called with each case of a table, and with nothing else."""

import functools
import json

from grader.history.plain import plain
from grader.judging.exercises.arguments import Calls, build
from grader.judging.exercises.differences import first_difference, with_json_read
from grader.judging.exercises.fixtures import FixtureError, read_fixture
from grader.judging.exercises.folders import NotHere
from grader.judging.exercises.memory import with_peak
from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import try_property
from grader.judging.exercises.wording import said, shown_case
from grader.judging.pieces import as_if_a_dict, brief, raised, result_content, speaks, text_of
from grader.judging.report import CheckReport, ExerciseReport, exercise_report
from grader.judging.rules.values import finding
from grader.places import FUNCTIONS
from grader.replay.bounded import call_bounded

DEADLINE_S = 5.0


def grade_function(exercise, value, *, seed: int) -> ExerciseReport:
    """Call the function once a case, with fresh arguments, and compare. ``seed``: for the cases that are drawn."""
    fixture = read_fixture(FUNCTIONS, exercise.fixture)
    if not callable(value):
        what = "still to be written" if value is None or value is ... else f"a {type(value).__name__}, not a function"
        verdict = "not_attempted" if value is None or value is ... else "failed"
        found = (
            []
            if verdict == "not_attempted"
            else [finding("X02", exercise.name, f"{exercise.name} is {what}.", "Hand in the function itself.")]
        )
        return exercise_report(
            exercise, [CheckReport(name="cases", title=exercise.title, verdict=verdict, violations=found)]
        )
    checks = []
    for case in fixture["cases"]:
        if case.get("last") and any(check.verdict != "passed" for check in checks):
            continue
        check = _check(exercise.name, value, case)
        if check is None:
            continue
        checks.append(check)
        if check.verdict == "not_attempted" and len(checks) == 1:
            break
    if not all(check.verdict == "not_attempted" for check in checks):
        checks += [
            try_property(PROPERTIES[name], exercise.name, value, seed=seed) for name in fixture.get("properties", [])
        ]
    return exercise_report(exercise, checks, why=fixture.get("why", ""))


def _check(name: str, function, case: dict) -> CheckReport | None:
    """One case; None where this machine can't make what it needs."""
    calls = Calls()
    try:
        arguments = [build(item, calls) for item in case.get("args", [])]
        keywords = {key: build(item, calls) for key, item in case.get("kwargs", {}).items()}
        call = functools.partial(function, *arguments, **keywords)
        return _report(name, case, call, calls)
    except NotHere:
        return None
    finally:
        calls.folders.close()


def _report(name: str, case: dict, call, calls: Calls) -> CheckReport:
    title, where, peak = case["title"], f"{name}({shown_case(case)})", 0
    if "memory_kb" in case["expect"]:
        outcome, peak = with_peak(lambda: call_bounded(call, DEADLINE_S))
    else:
        outcome = call_bounded(call, DEADLINE_S)
    if outcome.stub:
        return CheckReport(name=title, title=title, verdict="not_attempted")
    fault = _fault(outcome, case, calls) or _memory_fault(case, peak)
    if fault is None:
        return CheckReport(name=title, title=title, verdict="passed")
    code, saw = fault
    why = case.get("why", "Look at the case again.")
    help_ = _slip(name, outcome.error) or why
    return CheckReport(
        name=title, title=title, verdict="failed", violations=[finding(code, where, calls.folders.hide(saw), help_)]
    )


def _slip(name: str, error) -> str:
    """What to do about an error that has nothing to do with the case; "" when the case's own words help more."""
    if error is None:
        return ""
    if error.type == "TypeError" and not error.frames and f"{name}() " in str(error.message):
        return "The call itself failed, before the first line of your function. Give it the parameters that it had in the stub."
    if error.type in ("NameError", "UnboundLocalError"):
        return "Mend that line first. A name is misspelled there, or used before it has a value."
    return as_if_a_dict(error)


def _memory_fault(case: dict, peak: int) -> tuple[str, str] | None:
    limit = case["expect"].get("memory_kb")
    if limit is None or peak <= limit * 1024:
        return None
    return (
        "X02",
        f"The end was right, but on the way the function filled more than {limit} KB of memory. It did the work before it refused it.",
    )


def _fault(outcome, case: dict, calls: Calls) -> tuple[str, str] | None:
    """The rule and what was seen, for a case that went wrong; None when it went right."""
    expect = case["expect"]
    if outcome.timed_out:
        return "X03", f"The function had not returned after {DEADLINE_S:g} seconds."
    if "raises" in expect:
        if outcome.error is None:
            return "X02", f"The function returned {said(outcome.value)}; it should raise {expect['raises']}."
        if outcome.error.type != expect["raises"]:
            return (
                "X02",
                f"The function raised {outcome.error.type}: {brief(outcome.error.message)}; it should raise {expect['raises']}.",
            )
    elif outcome.error is not None:
        return "X03", raised(outcome.error)
    elif (differs := _difference(outcome.value, expect)) is not None:
        return "X02", differs
    return _calls_fault(expect, calls)


def _difference(value, expect: dict) -> str | None:
    got = plain(value)[0]
    if "result_block" in expect:
        return _block_difference(got, expect["result_block"])
    if "result_blocks" in expect:
        return _blocks_difference(value, got, expect["result_blocks"])
    if "returns" in expect:
        got, want = with_json_read(got, expect["returns"])
        missing = " (is there a return?)" if value is None else ""
        whole = f"The function returned {said(value)}{missing}; it should return {said(want)}."
        return None if _same_value(got, want) else first_difference(got, want) or whole
    raise FixtureError(f"a case expects none of returns, result_block, result_blocks, raises: {sorted(expect)}")


def _block_difference(got, want: dict) -> str | None:
    if not isinstance(got, dict):
        return f"The function returned {said(got)}; it should return a tool_result block, a dict."
    if "role" in got and "type" not in got:
        return "The function returned a message: it has a role. It should return the tool_result block alone."
    mine = {key: item for key, item in got.items() if item is not None and not (key == "is_error" and item is False)}
    theirs = {key: item for key, item in want.items() if not (key == "is_error" and item is False)}
    for key in [*theirs, *mine]:
        if key not in mine:
            return f"The block has no {key!r}; it should be {said(theirs[key])}."
        if key not in theirs:
            return f"The block has the key {key!r} ({said(mine[key])}), which does not belong there."
        if not (_same_content(mine[key], theirs[key]) if key == "content" else _same_json(mine[key], theirs[key])):
            return f"The block's {key!r} is {said(mine[key])}; it should {_wanted(theirs[key])}."
    return None


def _blocks_difference(value, got, want: list[dict]) -> str | None:
    """A list of results is compared by their ids: in which order they stand means nothing."""
    if not isinstance(got, list):
        return f"The function returned {said(value)}; it should return a list of tool_result blocks."
    blocks = [block for block in got if isinstance(block, dict) and isinstance(block.get("tool_use_id"), str)]
    by_id = {block["tool_use_id"]: block for block in blocks}
    for block in want:
        if block["tool_use_id"] not in by_id:
            return f"The list of {len(got)} holds no result for {block['tool_use_id']}: {said(got)}."
        if differs := _block_difference(by_id[block["tool_use_id"]], block):
            return f"The result for {block['tool_use_id']}: {differs}"
    return (
        None
        if len(got) == len(want)
        else f"The list holds {len(got)} blocks; it should hold {len(want)}, one for each call."
    )


def _same_content(got, want) -> bool:
    if isinstance(want, dict) and "$contains" in want:
        return want["$contains"] in text_of(got)
    if isinstance(want, dict) and "$text_of" in want:
        return isinstance(result_content(got), str) and speaks(text_of(got), want["$text_of"])
    return _same_json(result_content(got), result_content(want))


def _wanted(value) -> str:
    if isinstance(value, dict) and "$contains" in value:
        return f"hold {said(value['$contains'])}"
    if isinstance(value, dict) and "$text_of" in value:
        return f"be a text that says {said(value['$text_of'])}"
    return f"be {said(value)}"


def _calls_fault(expect: dict, calls: Calls) -> tuple[str, str] | None:
    if "calls" not in expect:
        return None
    if calls.positional:
        return (
            "X04",
            f"{calls.positional[0]} was called with a positional argument. A tool's input goes in as keyword arguments.",
        )
    if _same_json(calls.made, expect["calls"]):
        return None
    made = (
        ", ".join(f"{call['name']}({_keywords(call['kwargs'])})" for call in calls.made)
        or "none of the functions that it was given"
    )
    wanted = ", ".join(f"{call['name']}({_keywords(call['kwargs'])})" for call in expect["calls"]) or "none"
    return "X04", f"The function called {made}; it should call {wanted}."


def _same_value(got, want) -> bool:
    """Equal as JSON, or as numbers: 14 and 14.0 are the same answer."""
    if type(got) in (int, float) and type(want) in (int, float):
        return got == want
    return _same_json(got, want)


def _same_json(one, other) -> bool:
    try:
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return False


def _keywords(kwargs: dict) -> str:
    return ", ".join(f"{key}={brief(item, 40)}" for key, item in kwargs.items())
