"""C: cache marks."""

from grader.history.examples import TASK, assistant, call, request, result, text, user
from grader.history.rule import found, rule
from grader.history.turns import Place

_MARK = {"cache_control": {"type": "ephemeral"}}
_LIMIT = 4


@rule(
    "C01",
    "too-many-cache-marks",
    severity="refused",
    chapter=8,
    api="A maximum of 4 blocks with cache_control may be provided. Found {n}.",
    good=request(user(*(text(f"Part {k}.", **_MARK) for k in range(4)), text("Part 4."))),
    bad=request(user(*(text(f"Part {k}.", **_MARK) for k in range(5)))),
    sources=("published probe", "public issues"),
)
def too_many_cache_marks(conversation):
    """A request has at most four blocks with `cache_control`, counted over `system`, `tools` and `messages` together.

    A loop that marks the last message of each turn and never takes the old marks away reaches five soon.

    Move the mark: remove it from older messages when you set a new one.
    """
    outside = sum(_is_marked(item) for key in ("system", "tools") for item in _list(conversation.request.get(key)))
    marked = [inner for block in conversation.blocks for inner in (block, *block.inner()) if _is_marked(inner.data)]
    n = outside + len(marked)
    if n > _LIMIT:
        place = marked[_LIMIT - outside].place if outside < _LIMIT and marked else Place("system and tools")
        saw = f"{n} blocks have a cache mark; {_LIMIT} are allowed."
        yield found(place, saw, "Remove the marks from older blocks.", n=n)


def _is_marked(data):
    return isinstance(data, dict) and bool(data.get("cache_control"))


def _list(value):
    return value if isinstance(value, list) else []


@rule(
    "C02",
    "cache-mark-on-empty-text",
    severity="refused",
    chapter=8,
    api="{at}.text: cache_control cannot be set for empty text blocks",
    good=request(TASK, assistant(text("Let me see.", **_MARK), call()), user(result())),
    bad=request(TASK, assistant(text("", **_MARK), call()), user(result())),
    sources=("many public issues",),
)
def cache_mark_on_empty_text(conversation):
    """A text block with a cache mark is not empty.

    A loop that marks the last block of a message may hit an empty one.

    Leave empty text blocks out, and put the mark on a block that has content.
    """
    for block in conversation.of_type("text"):
        if block.data.get("text") == "" and _is_marked(block.data):
            yield found(block.place, "This empty text block has a cache mark.", "Leave the empty block out.")
