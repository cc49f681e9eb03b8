"""The child's side of a submission: load it once, then play, call or show what the grader asks for."""

import contextlib
import json
import sys

from . import asking, loading, playing, wire
from .door import Door


def main(sock, order: dict, shut) -> None:
    """Shut the walls, then serve the grader until it hangs up. ``shut()`` gives the names of the walls that stand."""
    door = Door(sock)
    try:
        walls = shut()
    except OSError as error:
        door.tell({"op": "fault", "text": f"the walls could not be shut: {error}"})
        return
    door.tell({"op": "ready", "walls": walls})
    with contextlib.suppress(wire.Closed, OSError):
        Worker(door, order["caps"]["reply"]).serve()


class Worker:
    """Does what the grader orders, one order after the other."""

    def __init__(self, door: Door, most: int):
        self._door, self._most = door, most
        self._names: dict = {}

    def serve(self) -> None:
        """Until the grader says "end". Raises wire.Closed when it hangs up."""
        acts = {
            "load": self._load,
            "play": self._play,
            "call": self._call,
            "value": self._value,
            "look": self._look,
            "ask": self._ask,
        }
        while True:
            head, body = self._door.order()
            if head["op"] == "end":
                return
            self._answer(head["run"], acts[head["op"]], json.loads(body))

    def _answer(self, run: int, act, order: dict) -> None:
        """Send how the order ended, as one message of bounded size."""
        try:
            how, data = act(run, order)
            body = json.dumps(data).encode()
        except BaseException as error:  # of the learner's code: also SystemExit and KeyboardInterrupt
            how, body = "raised", json.dumps(playing.crash(error)).encode()
        if len(body) > self._most:
            how, body = "too_big", b"{}"
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        self._door.tell({"op": "done", "run": run, "how": how}, body)

    def _load(self, run: int, order: dict) -> tuple[str, dict]:
        self._names, notes = loading.load(order["cells"])
        return "returned", {"notes": notes}

    def _play(self, run: int, order: dict) -> tuple[str, dict]:
        return playing.play(self._names, self._door, run, order)

    def _call(self, run: int, order: dict) -> tuple[str, dict]:
        from grader.replay.plain import plain

        function = self._names.get(order["function"])
        if not callable(function):
            return "missing", {}
        return "returned", {"value": plain(playing.awaited(function(*order["args"], **order["kwargs"])))}

    def _look(self, run: int, order: dict) -> tuple[str, dict]:
        return asking.look(self._names, order)

    def _ask(self, run: int, order: dict) -> tuple[str, dict]:
        return asking.ask(self._names, self._door, run, order)

    def _value(self, run: int, order: dict) -> tuple[str, dict]:
        from grader.replay.plain import plain

        if order["name"] not in self._names:
            return "missing", {}
        return "returned", {"value": plain(self._names[order["name"]])}
