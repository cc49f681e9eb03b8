"""A rule in words: as plain text for the shell, and as pages for docs/rules."""

import json

from grader.history.rule import RULES, Rule

FAMILIES = {
    "P": "Calls and results",
    "E": "Empty messages and endings",
    "R": "Roles and shapes",
    "T": "Thinking",
    "S": "Server tools",
    "C": "Cache marks",
    "L": "The loop",
    "G": "Stop gates",
    "N": "What the loop returns",
    "X": "Exercises that are no loop",
}
MEANING = {
    "refused": "The API answers 400.",
    "harmful": "The API accepts it, but the loop is broken or the model gets worse.",
    "advice": "It works. There is a better way.",
}

_PAGE = """\
# {{ rule.code }} {{ rule.name }}

**{{ rule.severity }}**: {{ meaning }} Chapter {{ rule.chapter }}.

{{ rule.doc }}
{% if rule.api %}
## What the API says

```text
{{ rule.api }}
```
{% endif %}
{%- for title, example in examples %}
## {{ title }}

```json
{{ example | pretty }}
```
{% endfor %}
{%- if rule.sources %}
## Where this comes from
{% for source in rule.sources %}
- {{ source }}
{%- endfor %}
{% endif %}"""

_INDEX = """\
# Rules

Each rule has a code, and a severity that says what happens:
{% for word, meaning in meanings.items() %}
- **{{ word }}**: {{ meaning }}
{%- endfor %}

`python -m grader explain P01` prints a rule in the shell. `python -m grader build` makes these pages from the rules'
declarations.
{% for family, rules in families %}
## {{ family }}

| rule | severity | chapter | in one sentence |
| --- | --- | --- | --- |
{% for rule in rules -%}
| [{{ rule.code }} {{ rule.name }}]({{ rule.code }}.md) | {{ rule.severity }} | {{ rule.chapter }} | {{ rule | cell }} |
{% endfor %}
{%- endfor -%}
"""


def explain(rule: Rule | str, rules: dict[str, Rule] = RULES) -> str:
    """Return the text of one rule, for the shell.

    A str is a code or a name, in any case. Raises KeyError for an unknown one.
    """
    if isinstance(rule, str):
        wanted = rule.strip().lower()
        known = {name: one for one in rules.values() for name in (one.code.lower(), one.name)}
        rule = known[wanted]
    parts = [f"{rule.code} {rule.name}  ({rule.severity}, chapter {rule.chapter})", MEANING[rule.severity], rule.doc]
    if rule.api:
        parts.append(f"The API says:\n  {rule.api}")
    parts += [f"{title}:\n{_indented(_pretty(_messages(example)))}" for title, example in _examples(rule)]
    return "\n\n".join(parts) + "\n"


def pages(rules: dict[str, Rule] = RULES) -> dict[str, str]:
    """Return file name -> text: a page for each rule, and ``index.md``. The same rules give the same text."""
    from jinja2 import Environment, StrictUndefined  # late: only this function needs it

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"pretty": _pretty, "cell": _first_sentence}
    page = environment.from_string(_PAGE)
    ordered = [rules[code] for code in sorted(rules)]
    texts = {
        f"{rule.code}.md": page.render(rule=rule, meaning=MEANING[rule.severity], examples=_examples(rule))
        for rule in ordered
    }
    families = [(title, [rule for rule in ordered if rule.code[0] == letter]) for letter, title in FAMILIES.items()]
    index = environment.from_string(_INDEX)
    texts["index.md"] = index.render(families=[family for family in families if family[1]], meanings=MEANING)
    return texts


def write_pages(folder, rules: dict[str, Rule] = RULES) -> list:
    """Write the pages into ``folder`` (a Path), remove pages of rules that are gone, and return the paths written."""
    texts = pages(rules)
    folder.mkdir(parents=True, exist_ok=True)
    for stale in set(folder.glob("*.md")) - {folder / name for name in texts}:
        stale.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


def _examples(rule: Rule) -> list[tuple[str, object]]:
    examples = [("Before it, the API had returned", rule.replies), ("Wrong", rule.bad), ("Right", rule.good)]
    return [(title, example) for title, example in examples if example is not None]


def _first_sentence(rule: Rule) -> str:
    """What the rule says, as a cell of a table."""
    paragraph = rule.doc.partition("\n\n")[0].replace("\n", " ")
    return paragraph.partition(". ")[0].removesuffix(".").replace("|", r"\|") + "."


def _messages(example):
    """An example without the model and the limit that every request has, where they play no part."""
    if isinstance(example, dict) and set(example) == {"model", "max_tokens", "messages"}:
        return {"messages": example["messages"]}
    return example


def _pretty(example) -> str:
    """JSON with short values on one line, so that a message reads as a message."""
    return _laid_out(example, "")


def _laid_out(value, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 100 or not isinstance(value, (dict, list)):
        return flat
    inner = f"{indent}  "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
    else:
        items = [_laid_out(item, inner) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(items) + f"\n{indent}{closing}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
