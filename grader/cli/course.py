"""The verbs for those who write the course: build and site."""

import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; list what is stale and exit with 1 if anything is."
)
@click.option("--stats", "only_stats", is_flag=True, help="Print words, cells and code lines of each chapter.")
def build(only_check, only_stats) -> None:
    """Make notebooks/ and solutions/ from chapters/, and the rule pages and schemas from their declarations."""
    from grader.commands.build import build_all, stale, stats_table
    from grader.course.chapters import CourseError

    try:
        if only_stats:
            click.echo(stats_table())
        elif only_check:
            found = stale()
            for path in found:
                click.echo(f"stale: {path}")
            sys.exit(1 if found else 0)
        else:
            for path in build_all():
                click.echo(f"wrote {path}")
    except CourseError as error:
        raise click.UsageError(str(error)) from None


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--pyodide",
    "package",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Pyodide's npm package (default: fetch it).",
)
def site(out, package) -> None:
    """Build the course as a static site in OUT: it runs in the browser, with nothing installed.

    It needs requirements-site.txt, npm, and their registries; the site itself asks no other server for anything.

    \b
    Exit codes: 0 built, 2 something is missing.
    """
    from grader.commands.site import build
    from grader.site.errors import CannotBuild

    try:
        click.echo(build(out, package))
    except CannotBuild as error:
        raise click.UsageError(str(error)) from None
