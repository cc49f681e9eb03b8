"""A history as a flat list of pieces, in a form in which "as it came" can be compared.

The contract lets a loop write the same history in several ways: SDK objects or dicts, a string for a single text block, null keys
dropped, cache marks added, another key order, ``is_error: false``. Two histories that differ in nothing else have equal pieces.
Message borders are left out on purpose: the API merges neighbours of one role (facts: merge), and the history rules look at borders.
"""

import json
from dataclasses import dataclass, field

_IDS = ("id", "tool_use_id")


@dataclass(frozen=True)
class Piece:
    """One content block of a history. ``where`` is its place in the list that the loop sent and takes no part in comparisons."""

    role: str
    block: dict
    where: str = field(default="", compare=False)

    @property
    def type(self) -> str:
        return str(self.block.get("type"))


def pieces(messages) -> list[Piece]:
    """The blocks of ``messages`` (plain dicts, as in a request body) in order, each in its canonical form.

    What is not a message is left out: the history rules report it.
    """
    found = []
    for i, message in enumerate(messages if isinstance(messages, list) else []):
        if not isinstance(message, dict):
            continue
        role, content = str(message.get("role")), message.get("content")
        if isinstance(content, str):
            if content:
                found.append(Piece(role, {"type": "text", "text": content}, f"messages[{i}].content"))
            continue
        for j, block in enumerate(content if isinstance(content, list) else []):
            if isinstance(block, dict):
                found.append(Piece(role, canonical(block), f"messages[{i}].content[{j}]"))
    return found


def canonical(block: dict) -> dict:
    """A content block without what may differ: nulls, cache marks, the default caller, ``is_error: false``.

    A `tool_use` that the model made directly may lose its ``caller`` (4,434 of 4,441 recorded replays have none).
    """
    slim = {
        key: value if key == "input" else _without_nulls(value) for key, value in block.items() if value is not None
    }
    slim.pop("cache_control", None)
    # Ids are looked up, which a list or a dict cannot be. The API refuses such a one, so its value says nothing more.
    slim |= {key: f"<{type(slim[key]).__name__}>" for key in _IDS if not isinstance(slim.get(key, ""), str)}
    if slim.get("caller") == {"type": "direct"}:
        del slim["caller"]
    if slim.get("type") == "tool_result":
        if slim.get("is_error") is False:
            del slim["is_error"]
        slim["content"] = result_content(slim.get("content"))
    return slim


def result_content(content):
    """The content of a `tool_result` in one form: str for text alone (also for none at all), else a list of canonical blocks."""
    if content is None or content == [] or content == "":
        return ""
    if isinstance(content, list):
        if len(content) == 1 and isinstance(content[0], dict) and content[0].get("type") == "text":
            return content[0].get("text")
        return [canonical(block) if isinstance(block, dict) else block for block in content]
    return content


def _without_nulls(value):
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nulls(inner) for inner in value]
    return value


def text_of(content) -> str:
    """All text in a result's content, joined: what a model could read."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(block.get("text", "")) for block in content if isinstance(block, dict))
    return "" if content is None else str(content)


def speaks(text: str, value) -> bool:
    """Whether a text is a value that is neither str nor blocks: its JSON, or its str."""
    try:
        if json.loads(text) == value:
            return True
    except ValueError:
        pass
    return text in (str(value), repr(value))


def calls_in(content) -> list[dict]:
    """The client `tool_use` blocks of a reply's content."""
    return [block for block in content or [] if isinstance(block, dict) and block.get("type") == "tool_use"]


def brief(value, limit: int = 80) -> str:
    """``value`` on one line for a message to people, cut in the middle of what is too long."""
    text = value if isinstance(value, str) else _as_json(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 20]} … {text[-15:]}"


def raised(crash) -> str:
    """What a learner's function raised, and in which line of it."""
    words = f": {brief(crash.message, 160)}" if crash.message else ""
    line = crash.frames[-1] if crash.frames else None
    return f"The function raised {crash.type}{words}" + (f" (line {line[1]}: {line[3]})" if line and line[3] else "")


def as_if_a_dict(crash) -> str:
    """What to do when a block was read like a dict; "" for any other error."""
    block = crash.type == "TypeError" and "Block' object is not subscriptable" in str(crash.message)
    return 'A block of a reply is an object, no dict: write block.name, not block["name"].' if block else ""


def number(value) -> str:
    """A number, None, True or False as a person would write it; one with thousands of digits by how many they are."""
    if type(value) is int and value.bit_length() > 1_000:
        return f"a number of about {value.bit_length() * 30_103 // 100_000 + 1:,} digits"
    return repr(value)


def _as_json(value) -> str:

    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return repr(type(value).__name__)
