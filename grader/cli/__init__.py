"""The command line: one short function a verb. What a verb does is in its own module, imported when the verb is used."""

import sys

import click

from grader.cli import classroom, course, loops


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Judge message histories of the Anthropic Messages API, and the loops that make them.

    No command here needs a network or an API key.

    \b
    Exit codes: 0 all is well, 1 something was found, 2 the input could not be used.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # a Windows console's own encoding lacks our signs


for verb in (
    loops.lint,
    loops.explain,
    loops.check,
    loops.fuzz,
    loops.record,
    classroom.class_,
    classroom.export,
    course.build,
    course.site,
):
    main.add_command(verb)
