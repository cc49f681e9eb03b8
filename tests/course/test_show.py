"""show: a table and its text twin for whatever a learner has at hand; foreign text is never markup."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import View, show

EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
HISTORY = [
    {"role": "user", "content": "How warm?"},
    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "toolu_1", "name": "warm", "input": {"city": EVIL}},
    ]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": EVIL, "is_error": True},
        {"type": "text", "text": EVIL},
        EVIL,
    ]},
]  # fmt: skip


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.seen, self.attributes = set(), set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_a_history_is_a_table_with_a_caption_and_places():
    view = show(HISTORY)
    page = view._repr_html_()
    assert "<caption>History: 3 messages</caption>" in page
    assert re.findall(r'<th scope="row">(.*?)</th>', page) == [
        "messages[0]", "messages[1].content[0]", "messages[1].content[1]",
        "messages[2].content[0]", "messages[2].content[1]", "messages[2].content[2]",
    ]  # fmt: skip
    assert repr(view).startswith("History: 3 messages\nmessages[0]  user  text\n    How warm?\n")
    assert "is_error true" in repr(view) and "tool_use_id toolu_1" in repr(view)


def test_nothing_foreign_becomes_markup():
    for thing in (HISTORY, {"messages": HISTORY, "model": EVIL}, HISTORY[1], EVIL, {EVIL: EVIL}, [EVIL]):
        tags = Tags(show(thing)._repr_html_())
        assert tags.seen <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "br", "p"}
        assert tags.attributes <= {"scope"}


def test_a_request_a_reply_and_anything_else():
    assert show({"model": "m", "messages": HISTORY}).caption == "Request: 3 messages"
    usage = {"input_tokens": 3, "output_tokens": 4}
    reply = {"role": "assistant", "content": [], "stop_reason": "end_turn", "usage": usage}
    assert repr(show(reply)) == "Reply: stop_reason end_turn, 3 tokens in, 4 out\nassistant\n    (empty)"
    assert repr(show({"a": 1})) == 'Value\n\n    {"a": 1}'
    assert repr(show([])) == "Value\n\n    []"
    assert show(show(HISTORY)) == show(HISTORY)


def test_sdk_objects_are_read_like_dicts():
    from anthropic.types import TextBlock

    view = show([{"role": "assistant", "content": [TextBlock(type="text", text="hello", citations=None)]}])
    assert view.rows == (("messages[0].content[0]", "assistant", "text", "hello"),)


def test_a_long_text_is_cut_with_a_mark():
    text = repr(show([{"role": "user", "content": "x" * 5_000}]))
    assert len(text) < 2_200 and text.endswith("[…]")


class Hostile:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("no")


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=5)
    | st.builds(Hostile)
    | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "messages", "usage", "input", "text", "id"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@given(json_like)
def test_whatever_it_is_there_is_a_view(thing):
    view = show(thing)
    assert isinstance(view, View)
    bundle = view._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"} and all(isinstance(text, str) for text in bundle.values())
    assert " at 0x" not in bundle["text/plain"]


@pytest.mark.parametrize("make", [Hostile, lambda: [Hostile()], lambda: {"messages": Hostile()}, lambda: Hostile])
def test_hostile_objects(make):
    assert isinstance(show(make()), View)
