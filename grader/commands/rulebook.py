"""All declared rules in one place: those of a history and those of a loop. For `explain`, the rule pages, and rule codes in options."""

from difflib import get_close_matches

from grader.history import RULES, Rule


def all_rules() -> dict[str, Rule]:
    """Every rule of the house by its code."""
    import grader.judging.rules  # noqa: F401  (declares the loop rules)

    return RULES


def find_rule(text: str) -> Rule | None:
    """The rule of that code or name, in any case."""
    wanted = text.strip().lower()
    return next((rule for rule in all_rules().values() if wanted in (rule.code.lower(), rule.name)), None)


def listing() -> str:
    """One line a rule."""
    return "\n".join(
        f"{rule.code}  {rule.name:<28} {rule.severity:<8} {_first_line(rule)}" for rule in all_rules().values()
    )


def _first_line(rule: Rule) -> str:
    return " ".join(rule.doc.split("\n\n")[0].split())


def explanation(code: str) -> str | None:
    """The text about one rule, or None when there is no such rule."""
    from grader.history.pages import explain

    found = find_rule(code)
    return explain(found) if found else None


def near(code: str) -> list[str]:
    """Rule names that look like ``code``."""
    return get_close_matches(code, [name for rule in all_rules().values() for name in (rule.code, rule.name)])
