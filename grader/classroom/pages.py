"""HTML for people: a page a learner, and the report on the class. No script, nothing from elsewhere; all foreign text
is escaped.
"""

from __future__ import annotations

from functools import cache

from grader.classroom import plots
from grader.classroom.assignment import Assignment
from grader.classroom.gradebook import number
from grader.classroom.sandbox import MEANINGS
from grader.classroom.store import Store, write
from grader.classroom.tally import BINS, Tally
from grader.history import RULES
from grader.history.visible import visible
from grader.judging.render_html import render_html
from grader.judging.report import Report

_HEAD = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{{ title }}</title>
<style>body{font-family:system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0
1em;line-height:1.5;color:#222;background:#fff}
table{border-collapse:collapse}th,td{text-align:left;padding:.2em .8em .2em 0;vertical-align:top}
pre{white-space:pre-wrap;overflow-wrap:anywhere;
background:#f4f4f4;padding:.6em}h1,h2,h3,td{overflow-wrap:anywhere}</style></head><body>
"""

_LEARNER = (
    _HEAD
    + """\
<h1>{{ name }}</h1>
{%- for one in attempts %}
<h2>{{ one.place }}</h2>
<p><b>{{ number(one.report.points) }} of {{ number(one.report.max_points) }} points</b>{% if one.late %}, handed in
late{% endif %}.
{%- if one.outcome and one.outcome != "finished" %} How the code ended: <b>{{ one.outcome }}</b>. {{
meanings[one.outcome] }}{% endif %}</p>
{{ one.html }}
{%- if one.output %}
<details><summary>What the code printed</summary><pre>{{ one.output }}</pre></details>
{%- endif %}
<p><small>Isolation: {{ one.report.isolation }}.{% if one.report.seed is not none %} Seed: {{ one.report.seed }}.{%
endif %}</small></p>
{%- endfor %}
</body></html>
"""
)

_CLASS = (
    _HEAD
    + """\
<h1>{{ title }}</h1>
<p>{{ tally.handed_in }} of {{ tally.learners }} learners handed something in{% if tally.late %}, {{ tally.late }} of
them late{% endif %}.
On average they have {{ number(mean) }} of {{ number(max_points) }} points. The {{ keep }} attempt of each counts.</p>
{%- if weak %}
<p><b>Isolation: {{ weak }}.</b> The submissions were graded without the sandbox. See what that means in the guide for
teachers.</p>
{%- endif %}
<h2>Points</h2>
{{ shares }}
<h2>Exercises: who has passed</h2>
{{ passed }}
<table><tr><th scope="col">Exercise</th><th scope="col">Passed</th><th scope="col">Not yet</th><th scope="col">Not
attempted</th>
<th scope="col">Not gradable</th></tr>
{%- for heading, counts in tally.exercises.items() %}
<tr><th scope="row">{{ heading }}: {{ tally.titles[heading] }}</th><td>{{ counts.passed }}</td><td>{{ counts.failed
}}</td>
<td>{{ counts.not_attempted }}</td><td>{{ counts.error }}</td></tr>
{%- endfor %}
</table>
<h2>What goes wrong, by chapter and rule</h2>
{%- for chapter, found in chapters.items() %}
<h3>{{ "Chapter %d" % chapter if chapter else "Exercises" }}</h3>
{{ found.plot }}
<ul>{% for rule, count in found.rules %}<li><code>{{ rule.code }}</code> {{ rule.name }}: {{ count }} learner{{ "" if
count == 1 else "s" }}.
{{ first_line(rule.doc) }}</li>{% endfor %}</ul>
{%- else %}
<p>No rule was broken.</p>
{%- endfor %}
<h2>How the code ended</h2>
<table>{% for word, count in tally.outcomes.most_common() %}<tr><th scope="row">{{ word }}</th><td>{{ count }}</td>
<td>{{ meanings.get(word, "") }}</td></tr>{% endfor %}</table>
{%- if told %}
<h2>To look at</h2>
<table><tr><th scope="col">Learner</th><th scope="col">Note</th></tr>
{%- for learner, note in told %}<tr><td>{{ learner }}</td><td>{{ note }}</td></tr>{% endfor %}</table>
{%- endif %}
<p><small>Pages of the learners: the folder <code>learners</code>. Points: <code>gradebook.csv</code>.</small></p>
</body></html>
"""
)
_MOST_TOLD = 500


@cache
def _template(text: str):
    from jinja2 import Environment, StrictUndefined

    return Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined).from_string(text)


def write_page(store: Store, learner: str) -> None:
    """Write a learner's page beside their JSON."""
    from markupsafe import Markup

    data = store.read(learner)
    shown = []
    for one in reversed(data.get("attempts", [])):  # the newest first
        html = Markup(render_html(Report.model_validate(one["report"])))
        shown.append(one | {"html": html})
    name = data.get("name", learner)
    text = _template(_LEARNER).render(title=name, name=name, attempts=shown, meanings=MEANINGS, number=number)
    write(store.path_of(learner, ".html"), visible(text).encode("utf-8", "backslashreplace"))


def class_report(tally: Tally, assignment: Assignment, told: list[tuple[str, str]]) -> bytes:
    """The report on the class. ``told``: (learner, note) pairs for the teacher to look at."""
    from markupsafe import Markup

    tenths = [f"{100 * i // BINS}–{100 * (i + 1) // BINS} %" for i in range(BINS)]
    passed = [(heading, counts["passed"]) for heading, counts in tally.exercises.items()]
    chapters = {
        chapter: {
            "plot": Markup(
                plots.bars(
                    [(f"{code} {RULES[code].name}", n) for code, n in found[:12]],
                    tally.handed_in,
                    "Learners who broke a rule",
                )
            ),
            "rules": [(RULES[code], n) for code, n in found],
        }
        for chapter, found in tally.by_chapter().items()
    }
    text = _template(_CLASS).render(
        title=assignment.title,
        tally=tally,
        mean=tally.mean,
        max_points=assignment.max_points,
        keep=assignment.keep,
        weak=", ".join(sorted(name for name in tally.isolation if name not in ("bubblewrap", "none"))),
        shares=Markup(plots.columns(tally.shares, tenths, "Learners by their share of the points")),
        passed=Markup(plots.bars(passed, tally.handed_in, "Learners who passed each exercise")),
        chapters=chapters,
        meanings=MEANINGS,
        number=number,
        told=[*told[:_MOST_TOLD], *([("…", f"and {len(told) - _MOST_TOLD} more")] if len(told) > _MOST_TOLD else [])],
        first_line=lambda doc: doc.strip().split("\n")[0],
    )
    return visible(text).encode("utf-8", "backslashreplace")
