"""The verbs for teachers: class, and what other systems read."""

import sys
from pathlib import Path

import click

from grader.cli.options import LEVELS


@click.command("class")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out", "results", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results."
)
@click.option(
    "--chapter", type=click.IntRange(1), help="Grade this chapter (default: the one that each file's name tells)."
)
@click.option("--contract", is_flag=True, help="Grade run_agent alone, against the contract.")
@click.option("--level", type=click.Choice(LEVELS), help="With --contract: up to this level (default: the last).")
@click.option(
    "--function",
    "function",
    default="run_agent",
    show_default=True,
    metavar="NAME",
    help="The loop's name in the files.",
)
@click.option(
    "--jobs", type=click.IntRange(1), help="Processes (default: as many as there are cores, fewer for a small class)."
)
@click.option("--cluster", metavar="ADDRESS", help="Grade on the workers of the Dask scheduler at this address.")
@click.option("--require-sandbox", is_flag=True, help="Refuse to grade with less isolation than bubblewrap's.")
@click.option(
    "--fuzz", type=click.IntRange(0), default=0, metavar="N", help="Also play N drawn conversations to each loop."
)
@click.option("--seed", type=click.IntRange(0), help="The seed of the run (default: a fresh one, kept in the results).")
@click.option(
    "--keep",
    type=click.Choice(["best", "last"]),
    default="best",
    show_default=True,
    help="Which attempt of a learner counts.",
)
@click.option("--one", default="", metavar="NAME", help="All files are the work of this one learner.")
def class_(
    folder, results, chapter, contract, level, function, jobs, cluster, require_sandbox, fuzz, seed, keep, one
) -> None:
    """Grade the submissions of a class, each in a sandbox.

    FOLDER holds one file a learner, a folder a learner, nbgrader's submitted/ tree, or the zip that Canvas or Moodle lets you download
    (FOLDER may also be that zip itself). Stop it at any moment: the same command goes on where it stopped.

    \b
    Exit codes: 0 all graded, 1 the grader failed on some (run it again), 2 nothing could be graded.
    """
    from grader.commands.class_ import CannotGrade, assignment_for, grade_class

    if contract and chapter is not None:
        raise click.UsageError("Give either --chapter N or --contract.")
    if level and not contract:
        raise click.UsageError("--level goes with --contract.")
    if cluster is not None and not cluster.strip():
        raise click.UsageError("--cluster needs the scheduler's address, such as tcp://127.0.0.1:8786.")
    if jobs and cluster:
        raise click.UsageError("--jobs is for this machine. On a cluster the number of workers decides.")
    how = {"jobs": jobs, "cluster": cluster or "", "require_sandbox": require_sandbox, "seed": seed, "one": one}
    try:
        wanted = (level or LEVELS[-1]) if contract else None
        assignment = assignment_for(chapter=chapter, level=wanted, function=function, fuzz=fuzz, keep=keep)
        done = grade_class(folder, results, assignment, **how)
    except CannotGrade as error:
        raise click.UsageError(str(error)) from None
    except KeyboardInterrupt:
        click.echo("\nStopped. What is graded is kept; the same command goes on from there.", err=True)
        sys.exit(130)
    isolation = f" (isolation: {done.isolation})" if done.isolation else ""
    learners, files = _counted(done.learners, "learner"), _counted(done.graded, "file")
    click.echo(f"{learners}: {files} graded{isolation}, {done.skipped} done before. Seed {done.seed}.")
    click.echo(f"See {results / 'gradebook.csv'} and {results / 'class.html'}.")
    if done.faults:
        failed = _counted(done.faults, "file")
        click.echo(
            f"The grader failed on {failed}. Run the same command again; nothing else is graded twice.", err=True
        )
    sys.exit(1 if done.faults else 0)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@click.group()
def export() -> None:
    """Write what other systems read: Gradescope, Canvas, Moodle, GitHub."""


@export.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default="autograder.zip", show_default=True)
@click.option("--chapter", type=click.IntRange(1), help="Grade this chapter.")
@click.option("--contract", is_flag=True, help="Grade run_agent alone, against the contract.")
@click.option("--level", type=click.Choice(LEVELS), help="With --contract: up to this level (default: the last).")
@click.option(
    "--fuzz", type=click.IntRange(0), default=0, metavar="N", help="Also play N drawn conversations to each loop."
)
def gradescope(out, chapter, contract, level, fuzz) -> None:
    """Build the autograder zip that Gradescope takes."""
    from grader.classroom.exports.gradescope import build
    from grader.commands.class_ import CannotGrade, told, wanted_chapter

    if contract == (chapter is not None):
        raise click.UsageError("Give either --chapter N or --contract.")
    if level and not contract:
        raise click.UsageError("--level goes with --contract.")
    try:
        wanted_chapter(chapter)
        build(out, chapter=chapter, level=(level or LEVELS[-1]) if contract else None, fuzz=fuzz)
    except (CannotGrade, OSError) as error:
        raise click.UsageError(told(error)) from None
    click.echo(f"wrote {out}")


@export.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--lms", type=click.Choice(["canvas", "moodle"]), required=True)
@click.option(
    "--assignment",
    required=True,
    metavar="NAME",
    help="The assignment's name in the LMS; in Canvas with its number: 'Loop (42)'.",
)
@click.option(
    "--roster", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The LMS's own CSV, to be filled in."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
def csv(results, lms, assignment, roster, out) -> None:
    """Write the points of a class run as the CSV that Canvas or Moodle imports."""
    from grader.classroom.exports.lms import ExportError, write_csv
    from grader.commands.class_ import told

    try:
        missed = write_csv(results, out, lms=lms, assignment=assignment, roster=roster)
    except (ExportError, OSError) as error:
        raise click.UsageError(told(error)) from None
    for line in missed:
        click.echo(line, err=True)
    click.echo(f"wrote {out}")


@export.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    show_default=True,
    help="The class repository.",
)
@click.option(
    "--chapter", type=click.IntRange(1), help="Grade this chapter (default: the one that each file's name tells)."
)
def github(out, chapter) -> None:
    """Write a GitHub Actions workflow that grades each push to a learner's repository."""
    from grader.classroom.exports.github import write_workflow
    from grader.commands.class_ import CannotGrade, told, wanted_chapter

    try:
        wanted_chapter(chapter)
        click.echo(f"wrote {write_workflow(out, chapter=chapter)}")
    except (CannotGrade, OSError) as error:
        raise click.UsageError(told(error)) from None


@export.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
def annotations(results) -> None:
    """Print the findings of a class run as GitHub annotations."""
    from grader.classroom.exports.github import annotation_lines

    try:
        lines = list(annotation_lines(results))
    except (OSError, ValueError, LookupError):
        raise click.UsageError(f"{results} holds no results of a finished class run (results.sarif).") from None
    for line in lines:
        click.echo(line)
