"""The ``lint`` command without its option parser. Imports neither click nor rich: a small file is linted in a blink."""

import json
import sys

from grader.history import lint
from grader.history.files import UnreadableInput, read_histories


def lint_files(sources, *, format: str = "text", select=(), ignore=(), out=None) -> int:
    """Lint every history in ``sources`` (paths, or ``-`` for standard input) and print what was found.

    ``format``: "text" or "json" (one object a history). ``select`` and ``ignore``: rule codes. Returns the exit code: 0 nothing refused
    or harmful, 1 something is, 2 unreadable input (told in one line on standard error; the histories before it were printed).
    """
    out = out or sys.stdout
    code = histories = broken = 0
    for source in sources:
        try:
            for place, history in read_histories(source):
                found = [one for one in lint(history) if _wanted(one.rule, select, ignore)]
                print_findings(place, found, format, out)
                histories += 1
                broken += any(one.severity != "advice" for one in found)
        except UnreadableInput as error:
            print(f"grader lint: {error}", file=sys.stderr)
            code = 2
    if format == "text" and code == 0:
        print(_summary(histories, broken), file=out)
    return code or (1 if broken else 0)


def _wanted(rule: str, select, ignore) -> bool:
    return (not select or rule in select) and rule not in ignore


def print_findings(place: str, found: list, format: str, out) -> None:
    """One history's findings: a JSON object on a line, or a block of text for each."""
    if format == "json":
        violations = [one.as_dict() for one in found]
        print(json.dumps({"source": place, "violations": violations}, ensure_ascii=False), file=out)
        return
    for one in found:
        print(f"{place}: {one.where}: {one.rule} {one.name} ({one.severity})", file=out)
        print(f"    saw  {one.saw}", file=out)
        if one.api:
            print(f"    API  400 {one.api}", file=out)
        print(f"    do   {one.help}", file=out)


def _summary(histories: int, broken: int) -> str:
    what = "1 history" if histories == 1 else f"{histories} histories"
    if not broken:
        return f"{what} read: nothing that the API would refuse, nothing harmful."
    return f"{what} read: {broken} with something refused or harmful. `python -m grader explain CODE` tells more about a rule."
