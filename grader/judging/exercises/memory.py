"""How much memory a call takes at its highest point.

What a function worked out before it refused shows here, on any machine, however fast it is.
"""

import tracemalloc
from collections.abc import Callable
from typing import Any


def with_peak(call: Callable[[], Any]) -> tuple[Any, int]:
    """What ``call()`` returns, and the highest number of bytes that it held besides what was there before."""
    traced_before = tracemalloc.is_tracing()
    if not traced_before:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        result = call()
        return result, max(0, tracemalloc.get_traced_memory()[1] - before)
    finally:
        if not traced_before:
            tracemalloc.stop()
