"""The verbs about one history or one loop: lint, explain, check, fuzz, record."""

import sys
from pathlib import Path

import click

from grader.cli.options import FORMAT, LEVELS


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "format_", type=FORMAT, default="text", show_default=True, help="json: one object a history.")
@click.option("--select", "select", multiple=True, metavar="CODE", help="Only these rules (may be given again).")
@click.option("--ignore", "ignore", multiple=True, metavar="CODE", help="Not these rules (may be given again).")
def lint(sources, format_, select, ignore) -> None:
    """Hold message histories to the rules of the API.

    FILE is JSON (a list of messages, or a request with "messages") or JSONL (one of these a line; also objects that hold a "request").
    - reads standard input.

    A request is about to be sent: all rules hold. A bare list is a transcript: it may end with the assistant.
    """
    from grader.commands.lint import lint_files

    known = [_known_code(code) for code in (*select, *ignore)]
    sys.exit(lint_files(sources, format=format_, select=known[: len(select)], ignore=known[len(select) :]))


def _known_code(text: str) -> str:
    from grader.commands.rulebook import find_rule

    found = find_rule(text)
    if found is None:
        raise click.BadParameter(f"there is no rule {text!r}; `grader explain` lists them")
    return found.code


@click.command()
@click.argument("code", required=False)
def explain(code) -> None:
    """Explain a rule: what it says, why, how to mend it, a bad and a good example.

    CODE is a rule's code or name, such as P01 or unanswered-call. Without it: the list of all rules.
    """
    from grader.commands.rulebook import explanation, listing

    if code is None:
        click.echo(listing())
        return
    text = explanation(code)
    if text is None:
        raise click.UsageError(f"There is no rule {code!r}. `grader explain` lists them all.")
    click.echo(text)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--chapter", type=click.IntRange(1), help="Grade the exercises of this chapter, and the loop of those before."
)
@click.option("--exercise", "exercise_id", metavar="ID", help="With --chapter: this exercise alone.")
@click.option("--contract", is_flag=True, help="Grade run_agent alone, against the contract.")
@click.option(
    "--scenario", "scenarios", multiple=True, metavar="FILE", help="Play this scenario file alone (may be given again)."
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="Up to this level (default: the last; with --scenario: the scenario's own).",
)
@click.option(
    "--fuzz",
    "examples",
    type=click.IntRange(1),
    metavar="N",
    help="Then play N drawn conversations (see `grader fuzz`).",
)
@click.option(
    "--function", "function", default="run_agent", show_default=True, metavar="NAME", help="The loop's name in FILE."
)
@click.option("--seed", type=click.IntRange(0), help="Play the same run again (a report prints its seed).")
@click.option("--format", "format_", type=FORMAT, default="text", show_default=True)
def check(file, chapter, exercise_id, contract, scenarios, level, examples, function, seed, format_) -> None:
    """Play the course's scenarios to the loop in FILE and judge the history that it sent.

    FILE is a notebook (.ipynb) or a Python file (.py). It is run in this process: grade work of strangers in a sandbox instead.

    \b
    Exit codes: 0 passed, 1 graded with failures, 2 could not be graded.

    \b
    Examples:
      grader check notebooks/03_the_while_loop.ipynb --chapter 3
      grader check my_loop.py --contract --level pairing
      grader check my_loop.py --contract --fuzz 200 --seed 7
      grader check my_loop.py --scenario smallest.json
    """
    from grader.commands.check import check_file, check_scenarios

    if [contract, chapter is not None, bool(scenarios)].count(True) != 1:
        raise click.UsageError("Give either --chapter N, --contract or --scenario FILE.")
    if level and chapter is not None:
        raise click.UsageError("--level goes with --contract or --scenario.")
    if exercise_id and chapter is None:
        raise click.UsageError("--exercise goes with --chapter.")
    if examples and scenarios:
        raise click.UsageError("--fuzz goes with --chapter or --contract.")
    if scenarios:
        report = check_scenarios(file, scenarios, level=level, function=function, seed=seed)
    else:
        level = (level or LEVELS[-1]) if contract else None
        wanted = {"chapter": chapter, "exercise_id": exercise_id, "level": level, "examples": examples}
        report = check_file(file, **wanted, function=function, seed=seed)
    _print_report(report, format_)
    sys.stdout.flush()
    _leave({"passed": 0, "error": 2}.get(report.verdict, 1))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--function", "function", default="run_agent", show_default=True, metavar="NAME", help="The loop's name in FILE."
)
@click.option(
    "--examples", type=click.IntRange(1), default=200, show_default=True, help="How many conversations are drawn."
)
@click.option("--seed", type=click.IntRange(0), help="Draw the same conversations again (the output names its seed).")
@click.option(
    "--level", type=click.Choice(LEVELS), default=LEVELS[-1], show_default=True, help="Draw what this level knows."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="NAME.json", help="Write the smallest that breaks the loop there."
)
@click.option("--format", "format_", type=FORMAT, default="text", show_default=True)
def fuzz(file, function, examples, seed, level, out, format_) -> None:
    """Play drawn conversations to the loop in FILE, and show the smallest one that breaks it.

    The conversation is a scenario file: `grader check FILE --scenario NAME.json` plays it again. FILE is run in this process: grade work
    of strangers in a sandbox instead.

    \b
    Exit codes: 0 all conversations hold, 1 one broke the loop, 2 nothing could be played.

    \b
    Examples:
      grader fuzz my_loop.py
      grader fuzz my_loop.py --level errors --examples 1000 --out smallest.json
    """
    from grader.commands.fuzz import fuzz_file, told

    try:
        fuzzed = fuzz_file(file, function=function, examples=examples, level=level, seed=seed, out=out)
    except OSError as error:
        raise click.UsageError(f"{out}: cannot be written: {error.strerror}") from None
    if format_ == "json":
        click.echo(fuzzed.to_json())
    else:
        _print_report(fuzzed.report, format_)
        click.echo(told(fuzzed, file, out), nl=False)
    sys.stdout.flush()
    _leave({"passed": 0, "error": 2}.get(fuzzed.report.verdict, 1))


@click.command(context_settings={"ignore_unknown_options": True})
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="NAME.json", help="The file to write, or a folder."
)
@click.option("--name", help="The scenario's name, where --out is a folder: NAME.json is written into it.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default=LEVELS[0],
    show_default=True,
    help="The level that the scenario belongs to.",
)
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="NAME",
    help="Record this scenario of the course once more; all: each.",
)
@click.option("--upstream", metavar="URL", help="Where requests go (default: where the SDK would send them).")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def record(out, name, level, scenarios, upstream, command) -> None:
    """Run COMMAND, and write what it and the API said to each other as a scenario.

    COMMAND gets an ANTHROPIC_BASE_URL of its own, where each request is passed on. It needs what it always needs: with the API as
    upstream, a key and a network. Keys, account ids and the ids of the run are not in the file; read the file before you share it, since
    what was said is.

    With --scenario, COMMAND is a file with a loop (.py or .ipynb), and --out a folder: the loop's run_agent is run with the scenario's task
    and scripted tools, and the model's own replies take the place of the written ones.

    \b
    Exit codes: 0 written, 1 written, but COMMAND or a scenario failed, 2 nothing could be recorded.

    \b
    Examples:
      grader record --out my-run.json -- python my_agent.py
      grader record --out recorded --scenario all -- my_loop.py
    """
    if scenarios:
        sys.exit(_record_again(scenarios, command, out, upstream))
    from grader.commands.record import CannotRecord, record_command, target

    try:
        path, name = target(out, name)
        code, notes = record_command(list(command), path, name, level=level, upstream=upstream)
    except CannotRecord as error:
        raise click.UsageError(str(error)) from None
    for note in notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"wrote {path}")
    if code:
        raise SystemExit(_told_failure(command[0], code))


def _record_again(scenarios, command, out: Path, upstream) -> int:
    from grader.commands.record import CannotRecord
    from grader.commands.record_again import record_scenarios

    if len(command) != 1:
        raise click.UsageError("With --scenario, give one file with a loop.")
    failed = 0
    try:
        for line in record_scenarios(scenarios, Path(command[0]), out, upstream=upstream):
            click.echo(line)
            failed += line.startswith("failed")
    except CannotRecord as error:
        raise click.UsageError(str(error)) from None
    return 1 if failed else 0


def _told_failure(program: str, code: int) -> int:
    click.echo(f"note: {program} ended with the exit code {code}; what it said until then is recorded", err=True)
    return 1


def _print_report(report, format_: str) -> None:
    from grader.judging import render_text

    if format_ == "json":
        click.echo(report.to_json())
        return
    width = min(_columns(), 110)
    click.echo(render_text(report, width=max(width, 60), colour=sys.stdout.isatty()))


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def _leave(code: int) -> None:
    """End the process even where a thread of the learner's code cannot be stopped."""
    import os
    import threading

    stuck = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    sys.stderr.flush()
    if stuck or any(thread.name in ("loop", "learner") for thread in threading.enumerate()):
        os._exit(code)
    sys.exit(code)
