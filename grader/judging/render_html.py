"""A report as HTML for a notebook or a file: no script, no style sheet, all foreign text escaped."""

import re
from functools import cache

from grader.history.visible import visible
from grader.judging.report import Report

_TEMPLATE = """\
<div style="border-left: 4px solid {{ colour }}; padding: 0.2em 0 0.2em 0.9em; margin: 0.4em 0; max-width: 56em;">
{%- for exercise in report.exercises %}
<p style="margin: 0.2em 0;"><b>{{ marks[exercise.verdict] }} {{ exercise.title }}</b>: {{ words[exercise.verdict] }}
({{ '%g' % exercise.points }} of {{ '%g' % exercise.max_points }} points)</p>
{%- if exercise.message %}<p style="margin: 0.2em 0;">{{ exercise.message | code }}</p>{% endif %}
{%- for check, times in failed(exercise) %}
{%- set root = check.violations[0] %}
<p style="margin: 0.7em 0 0.2em 0;"><b><code>{{ root.rule }}</code> {{ root.name }}</b>, in “{{ check.title }}”
{%- if times > 1 %} (and in {{ times - 1 }} more){% endif %}</p>
<table style="border-collapse: collapse; text-align: left;">
<tr><th scope="row" style="text-align: left; vertical-align: top;">Where</th><td style="text-align: left; overflow-wrap: anywhere;">{{ root.where }}</td></tr>
<tr><th scope="row" style="text-align: left; vertical-align: top;">Saw</th><td style="text-align: left; overflow-wrap: anywhere;">{{ root.saw | code }}</td></tr>
{%- if api_text(check) %}
<tr><th scope="row" style="text-align: left; vertical-align: top;">The API says</th><td style="text-align: left; overflow-wrap: anywhere;"><code>400 {{ api_text(check) }}</code></td></tr>
{%- endif %}
<tr><th scope="row" style="text-align: left; vertical-align: top;">Do</th><td style="text-align: left; overflow-wrap: anywhere;">{{ root.help | code }}</td></tr>
</table>
{%- if check.follows %}
<details><summary>{{ check.follows|length }} more, which may well be gone when this is mended</summary>
<ul>{% for violation in check.follows %}<li><code>{{ violation.rule }}</code> {{ violation.name }}, {{ violation.where }}: {{ violation.saw | code }}</li>{% endfor %}</ul>
</details>
{%- endif %}
{%- endfor %}
{%- if exercise.verdict == "passed" %}
{%- if exercise.why %}<p style="margin: 0.2em 0;">{{ exercise.why | code }}</p>{% endif %}
{%- for note in notes(exercise) %}<p style="margin: 0.2em 0;">Note <code>{{ note.rule }}</code> {{ note.name }}: {{ note.saw | code }} {{ note.help | code }}</p>{% endfor %}
{%- endif %}
{%- endfor %}
{%- if report.message %}<p style="margin: 0.2em 0;">{{ report.message }}</p>{% endif %}
{%- if report.verdict == "failed" and report.seed is not none %}<p style="margin: 0.4em 0;"><small>Played with seed {{ report.seed }}.</small></p>{% endif %}
</div>"""

_COLOURS = {"passed": "#2e7d32", "failed": "#b3261e", "not_attempted": "#8a6d00", "error": "#b3261e"}


@cache
def _template():
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True)
    environment.filters["code"] = _code
    return environment.from_string(_TEMPLATE)


def _code(text: str):
    """Foreign text escaped, with `backticks` as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(text))))


def render_html(report: Report) -> str:
    """The report as one HTML element. Meaning never rests on colour alone."""
    from grader.judging.render_text import _MARKS, _WORDS, _one_of_each_kind, _root, api_text

    def failed(exercise):
        checks = [check for check in exercise.checks if check.verdict == "failed"]
        return [(check, sum(_root(other) == _root(check) for other in checks)) for check in _one_of_each_kind(checks)]

    def notes(exercise):
        return {note.rule: note for check in exercise.checks for note in check.notes}.values()

    page = _template().render(
        report=report,
        colour=_COLOURS[report.verdict],
        words=_WORDS,
        marks={verdict: mark for verdict, (mark, _) in _MARKS.items()},
        failed=failed,
        notes=notes,
        api_text=api_text,
    )
    return visible(page)
