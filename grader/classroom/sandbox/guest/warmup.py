"""Pay for the imports, and for the first run of each kind of loop, once and before the first fork."""

import gc
import threading

from . import stubs


def prepare(package: str) -> None:
    """Put the stand-in for ``import grader`` in place (see ``stubs.install``), and import what the guest needs of the
    grader's code.

    That must happen before the walls are shut, and while no learner code is there to get in between.
    """
    stubs.install(package)
    import grader.history
    import grader.history.models
    import grader.replay.bounded
    import grader.replay.play  # noqa: F401


def warm() -> None:
    """Import the SDK and rehearse a submission, then freeze what there is: forks share it and no collection
    touches it.

    Raises RuntimeError when that started a thread: a fork would lose it.
    """
    gc.disable()
    from . import rehearsal

    rehearsal.play()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(1)
    gc.collect()
    gc.freeze()
    gc.enable()
    if threading.active_count() > 1:
        raise RuntimeError("a thread was left over from warming up")
