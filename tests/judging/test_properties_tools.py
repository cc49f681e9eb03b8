"""The properties of tools: right functions keep them, wrong ones are caught and told why."""

import ast
import operator
import re

import pytest

from grader.judging.exercises.properties import PROPERTIES
from grader.judging.exercises.properties.declare import counterexample

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


def fault(name, function, seed=1):
    found = counterexample(PROPERTIES[name], function, seed=seed)
    return found[1] if found else None


def value(node):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return -value(node.operand)
    return OPERATORS[type(node.op)](value(node.left), value(node.right))


def calculate(expression):
    return str(value(ast.parse(expression, mode="eval").body))


def test_right_calculators_pass():
    for seed in range(3):
        assert fault("calculates-as-python-does", calculate, seed) is None
        assert fault("calculates-as-python-does", lambda text: f"{float(calculate(text)):.9g}", seed) is None


def left_to_right(expression):
    total, *rest = re.findall(r"[-+*/%]+|[\d.]+", re.sub(r"[() ]", "", expression))
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        total = eval(f"({total}) {sign} {number}")
    return str(total)


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda text: value(ast.parse(text, mode="eval").body), "a tool returns text"),
        (lambda text: f"{text} = {calculate(text)}", "nothing else"),
        (lambda text: str(int(float(calculate(text)))), "should return"),
        (lambda text: calculate(text.replace("//", "/")), "should return"),
        (lambda text: calculate(text.replace("-(", "(")), "should return"),
        (left_to_right, "should return"),
    ],
)
def test_wrong_calculators_are_caught(function, word):
    assert word in fault("calculates-as-python-does", function)


def capped(text, limit):
    return text if len(text) <= limit else f"{text[:limit]}\n[{len(text) - limit} characters left out]"


def test_a_right_cap_passes():
    assert all(fault("caps-and-says-so", capped, seed) is None for seed in range(3))


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda text, limit: text[:limit], "without a word"),
        (lambda text, limit: text, "The whole text came back"),
        (lambda text, limit: None, "is there a return?"),
        (lambda text, limit: f"{text[:limit]}\n[{len(text) - limit} left out]", "It fits"),
        (lambda text, limit: text if len(text) < limit else f"{text[:limit]}[{len(text) - limit} left out]", "It fits"),
        (lambda text, limit: text if len(text) <= limit else f"{text[:limit]}[cut]", "does not say how many"),
        (lambda text, limit: text if len(text) <= limit else f"[{len(text)}] {text[-limit:]}", "does not begin"),
        (
            lambda text, limit: text if len(text) <= limit else f"{text[:limit]}{len(text) - limit}" + "." * 300,
            "Keep it short",
        ),
    ],
)
def test_wrong_caps_are_caught(function, word):
    assert word in fault("caps-and-says-so", function)
