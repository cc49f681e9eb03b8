"""Options that several verbs have."""

import click

LEVELS = ("loop", "pairing", "parallel", "errors", "stop_reasons", "gates", "resume")
FORMAT = click.Choice(["text", "json"])
