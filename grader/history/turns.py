"""Merged turns of content blocks that remember where they stood in the reader's own list."""

from dataclasses import dataclass, field

ROLES = ("user", "assistant", "system")


@dataclass(frozen=True)
class Place:
    """A spot to point at: in words, as a sort key, and as fields for the API's text."""

    where: str
    order: tuple = (-1,)
    fields: dict = field(default_factory=dict)


@dataclass(slots=True)
class Block:
    """One content block. ``turn`` and ``position`` are the merged indices; ``index`` is None for a message that is a string."""

    type: str | None  # None when it has none, or when it is not a string
    data: dict
    role: str | None
    message: int
    index: int | None
    turn: int
    position: int
    whole: tuple | None = None  # what stood there, in a tuple, when it was not an object
    parent: "Block | None" = None

    def text(self, key: str) -> str | None:
        """The value of ``key`` when it is a string, else None."""
        value = self.data.get(key)
        return value if isinstance(value, str) else None

    @property
    def where(self) -> str:
        if self.parent:
            return f"{self.parent.where}.content[{self.index}]"
        return f"messages[{self.message}].content" + ("" if self.index is None else f"[{self.index}]")

    @property
    def api_path(self) -> str:
        if self.parent:
            return f"{self.parent.api_path}.{self.parent.type}.content.{self.index}"
        return f"messages.{self.turn}.content.{self.position}"

    @property
    def place(self) -> Place:
        inner = (self.index,) if self.parent else ()
        outer = self.parent or self
        order = (outer.message, -1 if outer.index is None else outer.index, *inner)
        return Place(self.where, order, {"i": self.turn, "j": outer.position, "at": self.api_path})

    def inner(self) -> list["Block"]:
        """The blocks inside a tool_result, or an empty list."""
        content = self.data.get("content")
        if self.type != "tool_result" or not isinstance(content, list):
            return []
        return [_block(item, self.role, self.message, k, self.turn, self.position, self) for k, item in enumerate(content)]


@dataclass(slots=True)
class Message:
    """One message of the reader's list. ``readable`` is False when its content is neither a string nor a list."""

    index: int
    data: object
    role: str | None
    turn: int
    blocks: list[Block]
    readable: bool

    @property
    def place(self) -> Place:
        return Place(f"messages[{self.index}]", (self.index,), {"i": self.turn, "j": 0})


@dataclass(slots=True)
class Turn:
    """Neighbouring messages of one role, joined as the API joins them."""

    role: str | None
    index: int
    messages: list[Message]
    blocks: list[Block]

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
            turns.append(Turn(role, len(turns), [], []))
        turn = turns[-1]
        message = _message(index, data, role, turn)
        messages.append(message)
        turn.messages.append(message)
        turn.blocks.extend(message.blocks)
    return messages, turns


def _message(index, data, role, turn) -> Message:
    content = data.get("content") if isinstance(data, dict) else None
    start = len(turn.blocks)
    if isinstance(content, str):
        # A string is one text block; an empty one is an empty message, like [].
        texts = [{"type": "text", "text": content}] if content else []
        blocks = [Block("text", item, role, index, None, turn.index, start) for item in texts]
    elif isinstance(content, list):
        blocks = [_block(item, role, index, k, turn.index, start + k) for k, item in enumerate(content)]
    else:
        return Message(index, data, role, turn.index, [], readable=False)
    return Message(index, data, role, turn.index, blocks, readable=True)


def _block(item, role, message, index, turn, position, parent=None) -> Block:
    if not isinstance(item, dict):
        return Block(None, {}, role, message, index, turn, position, (item,), parent)
    type = item.get("type")
    return Block(type if isinstance(type, str) else None, item, role, message, index, turn, position, None, parent)
