"""Cells that fail on purpose, tagged ``raises-exception``: "Run All" has to go on behind them.

JupyterLite (0.8) cancels all further cells whenever one reports an error, whatever its tags say. So these don't report
it: their traceback is printed instead.
"""

from __future__ import annotations

import sys
from typing import Any

TAG = "raises-exception"


def go_on_behind_them(shell: Any) -> None:
    """Change how this IPython shell of the Pyodide kernel shows tracebacks. Another shell, or none, is left alone."""
    report = getattr(shell, "_showtraceback", None)
    if report is None or not hasattr(shell, "_last_traceback"):
        return

    def show(kind, error, lines) -> None:
        if is_expected(getattr(shell.kernel, "_parent_header", None)):
            print("\n".join(lines), file=sys.stderr)
        else:
            report(kind, error, lines)

    shell._showtraceback = show


def is_expected(request: Any) -> bool:
    """Whether the message that asked for this run came from a cell with the tag."""
    try:
        return TAG in request["metadata"]["tags"]
    except (KeyError, TypeError):
        return False
