"""A history as the API reads it."""

import json
from collections import namedtuple
from functools import cached_property

from grader.history.plain import NOT_JSON, UNSENDABLE, Fault, plain
from grader.history.rounds import Round, pair
from grader.history.turns import Block, Turn, merge

_NO_LIST = "messages: Input should be a valid list"


class Misfit(namedtuple("Misfit", "saw api")):
    """Why something is no history at all, and what the API says to it."""

    __slots__ = ()


class Conversation:
    """What the rules look at.

    ``request`` holds everything but the messages; it is empty, and ``is_request`` False, for a bare list, which may
    still grow. ``faults`` are the values that can't be sent, ``misfit`` says why this is no history at all, and
    ``replies`` is what the API returned so far in this run, when that is known.
    """

    def __init__(
        self, request: dict, is_request: bool, messages: list, faults=(), misfit: Misfit | None = None, replies=None
    ):
        self.request = request
        self.is_request = is_request
        self.messages, self.turns = merge(messages)
        self.faults: list[Fault] = list(faults)
        self.misfit = misfit
        self.replies: list | None = replies if isinstance(replies, list) else None

    @property
    def model(self) -> str | None:
        return self.request.get("model")

    @cached_property
    def blocks(self) -> list[Block]:
        return [block for turn in self.turns for block in turn.blocks]

    @cached_property
    def all_blocks(self) -> list[Block]:
        """The blocks, and those inside results."""
        return [block for outer in self.blocks for block in (outer, *outer.inner())]

    @cached_property
    def _by_type(self) -> dict:
        by_type: dict = {}
        for block in self.blocks:
            by_type.setdefault(block.type, []).append(block)
        return by_type

    def of_type(self, *types: str) -> list[Block]:
        """All blocks of these types, a type at a time."""
        return [block for type in types for block in self._by_type.get(type, ())]

    @cached_property
    def rounds(self) -> list[Round]:
        """The calls and what answers them, see ``grader.history.rounds``."""
        return pair(self.spoken)

    @cached_property
    def spoken(self) -> list[Turn]:
        """The turns of user and assistant: a system message in between does not part a call from its result."""
        return [turn for turn in self.turns if turn.role != "system"]


def read(history, replies=None, parsed: bool = False) -> Conversation:
    """Read a request, a list of messages, or the JSON text of either. Never raises: no history gives a ``misfit``.

    ``parsed``: history and replies are what a JSON parser gave (and not nested too deeply), so they hold nothing odd.
    """
    if isinstance(history, (str, bytes, bytearray)):
        try:
            history = json.loads(history)
        except (ValueError, RecursionError) as error:
            return _misfit(f"This is text, but not JSON: {error}.", NOT_JSON)
    value, faults = (history, []) if parsed else plain(history)
    if isinstance(value, dict):
        if "messages" not in value:
            return _misfit("This object has no `messages`.", "messages: Field required")
        request = {key: item for key, item in value.items() if key != "messages"}
        messages, is_request = value["messages"], True
    else:
        messages, request, is_request = value, {}, False
        faults = [Fault(("messages", *fault.path), fault.what, fault.api) for fault in faults]
    if not isinstance(messages, list):
        what = faults[0].what if messages is UNSENDABLE else describe(messages)
        return _misfit(f"Where the list of messages should be, there is {what}.", _NO_LIST)
    known = replies if parsed or replies is None else plain(replies)[0]
    return Conversation(request, is_request, messages, faults, replies=known)


def describe(value) -> str:
    """What kind of value this is, in a learner's words."""
    if value is None:
        return "null"
    if value is UNSENDABLE:
        return "something that is not JSON"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")


def _misfit(saw, api) -> Conversation:
    return Conversation({}, False, [], misfit=Misfit(saw, api))
