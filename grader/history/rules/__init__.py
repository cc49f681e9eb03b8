"""The history rules, one module a family. Importing this declares them all."""

from importlib import import_module

from grader.history.rule import RULES

_MODULES = (
    "pairing calls habits",  # P
    "emptiness",  # E
    "messages system_role blocks values",  # R
    "thinking",  # T
    "server_tools",  # S
    "cache",  # C
)

for _module in " ".join(_MODULES).split():
    import_module(f"{__name__}.{_module}")

for _code in sorted(RULES):  # in the order of their codes
    RULES[_code] = RULES.pop(_code)
