"""Linting is light: in what it imports, and in how it grows."""

import subprocess
import sys

import pytest

from grader.history import lint
from grader.history.examples import assistant, call, result, user

HEAVY = ["anthropic", "IPython", "pydantic", "click", "rich", "jinja2", "nbformat", "httpx2"]


@pytest.mark.parametrize("module", ["grader.history", "grader.history.files", "grader.history.pages"])
def test_importing_it_loads_nothing_heavy(module):
    code = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_linting_loads_nothing_heavy():
    code = (
        "import sys; from grader import lint; lint([{'role': 'user', 'content': 'x'}]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def _talk(rounds):
    messages = [user("Begin.")]
    for n in range(rounds):
        messages += [assistant(call(f"toolu_{n}")), user(result(f"toolu_{n}"))]
    return messages


def test_a_hundred_thousand_messages():
    messages = _talk(50_000)
    messages[70_000]["content"][0]["tool_use_id"] = "toolu_x"
    (violation,) = lint({"messages": messages})
    assert violation.where == "messages[70000].content[0]"


def _steps(work):
    """How many lines of Python a piece of work runs: a measure of time that does not depend on the machine."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(old)
    return count


@pytest.mark.parametrize(
    "history",
    [
        _talk,
        lambda n: [
            user("Begin."),
            assistant(*(call(f"t{k}") for k in range(n))),
            user(*(result(f"t{k}") for k in range(n))),
        ],
        lambda n: [user(*(call(f"t{k}") for k in range(n)))],
        lambda n: [assistant(call("a"))] * n,
        lambda n: [user(result("a"))] * n,
        lambda n: [user(result("a")), assistant(call("a"))] * n,
        lambda n: [{"role": "system", "content": "x"}] * n,
        lambda n: [user({"type": "server_tool_use", "id": f"s{k}"}, {"type": "x"}) for k in range(n)],
        lambda n: [
            assistant({"type": "server_tool_use", "id": f"s{k}"}) if k % 2 else user(result("x")) for k in range(n)
        ],
    ],
    ids=["turns", "parallel", "wrong-role", "repeated", "strays", "alternating", "system", "server", "open-server"],
)
def test_twice_the_history_is_twice_the_work(history):
    small, large = ({"messages": history(n)} for n in (200, 400))
    assert _steps(lambda: lint(large)) < 2.3 * _steps(lambda: lint(small))
