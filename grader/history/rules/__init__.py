"""The history rules, one module a family. Importing this declares them all."""

from grader.history.rule import RULES
from grader.history.rules import blocks, cache, calls, emptiness, habits, messages, pairing, server_tools, system_role, thinking  # noqa: F401

for _code in sorted(RULES):  # in the order of their codes, whatever the order of the imports
    RULES[_code] = RULES.pop(_code)
