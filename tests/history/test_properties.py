"""Properties that hold for every history, not only for the examples."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.history import lint
from grader.history.violation import SEVERITIES

SETTINGS = settings(max_examples=150, deadline=None)

# --- arbitrary data, with the words of the API so that the rules are reached

WORDS = st.sampled_from(
    [
        "role",
        "content",
        "type",
        "text",
        "user",
        "assistant",
        "system",
        "tool",
        "id",
        "input",
        "name",
        "tool_use",
        "tool_result",
        "tool_use_id",
        "is_error",
        "thinking",
        "signature",
        "redacted_thinking",
        "data",
        "server_tool_use",
        "web_search_tool_result",
        "image",
        "source",
        "base64",
        "cache_control",
        "messages",
        "model",
        "tools",
        "enabled",
        "claude-sonnet-5",
        "claude-haiku-4-5",
        "toolu_01",
        "srvtoolu_01",
        "mcp_tool_use",
        "compaction",
        "tool_choice",
        "request",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | WORDS | st.binary(max_size=3)
ANY = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(), inner, max_size=5),
    max_leaves=25,
)
BLOCK_KEYS = [
    "id",
    "tool_use_id",
    "text",
    "content",
    "input",
    "thinking",
    "signature",
    "data",
    "source",
    "is_error",
    "name",
]
BLOCKS = st.fixed_dictionaries({}, optional={"type": WORDS | ANY, **dict.fromkeys(BLOCK_KEYS, ANY)})
MESSAGES = st.fixed_dictionaries(
    {}, optional={"role": WORDS | ANY, "content": ANY | st.lists(BLOCKS | ANY, max_size=4)}
)
HISTORIES = st.lists(MESSAGES | ANY, max_size=5)
REQUESTS = st.fixed_dictionaries(
    {"messages": HISTORIES | ANY},
    optional={"model": WORDS | ANY, "system": ANY, "tools": ANY, "thinking": ANY, "tool_choice": ANY},
)


@SETTINGS
@given(REQUESTS | HISTORIES | ANY, st.none() | HISTORIES | ANY)
def test_never_raises_and_always_speaks(history, replies):
    for violation in lint(history, replies=replies):
        assert violation.severity in SEVERITIES
        json.dumps(violation.as_dict())


@SETTINGS
@given(REQUESTS | HISTORIES)
def test_json_text_gives_the_same_as_the_value(history):
    try:
        written = json.dumps(history, allow_nan=False)
        written.encode("utf-8")
    except (TypeError, ValueError):
        return
    if "\\ud" not in written:
        assert lint(written) == lint(history)


# --- well-formed conversations

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: not text.isspace())
TEXT = TEXTS.map(lambda text: {"type": "text", "text": text})
THINKING = st.builds(lambda text: {"type": "thinking", "thinking": text, "signature": "sig"}, TEXTS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS, lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


@st.composite
def conversations(draw):
    """A talk as a right loop would send it, with results in any order."""
    ids = (f"toolu_{n}" for n in range(10**6))
    messages = [{"role": "user", "content": draw(TEXTS | st.lists(TEXT, min_size=1, max_size=3))}]
    for _ in range(draw(st.integers(0, 5))):
        content = draw(st.lists(THINKING, max_size=2)) + draw(st.lists(TEXT, max_size=2))
        if draw(st.booleans()):
            id = f"srv{next(ids)}"
            content.append({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": draw(TEXTS)}})
            content.append({"type": "web_search_tool_result", "tool_use_id": id, "content": []})
        calls = [
            {"type": "tool_use", "id": next(ids), "name": "get", "input": {"x": draw(JSON)}}
            for _ in range(draw(st.integers(0, 3)))
        ]
        if not calls:
            content.append(draw(TEXT))
        messages.append({"role": "assistant", "content": content + calls})
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": draw(st.just("") | TEXTS)} for call in calls
        ]
        messages.append({"role": "user", "content": draw(st.permutations(results)) if calls else draw(TEXTS)})
    return messages


@SETTINGS
@given(conversations(), st.sampled_from(["claude-sonnet-5", "claude-haiku-4-5", None]))
def test_a_well_formed_conversation_is_clean(messages, model):
    assert lint(messages) == []
    assert lint({"messages": messages} | ({"model": model} if model else {})) == []
    for end in range(1, len(messages)):
        assert {violation.rule for violation in lint(messages[:end])} <= {"P17"}


def _refusals(messages):
    return [
        (v.rule, v.api) for v in lint({"model": "claude-sonnet-5", "messages": messages}) if v.severity == "refused"
    ]


@SETTINGS
@given(st.data(), conversations())
def test_splitting_a_message_changes_no_refusal(data, messages):
    """The API joins neighbours of one role first: how a turn is split can't matter, be the history right or broken."""
    if data.draw(st.booleans()):
        messages.pop(data.draw(st.integers(0, len(messages) - 1)))
    before = _refusals(messages)
    split = []
    for message in messages:
        content = message["content"]
        cut = data.draw(st.integers(1, len(content) - 1)) if isinstance(content, list) and len(content) > 1 else None
        parts = [content] if cut is None else [content[:cut], content[cut:]]
        split += [{"role": message["role"], "content": part} for part in parts]
    assert _refusals(split) == before


@SETTINGS
@given(st.data(), conversations())
def test_leaving_a_result_out_is_always_seen(data, messages):
    places = [(m, b) for m, message in enumerate(messages) if isinstance(message["content"], list) for b, block in
              enumerate(message["content"]) if block["type"] == "tool_result"]  # fmt: skip
    if places:
        message, block = data.draw(st.sampled_from(places))
        gone = messages[message]["content"].pop(block)
        assert any(rule == "P01" and gone["tool_use_id"] in api for rule, api in _refusals(messages))
