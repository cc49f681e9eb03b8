"""HTML for people: a page a learner, and the report on the class. No script, nothing from elsewhere; all foreign text
is escaped.
"""

from __future__ import annotations

import re
from functools import cache

from grader.classroom import plots
from grader.classroom.assignment import Assignment
from grader.classroom.gradebook import number
from grader.classroom.rows import Row
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
<style>
:root{color-scheme:light dark;--ink:#222;--paper:#fff;--soft:#f2f3f5;--pale:#d8dee6;--bar:#3a6ea5;--link:#1f5a96}
@media screen and (prefers-color-scheme:dark){
:root{--ink:#e4e6e9;--paper:#17191d;--soft:#25282e;--pale:#3b424c;--bar:#7aa9dc;--link:#9cc4f0}}
body{font-family:system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;line-height:1.5;
color:var(--ink);background:var(--paper)}
a{color:var(--link)}h1,h2,h3{line-height:1.2}
table{border-collapse:collapse}th,td{text-align:left;padding:.2em .8em .2em 0;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;background:var(--soft);padding:.6em}
h1,h2,h3,pre,.long{overflow-wrap:anywhere}
.long{min-width:6em}.chart{white-space:nowrap}
.wide{overflow-x:auto}
.bar{display:inline-block;width:7em;height:.8em;background:var(--pale);margin-right:.5em;print-color-adjust:exact}
.bar i{display:block;height:100%;background:var(--bar);print-color-adjust:exact}
svg rect{fill:var(--bar)}svg text{fill:var(--ink)}svg line{stroke:var(--ink)}
@media (max-width:40em){.bar{width:3.5em}th,td{padding-right:.5em}}
</style></head><body>
"""

_LEARNER = (
    _HEAD
    + """\
{% if assignment %}<p>{{ assignment }}</p>
{% endif %}
<h1>{{ name }}</h1>
{%- for one in attempts %}
<h2>{{ one.place }}</h2>
<p><b>{{ number(one.report.points) }} of {{ number(one.report.max_points) }} points</b>{% if one.late %}, handed in
late{% endif %}.
{%- if counts %} {% if one.key in counts %}This attempt counts.{% else %}Another attempt counts.{% endif %}{% endif %}
{%- if one.outcome and one.outcome != "finished" %} How the code ended: <b>{{ one.outcome }}</b>.
{%- if not one.report.message.startswith(meanings[one.outcome]) %} {{ meanings[one.outcome] }}{% endif %}{% endif %}</p>
{{ one.html }}
{%- if one.output %}
<details><summary>What the code printed</summary><pre>{{ one.output }}</pre></details>
{%- endif %}
{%- if one.report.seed is not none %}
<p><small>To play the same run on your own machine:
<code>python -m grader check FILE {{ again(one.sheet) }} --seed {{ one.report.seed }}</code>.
Isolation: {{ one.report.isolation }}.</small></p>
{%- endif %}
{%- endfor %}
</body></html>
"""
)

_CLASS = (
    _HEAD
    + """\
{%- macro bar(value, total) -%}
<span class="bar" aria-hidden="true"><i style="width:{{ "%.1f" % (100 * value / total if total else 0) }}%"></i></span>
{{- value }}
{%- endmacro %}
{%- macro named(name, page) -%}
{% if page %}<a href="{{ page }}">{{ name }}</a>{% else %}{{ name }}{% endif %}
{%- endmacro %}
<h1>{{ title }}</h1>
<p>{{ tally.handed_in }} of {{ tally.learners }} learners handed in a file to grade{% if tally.late %},
{{ tally.late }} of them late{% endif %}.
On average they have {{ number(mean) }} of {{ number(max_points) }} points. The {{ keep }} attempt of each counts.</p>
{%- if weak %}
<p><b>Isolation: {{ weak }}.</b> The submissions were graded without the sandbox. See what that means in the guide for
teachers.</p>
{%- endif %}
<h2>Points</h2>
<p>How many learners have how much of the points, in percent.</p>
{{ shares }}
<h2>Exercises</h2>
<div class="wide"><table><tr><th scope="col">Exercise</th><th scope="col">Passed</th><th scope="col" class="n">Not
yet</th><th scope="col" class="n">Not attempted</th><th scope="col" class="n">Not gradable</th></tr>
{%- for heading, counts in tally.exercises.items() %}
<tr><th scope="row">{{ tally.titles[heading] }} <small><code>{{ heading }}</code></small></th>
<td class="chart">{{ bar(counts.passed, tally.handed_in) }}</td><td class="n">{{ counts.failed }}</td>
<td class="n">{{ counts.not_attempted }}</td><td class="n">{{ counts.error }}</td></tr>
{%- endfor %}
</table></div>
<h2>What goes wrong, by chapter and rule</h2>
{%- for chapter, found in chapters.items() %}
<h3>{{ "Chapter %d" % chapter if chapter else "Values and answers" }}</h3>
<div class="wide"><table><tr><th scope="col">Rule</th><th scope="col">Learners</th><th scope="col">What it
says</th></tr>
{%- for rule, count in found %}
<tr><th scope="row"><code>{{ rule.code }}</code> {{ rule.name }}</th>
<td class="chart">{{ bar(count, tally.handed_in) }}</td>
<td>{{ first_line(rule.doc) }}</td></tr>
{%- endfor %}
</table></div>
{%- else %}
<p>No rule was broken.</p>
{%- endfor %}
<h2>How the code ended</h2>
<table>{% for word, count in tally.outcomes.most_common() %}<tr><th scope="row">{{ word }}</th>
<td class="n">{{ count }}</td><td>{{ meanings.get(word, "") }}</td></tr>{% endfor %}</table>
{%- if told %}
<h2>To look at</h2>
<table><tr><th scope="col">Learner</th><th scope="col">Note</th></tr>
{%- for name, page, note in told %}
<tr><td class="long">{{ named(name, page) }}</td><td class="long">{{ note }}</td></tr>
{%- endfor %}</table>
{%- endif %}
<h2>Learners</h2>
<table><tr><th scope="col">Learner</th><th scope="col" class="n">Points</th><th scope="col">Result</th></tr>
{%- for name, page, points, result in people %}
<tr><td class="long">{{ named(name, page) }}</td><td class="n">{{ points }}</td><td>{{ result }}</td></tr>
{%- endfor %}</table>
<p><small>{% if more %}And {{ more }} more. {% endif %}All points are in <code>gradebook.csv</code>, the pages of the
learners in the folder <code>learners</code>.</small></p>
</body></html>
"""
)
_MOST_TOLD = 500
_MOST_PEOPLE = 1000
_WORDS = {"failed": "not yet", "not_attempted": "not attempted", "error": "could not be graded"}
_ENDED = MEANINGS | {
    "finished": "The functions returned, or raised exceptions that were judged.",
    "not run": "The file is empty, or it can't be read.",
}


@cache
def _template(text: str):
    from jinja2 import Environment, StrictUndefined

    return Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined).from_string(text)


def write_page(store: Store, learner: str, counts: frozenset[str] = frozenset()) -> None:
    """Write a learner's page beside their JSON. ``counts``: the keys of the attempts that count, to be said where
    there are others.
    """
    from markupsafe import Markup

    data = store.read(learner)
    shown = []
    for one in reversed(data.get("attempts", [])):  # the newest first
        html = Markup(render_html(Report.model_validate(one["report"])))
        shown.append(one | {"html": html})
    name = data.get("name", learner)
    text = _template(_LEARNER).render(
        title=name,
        name=name,
        assignment=store.assignment,
        attempts=shown,
        counts=counts,
        meanings=MEANINGS,
        number=number,
        again=lambda label: f"--chapter {label}" if label.isdecimal() else f"--contract --level {label}",
    )
    write(store.path_of(learner, ".html"), visible(text).encode("utf-8", "backslashreplace"))


class Listing:
    """Who is named in the class report, collected while the rows pass by: as many as one page can show."""

    def __init__(self, nobody: list[str]):
        self.told: list[tuple[str, str, str]] = [("", "", note) for note in nobody]
        self.people: list[tuple[str, str, str, str]] = []
        self.left_out = 0

    def add(self, row: Row) -> None:
        name, page = row.owner.name, row.page
        self.told += [(name, page, note) for note in row.notes[: max(0, _MOST_TOLD + 1 - len(self.told))]]
        if len(self.people) >= _MOST_PEOPLE:
            self.left_out += 1
            return
        points = "?" if row.faulty else f"{number(row.points)} of {number(row.max_points)}"
        self.people.append((name, page, points, _WORDS.get(row.verdict, row.verdict)))


def class_report(tally: Tally, assignment: Assignment, listing: Listing) -> bytes:
    """The report on the class."""
    from markupsafe import Markup

    tenths = [f"{100 * i // BINS}–{100 * (i + 1) // BINS}" for i in range(BINS)]
    more_notes = [("…", "", "and more; see gradebook.csv")] if len(listing.told) > _MOST_TOLD else []
    text = _template(_CLASS).render(
        title=assignment.title,
        tally=tally,
        mean=tally.mean,
        max_points=assignment.max_points,
        keep=assignment.keep,
        weak=", ".join(sorted(name for name in tally.isolation if name not in ("bubblewrap", "none"))),
        shares=Markup(plots.columns(tally.shares, tenths, "Learners by their share of the points, in percent")),
        chapters={n: [(RULES[code], count) for code, count in found] for n, found in tally.by_chapter().items()},
        meanings=_ENDED,
        number=number,
        told=[*listing.told[:_MOST_TOLD], *more_notes],
        people=listing.people,
        more=listing.left_out,
        first_line=_first_line,
    )
    return visible(text).encode("utf-8", "backslashreplace")


def _first_line(doc: str):
    """The first line of a rule's text, with ``names`` as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`+([^`]+)`+", r"<code>\1</code>", str(escape(doc.strip().split("\n")[0]))))
