"""Pay for the imports, and for the first call of each kind of client, once and before the first fork."""

import gc
import threading

from . import stubs

_REPLY = {
    "id": "msg_0", "type": "message", "role": "assistant", "model": "none", "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
}  # fmt: skip
_CALL = {"model": "none", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}


class _Echo:
    """A door with nobody behind it."""

    jumped = 0.0

    def ask(self, head: dict, body: bytes) -> tuple[dict, bytes]:
        import json

        return {"status": 200, "headers": {"content-type": "application/json"}}, json.dumps(_REPLY).encode()


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
    """Import the SDK and make a call with each client, then freeze what there is: forks share it and no collection
    touches it.

    Raises RuntimeError when that started a thread: a fork would lose it.
    """
    gc.disable()
    import asyncio

    from . import client

    echo = _Echo()
    line = client.Line(echo, 0, echo)
    client.make_client(line, wants_async=False).messages.create(**_CALL)
    asyncio.run(_call(client.make_client(line, wants_async=True)))
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(1)
    gc.collect()
    gc.freeze()
    gc.enable()
    if threading.active_count() > 1:
        raise RuntimeError("a thread was left over from warming up")


async def _call(sdk) -> None:
    await sdk.messages.create(**_CALL)
