"""Merged turns of content blocks that remember where they stood in the reader's own list.

These are plain classes, not dataclasses: there is one object for each block of a long history, and linting starts in a
blink.
"""

from collections import namedtuple

ROLES = ("user", "assistant", "system")


class Place(namedtuple("Place", "where order fields", defaults=((-1,), {}))):
    """A spot to point at: in words, as a sort key (message, block, ...), and as fields for the API's text."""

    __slots__ = ()


class Block:
    """One content block.

    ``message`` and ``index`` are the reader's own; ``index`` is None when the message is a string. ``turn`` and
    ``position`` count merged turns. ``whole`` is what stood there, in a tuple, when it was no object. ``parent`` is the
    result that holds this block.
    """

    __slots__ = ("type", "data", "role", "message", "index", "turn", "position", "whole", "parent")

    def __init__(self, item, role, message, index, turn, position, parent=None):
        is_object = isinstance(item, dict)
        self.data = item if is_object else {}
        self.whole = None if is_object else (item,)
        self.type = self.text("type")
        self.role = role
        self.message = message
        self.index = index
        self.turn = turn
        self.position = position
        self.parent = parent

    def text(self, key: str) -> str | None:
        """The value of ``key`` when it is a string, else None."""
        value = self.data.get(key)
        return value if isinstance(value, str) else None

    @property
    def where(self) -> str:
        """The place in the reader's own indices."""
        if self.parent:
            return f"{self.parent.where}.content[{self.index}]"
        return f"messages[{self.message}].content" + ("" if self.index is None else f"[{self.index}]")

    @property
    def api_path(self) -> str:
        """The place as the API names it, in merged indices."""
        if self.parent:
            return f"{self.parent.api_path}.{self.parent.type}.content.{self.index}"
        return f"messages.{self.turn}.content.{self.position}"

    @property
    def place(self) -> Place:
        outer = self.parent or self
        inner = (self.index,) if self.parent else ()
        order = (outer.message, -1 if outer.index is None else outer.index, *inner)
        return Place(self.where, order, {"i": self.turn, "j": outer.position, "at": self.api_path})

    def inner(self) -> list["Block"]:
        """The blocks inside a tool_result, or an empty list."""
        content = self.data.get("content") if self.type == "tool_result" else None
        if not isinstance(content, list):
            return []
        return [
            Block(item, self.role, self.message, k, self.turn, self.position, self) for k, item in enumerate(content)
        ]


class Message:
    """One message of the reader's list. ``readable`` is False when its content is neither a string nor a list."""

    __slots__ = ("index", "data", "role", "turn", "blocks", "readable")

    def __init__(self, index, data, role, turn, blocks):
        self.index = index
        self.data = data
        self.role = role
        self.turn = turn
        self.readable = blocks is not None
        self.blocks = blocks or []

    @property
    def place(self) -> Place:
        return Place(f"messages[{self.index}]", (self.index,), {"i": self.turn, "j": 0})


class Turn:
    """Neighbouring messages of one role, joined as the API joins them."""

    __slots__ = ("role", "index", "messages", "blocks")

    def __init__(self, role, index):
        self.role = role
        self.index = index
        self.messages: list[Message] = []
        self.blocks: list[Block] = []

    @property
    def readable(self) -> bool:
        return all(message.readable for message in self.messages)


def merge(raw: list) -> tuple[list[Message], list[Turn]]:
    """Join neighbours of one role, as the API does before it checks anything. Takes plain JSON values of any shape."""
    messages: list[Message] = []
    turns: list[Turn] = []
    for index, data in enumerate(raw):
        role = data.get("role") if isinstance(data, dict) else None
        role = role if isinstance(role, str) else None
        if role is None or not turns or turns[-1].role != role:
            turns.append(Turn(role, len(turns)))
        turn = turns[-1]
        message = Message(index, data, role, turn.index, _blocks(index, data, role, turn))
        messages.append(message)
        turn.messages.append(message)
        turn.blocks.extend(message.blocks)
    return messages, turns


def _blocks(message, data, role, turn) -> list[Block] | None:
    content = data.get("content") if isinstance(data, dict) else None
    start = len(turn.blocks)
    if isinstance(content, list):
        return [Block(item, role, message, k, turn.index, start + k) for k, item in enumerate(content)]
    if isinstance(content, str):  # one text block; an empty string is an empty message, like []
        return [Block({"type": "text", "text": content}, role, message, None, turn.index, start)] if content else []
    return None
