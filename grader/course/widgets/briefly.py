"""A message in a few words: one line a block, without ids."""

from grader.course.timeline.blocks import describe
from grader.course.timeline.plain import clean, one_line
from grader.course.timeline.wrapping import shorten

WIDTH = 96


def message_lines(message, width: int = WIDTH) -> list[str]:
    """The blocks of a message, each on one line of at most ``width`` cells. Safe to print, not escaped."""
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return [shorten(one_line(clean(content)), width)]
    if not isinstance(content, list):
        return [shorten(one_line(clean(content)), width)]
    return [_block(block, width) for block in content] or ["(no blocks)"]


def role_of(message) -> str:
    """The role as written, or what there is instead."""
    role = message.get("role") if isinstance(message, dict) else None
    return clean(role, 40) if isinstance(role, str) else "no role"


def in_one_line(message, width: int = WIDTH) -> str:
    """``role: first block; second block``."""
    return shorten(f"{role_of(message)}: {'; '.join(message_lines(message))}", width)


def _block(block, width: int) -> str:
    told = describe(block)
    head = "" if told.head == "text" else f"{told.head} {told.title}".strip()
    return shorten(one_line(" ".join(part for part in (head, told.text) if part)), width)
