"""show: a drawing and its text twin for whatever a learner has at hand; foreign text is never markup."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import MODEL
from grader.course import View, check, show
from grader.course.timeline import Timeline

EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
CONTROLS = "\x1b\x00\ud800\ufffe\u202e\u2066"
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


def test_a_history_is_drawn_with_what_lint_finds_at_its_place():
    view = show(HISTORY)
    assert isinstance(view, Timeline)
    lines = repr(view).split("\n")
    assert lines[0] == "3 messages · 1 call · 2 violations"
    bad = next(i for i, line in enumerate(lines) if "not a block" in line)
    assert "refused" in lines[bad + 1]
    assert "messages[2].content[2]" in view._repr_html_().replace("<wbr>", "")


def test_nothing_foreign_becomes_markup():
    for thing in (EVIL, {EVIL: EVIL}, [EVIL]):
        tags = Tags(show(thing)._repr_html_())
        assert tags.seen <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "br", "p"}
        assert tags.attributes <= {"scope"}
    for thing in (HISTORY, {"messages": HISTORY, "model": EVIL}, HISTORY[1]):
        page = Tags(show(thing)._repr_html_())
        assert "script" not in page.seen and not {name for name in page.attributes if name.startswith("on")}


@pytest.mark.parametrize("thing", [CONTROLS, {CONTROLS: CONTROLS}, [CONTROLS]])
def test_a_value_s_control_characters_are_seen(thing):
    for text in (repr(show(thing)), show(thing)._repr_html_()):
        text.encode("utf-8")
        assert not set(CONTROLS) & set(text)


def test_a_request_a_reply_and_anything_else():
    assert repr(show({"model": "m", "messages": HISTORY})).startswith("3 messages · 1 call")
    usage = {"input_tokens": 3, "output_tokens": 4}
    reply = {"role": "assistant", "content": [], "stop_reason": "end_turn", "usage": usage}
    assert "stop_reason end_turn  3 tokens in, 4 out" in repr(show(reply))
    assert repr(show({"a": 1})) == 'Value\n\n    {"a": 1}'
    assert repr(show([])) == "Value\n\n    []"
    drawn = show(HISTORY)
    assert show(drawn) is drawn


def test_sdk_objects_are_read_like_dicts():
    from anthropic.types import TextBlock

    block = TextBlock(type="text", text="hello", citations=None)
    told = [show([{"role": "assistant", "content": [one]}]) for one in (block, {"type": "text", "text": "hello"})]
    assert repr(told[0]) == repr(told[1])


def test_a_long_value_is_cut_with_a_mark():
    text = repr(show("x" * 5_000))
    assert len(text) < 2_200 and text.endswith("[…]")


def _loop(client, task, tools, functions):
    """Answers only the first call of a reply."""
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "done", messages
        output = {
            "type": "tool_result",
            "tool_use_id": "toolu_made_up",
            "content": functions[calls[0].name](**calls[0].input),
        }
        messages.append({"role": "user", "content": [output]})


def test_a_failed_check_is_drawn_as_the_run_that_failed():
    result = check("loop", _loop, seed=7)
    assert result.verdict == "failed"
    drawn = show(result)
    assert isinstance(drawn, Timeline)
    [root] = result.report.exercises[0].checks[0].violations
    assert f"{root.rule} {root.name}" in repr(drawn)
    assert "1 open" in repr(drawn) and "answers no call" in repr(drawn)


def test_a_failed_history_is_drawn_with_what_is_wrong():
    bad = [{"role": "user", "content": "Hello."}, {"role": "user", "content": [{"type": "text", "text": ""}]}]
    result = check("by-hand", bad)
    assert result.verdict == "failed"
    assert "refused E02" in repr(show(result))


def test_a_check_with_nothing_to_draw_is_shown_as_it_is():
    for result in (check("no such exercise", 1), check("loop", 3), check("loop", ...)):
        assert show(result) is result


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
    assert isinstance(view, View | Timeline)
    bundle = view._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"} and all(isinstance(text, str) for text in bundle.values())
    assert " at 0x" not in bundle["text/plain"]


@pytest.mark.parametrize("make", [Hostile, lambda: [Hostile()], lambda: {"messages": Hostile()}, lambda: Hostile])
def test_hostile_objects(make):
    assert isinstance(show(make()), View | Timeline)
