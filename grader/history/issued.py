"""Thinking blocks compared with the replies that they came from."""

from functools import cached_property

_THINKING = ("thinking", "redacted_thinking")


class Issued:
    """What the API returned in this run. A reply is its content list, or ``{"content": [...], "request": {...}}``."""

    def __init__(self, replies: list):
        self.contents = [_content(reply) for reply in replies]
        self.requests = [reply.get("request") if isinstance(reply, dict) else None for reply in replies]

    @cached_property
    def by_seal(self) -> dict:
        """signature (or redacted data) -> [(number of the reply, the block), ...]"""
        found: dict = {}
        for number, content in enumerate(self.contents):
            for block in filter(_is_thinking, content):
                found.setdefault(_seal(block), []).append((number, block))
        return found

    @cached_property
    def by_id(self) -> dict:
        """id of a call -> number of the reply"""
        blocks = ((number, block) for number, content in enumerate(self.contents) for block in content)
        return {block["id"]: number for number, block in blocks if isinstance(block.get("id"), str)}

    def sources(self, turn) -> set[int]:
        """The replies that this turn was made of: those of its calls, and for other thinking the last that had it."""
        numbers = {self.by_id[block.text("id")] for block in turn.blocks if block.text("id") in self.by_id}
        for block in turn.blocks:
            owners = [n for n, _ in self.by_seal.get(_seal(block.data), ())] if _is_thinking(block.data) else []
            if owners and numbers.isdisjoint(owners):
                numbers.add(owners[-1])
        return numbers

    def thinking_of(self, numbers) -> list:
        """The thinking blocks of these replies, in order."""
        return [block for n in sorted(numbers) for block in self.contents[n] if _is_thinking(block)]


def unknown_signatures(conversation):
    """Yield the thinking blocks that no reply had, or that had another text there.

    A changed text in the latest turn is left to ``changed_thinking``: the API has another error for it.
    """
    if conversation.replies is None:
        return
    issued = Issued(conversation.replies)
    latest = _latest(conversation)
    for block in conversation.of_type(*_THINKING):
        originals = [original for _, original in issued.by_seal.get(_seal(block.data), ())]
        is_latest = latest is not None and block.turn == latest.index
        is_known = originals if is_latest else any(_is_same(original, block.data) for original in originals)
        if _seal(block.data) and not is_known:
            yield block


def changed_thinking(conversation):
    """Yield (block, what was seen) when the latest assistant turn has not all thinking of its replies, as it was."""
    turn = _latest(conversation)
    if conversation.replies is None or turn is None:
        return
    issued = Issued(conversation.replies)
    present = [block for block in turn.blocks if _is_thinking(block.data)]
    if not present or any(_seal(block.data) not in issued.by_seal for block in present):
        return  # dropping all of it is allowed; a seal that nobody gave is T03's
    expected = issued.thinking_of(issued.sources(turn))
    if [_seal(block.data) for block in present] != [_seal(block) for block in expected]:
        counts = f"The reply had {len(expected)} thinking blocks; {len(present)} came back"
        yield present[0], f"{counts}, in another order." if len(present) == len(expected) else f"{counts}."
        return
    for block, original in zip(present, expected, strict=True):
        if not _is_same(original, block.data):
            yield block, "The text of this thinking block is not the one that the API gave."


def rewritten_past(conversation):
    """Return (block, what changed) when the last thinking was written for a request that this one does not continue."""
    if conversation.replies is None:
        return None
    issued = Issued(conversation.replies)
    for block in reversed(conversation.blocks):
        if _is_thinking(block.data) and _seal(block.data) in issued.by_seal:
            before = issued.requests[issued.by_seal[_seal(block.data)][-1][0]]
            what = _difference(before, conversation) if isinstance(before, dict) else None
            return (block, what) if what else None
    return None


def _difference(before, conversation):
    for key in ("system", "tools"):
        if _bare(before.get(key)) != _bare(conversation.request.get(key)):
            return f"`{key}`"
    messages = before.get("messages")
    old = _flat(messages if isinstance(messages, list) else [])
    new = _flat([message.data for message in conversation.messages])
    return None if new[: len(old)] == old else "an earlier message"


def _flat(messages):
    """Messages as one list of (role, block), without what does not count: splits, cache marks, nulls, thinking."""
    flat = []
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        role = message.get("role") if isinstance(message, dict) else None
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        blocks = content if isinstance(content, list) else []
        flat += [(role, _bare(block)) for block in blocks if not _is_thinking(block)]
    return flat


def _bare(value):
    """A value without cache marks and nulls. Loops, so that a level of nesting takes one frame of the stack."""
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(_bare(item))
        return items
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        if key != "cache_control" and item is not None:
            result[key] = _bare(item)
    return result


def _latest(conversation):
    return next((turn for turn in reversed(conversation.turns) if turn.role == "assistant"), None)


def _content(reply):
    content = reply.get("content") if isinstance(reply, dict) else reply
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _is_thinking(block):
    return isinstance(block, dict) and block.get("type") in _THINKING


def _seal(block):
    """What the API recognises a thinking block by."""
    seal = block.get("signature") if block.get("type") == "thinking" else block.get("data")
    return seal if isinstance(seal, str) else None


def _is_same(original, block):
    return original.get("type") == block.get("type") and original.get("thinking") == block.get("thinking")
