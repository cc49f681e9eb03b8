"""The side that runs in the browser. ``grader`` itself installs it where the platform is emscripten."""

import asyncio
import sys

from grader.site.kernel import threads
from grader.site.kernel.event_loop import run_now
from grader.site.kernel.expected_errors import go_on_behind_them


def install() -> None:
    """Make threads, thread pools and coroutines run here and now; and "Run All" run all."""
    from grader.replay import bounded, tools

    threads.use_stand_ins()
    bounded.run_coroutine = run_now
    asyncio.run = lambda main, **options: run_now(
        main
    )  # a loop may use it inside; the page's own would only promise a result
    patient = tools.Hold.wait
    # A thread that hangs in a scripted tool is given up at once: who started it is to see it hanging.
    tools.Hold.wait = lambda hold: threads.wait_for_ever() if threads.inside() else patient(hold)
    if ipython := sys.modules.get("IPython"):
        go_on_behind_them(ipython.get_ipython())
