"""The picture, its table and its text: well-formed, inert, the same each time, and within their bounds."""

import base64
import re
import time
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.course.timeline import Timeline, ladder, to_html, to_svg, to_text
from grader.course.timeline.palette import DARK, LIGHT, SHAPE_ON, TEXT_ON, contrast
from tests.course.timeline.examples import EVIL, assistant, call, long_history, result, text, user, violation

SVG = "{http://www.w3.org/2000/svg}"
SVG_PARTS = {
    "svg",
    "title",
    "desc",
    "style",
    "defs",
    "linearGradient",
    "stop",
    "rect",
    "g",
    "text",
    "tspan",
    "path",
    "circle",
}
# What JupyterLab 4.6 keeps of the output of a notebook that it does not trust, as far as the timeline needs it.
KEPT = {
    "div": set(), "img": {"alt", "width", "height", "style", "src"}, "details": set(), "summary": set(),
    "table": {"style", "cellpadding"}, "caption": {"style"}, "thead": set(), "tbody": set(), "tr": set(),
    "th": {"scope", "style"}, "td": {"style"}, "b": set(), "wbr": set(), "br": set(), "span": {"style"},
}  # fmt: skip
EVIL_HISTORY = [
    {"role": EVIL, "content": EVIL},
    assistant(
        {"type": EVIL, "x": EVIL},
        call(EVIL, EVIL, **{EVIL: EVIL}),
        {"type": "thinking", "thinking": EVIL, "signature": EVIL},
    ),
    user(result(EVIL, EVIL, is_error=True), EVIL),
]
EVIL_FINDING = dict.fromkeys(("rule", "name", "severity", "saw", "help", "api"), EVIL) | {
    "where": f"messages[1] {EVIL}"
}


class Page(HTMLParser):
    """The tags of a page with their attributes, and its texts."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("img", "br", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def picture(drawing):
    return ET.fromstring(to_svg(drawing))


def words_of(svg):
    return [" ".join(node.itertext()) for node in svg.iter(f"{SVG}text")]


class Hostile:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("no")


class HostileText(str):
    def __str__(self):
        raise RuntimeError("no")


KEYS = [
    "role",
    "content",
    "type",
    "messages",
    "exchanges",
    "request",
    "reply",
    "kind",
    "claim",
    "crash",
    "usage",
    "stop_reason",
    "input",
    "text",
    "id",
    "tool_use_id",
    "name",
    "is_error",
    "source",
    "data",
    "violations",
    "where",
    "transcript",
    "retry",
]
WORDS = [
    "user",
    "assistant",
    "system",
    "text",
    "tool_use",
    "tool_result",
    "server_tool_use",
    "web_search_tool_result",
    "thinking",
    "image",
    "a",
    "b",
    "refused",
    "messages[0].content[0]",
] + ["request 1", "reply 1"]
scalars = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8) | st.sampled_from(WORDS)
oddities = st.builds(Hostile) | st.builds(object) | st.builds(HostileText) | st.binary(max_size=4)
values = st.recursive(
    scalars | oddities,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=25,
)
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(WORDS)},
    optional={
        "id": st.sampled_from("abc"),
        "tool_use_id": st.sampled_from("abc"),
        "input": values,
        "text": values,
        "content": values,
    },
)
histories = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"]), "content": st.lists(blocks, max_size=5) | values}
    ),
    max_size=8,
)
findings = st.lists(
    st.fixed_dictionaries(
        {"rule": st.text(max_size=4), "where": st.sampled_from(WORDS) | st.text(), "severity": values, "saw": values}
    ),
    max_size=4,
)


def draw_all(thing, found=None):
    """Every drawing of ``thing``, each held to what any of them must be."""
    drawing = ladder(thing, found)
    assert {node.tag.removeprefix(SVG) for node in picture(drawing).iter()} <= SVG_PARTS
    page = Page(to_html(drawing))
    assert page.open == []
    for tag, attributes in page.tags:
        assert set(attributes) <= KEPT[tag]
    for width in (40, 80):
        lines = to_text(drawing, width).split("\n")
        assert max(map(cell_len, lines)) <= width
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "".join(lines))
    return drawing


@given(values, values)
def test_whatever_it_is_it_is_drawn(thing, found):
    draw_all(thing, found)


@given(histories, findings)
@example([assistant(*[call("a")] * 3), user(*[result("a")] * 3)], [])
def test_any_history_is_drawn_with_its_violations(history, found):
    drawing = draw_all(history, found)
    assert len([row for row in drawing.rows if row.kind == "message" and row.place]) == len(history)
    ends = [arrow.end for arrow in drawing.arrows if arrow.end is not None]
    assert len(ends) == len(set(ends))


exchanges_of_any_kind = st.lists(
    st.fixed_dictionaries(
        {"request": st.fixed_dictionaries({"messages": histories | values}), "kind": st.sampled_from(WORDS)},
        optional={"reply": values, "error": values, "status": values, "retry": values, "violations": findings},
    ),
    max_size=3,
)


@settings(max_examples=40)
@given(exchanges_of_any_kind, st.none() | st.fixed_dictionaries({"status": values, "messages": histories | values}))
def test_any_transcript_is_drawn(exchanges, claim):
    draw_all({"exchanges": exchanges, "claim": claim})


def test_cycles_deep_nests_and_things_that_grow_without_end_are_drawn():
    loop = []
    loop.append(loop)
    deep = []
    for _ in range(5_000):
        deep = [deep]
    bomb = "x"
    for _ in range(60):
        bomb = [bomb, bomb]
    for thing in (
        loop,
        deep,
        bomb,
        {"messages": [{"role": "user", "content": bomb}]},
        10**9_999,
        Hostile,
        float("nan"),
    ):
        draw_all(thing)
        draw_all([user(thing)])


EVIL_RUN = {
    "exchanges": [{"error": {"message": EVIL, "type": EVIL}, "kind": EVIL}],
    "crash": {"type": EVIL, "message": EVIL},
}


@pytest.mark.parametrize("thing", [EVIL_HISTORY, {"messages": EVIL_HISTORY}, EVIL_RUN, EVIL])
def test_foreign_text_stays_text(thing):
    drawing = draw_all(thing, [EVIL_FINDING])
    assert "<script" not in to_svg(drawing)
    assert "<script" not in to_html(drawing)
    page = Page(to_html(drawing))
    assert any("<script>alert(1)</script>" in words for words in page.texts), "the reader must see what is there"
    assert "\\x1b[31m\\x00\\ud800\\ufffe\\u202e&amp;" in "".join(page.texts)
    assert "<script>" in "".join(words_of(picture(drawing)))


def test_two_drawings_of_one_thing_are_the_same(weather):
    things = [weather, [*weather, object(), {"role": "user", "content": [Hostile()]}]]
    for thing in things:
        assert to_html(ladder(thing)) == to_html(ladder(thing))
        assert repr(Timeline(thing)) == repr(Timeline(thing))
        assert " at 0x" not in repr(Timeline(thing))


def test_a_timeline_holds_the_moment(weather):
    shown = Timeline(weather)
    before = repr(shown)
    weather.append(user("more"))
    assert repr(shown) == before


def test_a_picture_draws_an_arrow_for_each_call_and_a_cross_for_an_open_one(weather):
    svg = picture(ladder(weather))
    lines = [
        node
        for node in svg.iter(f"{SVG}path")
        if node.get("class", "").startswith("s-") and node.get("stroke-width") == "2"
    ]
    dashed = [node for node in lines if node.get("stroke-dasharray")]
    heads = [node for node in svg.iter(f"{SVG}path") if "l-9-5.5v11z" in node.get("d", "")]
    assert (len(lines), len(dashed), len(heads)) == (3, 1, 1)  # an arrow; a dashed one and its cross
    assert {"call 1", "call 2, open"} <= set(words_of(svg))
    assert "answers call 1" in words_of(svg)


@pytest.mark.parametrize("stop, own_line", [("end_turn", False), ("model_context_window_exceeded", True)])
def test_tokens_never_run_into_the_stop_reason_on_a_narrow_page(stop, own_line):
    usage = (
        {"input_tokens": 1234, "cache_read_input_tokens": 1000, "output_tokens": 5} if own_line else {"input_tokens": 7}
    )
    reply = {"role": "assistant", "content": "Hi.", "stop_reason": stop, "usage": usage}
    groups = [node for node in picture(ladder(reply)).iter(f"{SVG}g") if node.find(f"{SVG}rect") is not None]
    heights = [
        [text.get("y") for text in group.iter(f"{SVG}text")] for group in groups if "v0" in group.get("class", "")
    ]
    assert [first != second for first, second in heights] == [own_line]


@given(st.text(st.sampled_from("漢字 ｶa\n😀é"), max_size=200), st.integers(40, 90))
def test_wide_characters_stay_within_the_width(words, width):
    lines = to_text(ladder([user(words), assistant(call("a", words or "x", city=words))]), width).split("\n")
    assert max(map(cell_len, lines)) <= width


def test_a_violation_is_drawn_with_its_code_and_a_word_and_a_shape_for_its_severity(weather):
    severities = ("refused", "harmful", "advice")
    found = [violation(f"messages[{i}]", f"P0{i}", severity=severity) for i, severity in enumerate(severities)]
    svg = picture(ladder(weather, found))
    shapes = {
        node.get("d") for node in svg.iter(f"{SVG}path") if node.get("class") in {f"f-{word}" for word in severities}
    }
    words = words_of(svg)
    for i, severity in enumerate(severities):
        assert f"{severity}  P0{i} unanswered-call" in words
    assert len(shapes - {node.get("d") for node in picture(ladder(weather)).iter(f"{SVG}path")}) == 3
    assert {"✕", "!", "i"} <= set(words)


def test_the_alt_text_tells_turns_calls_open_calls_and_violations(weather):
    page = Page(to_html(ladder(weather, [violation("messages[1].content[2]")])))
    [(_, image)] = [tag for tag in page.tags if tag[0] == "img"]
    assert image["alt"] == (
        "Timeline of a conversation: 3 messages, 1 turn of the assistant. 2 tool calls: 1 answered, 1 open. "
        "Open: call 2 of get_weather in messages[1].content[2]. "
        "1 violation: refused: P01 unanswered-call at messages[1].content[2]."
    )
    assert image["src"].startswith("data:image/svg+xml;base64,")
    ET.fromstring(base64.b64decode(image["src"].split(",", 1)[1]))


def test_nothing_is_said_about_violations_when_nobody_looked(weather):
    assert "violation" not in to_text(ladder(weather)) + Page(to_html(ladder(weather))).tags[1][1]["alt"]
    assert "no violation" in to_text(ladder(weather, []))


def test_the_table_is_the_text_twin(weather):
    long = "word " * 200
    page = to_html(ladder([*weather, assistant(text(long))], [violation("messages[1].content[2]")]))
    assert page.count('<th scope="col"') == 3 and page.count('<th scope="row"') == 11
    assert "<caption" in page
    said = "".join(Page(page).texts)
    for words in (
        "tool_use get_weather; call 2, open",
        "tool_result; answers call 1",
        "refused: P01 unanswered-call",
        long,
        "help: Answer it.",
        "id: toolu_2",
    ):
        assert words in said


def test_the_text_twin_shows_arrows_open_calls_and_violations(weather):
    assert to_text(ladder(weather, [violation("messages[1].content[2]")]), 80) == (
        "3 messages · 2 calls, 1 open · 1 violation\n"
        "\n"
        "      USER  messages[0]\n"
        "      text  How warm is it in Oslo and in Bergen?\n"
        "\n"
        "      ASSISTANT  messages[1]  turn 1\n"
        "      text  I look.\n"
        '  ╭─● tool_use get_weather [call 1]  {"city": "Oslo"}\n'
        '╳╌┼╌● tool_use get_weather [call 2, open]  {"city": "Bergen"}\n'
        "  │   ✕ refused P01 unanswered-call\n"
        "  │     The call has no result.\n"
        "  │     help: Answer it.\n"
        "  │\n"
        "  │   USER  messages[2]  turn 1\n"
        "  ╰─▶ tool_result [answers call 1]  12 C"
    )


def test_a_long_history_folds_in_the_picture_and_is_whole_in_the_table():
    history = long_history(500)
    history[400]["content"].pop()  # the result of call 200
    drawing = ladder(history, [violation("messages[399].content[1]")])
    said = words_of(picture(drawing))
    assert any("messages[399]" in words for words in said), "a violation is never folded"
    assert not any("messages[600]" in words for words in said)
    assert any("⋯ folded: messages[5] to messages[398]" in words for words in said)
    table = "".join(Page(to_html(drawing)).texts)
    assert all(f"messages[{i}].content" in table for i in range(1001))


@pytest.mark.parametrize(
    "output", ["line of code & more\n" * 20, "<script>&\x00\ud800" * 200, "x" * 40_000, "漢字" * 3_000]
)
def test_500_turns_take_less_than_a_second_and_two_megabytes(output):
    history = long_history(500, output=output)
    before = time.process_time()
    page = to_html(ladder(history, []))
    spent = time.process_time() - before
    assert len(page.encode("utf-8")) < 2_000_000
    assert spent < 1.0


def test_500_turns_of_parallel_calls_stay_within_the_bound():
    history = [user("Go.")]
    for turn in range(500):
        calls = [call(f"toolu_{turn}_{i}", "read_file", path=f"src/{turn}/{i}.py") for i in range(8)]
        history += [assistant(*calls), user(*[result(one["id"], "line of code\n" * 20) for one in calls])]
    assert len(to_html(ladder(history, [])).encode("utf-8")) < 2_000_000


def test_very_many_blocks_and_violations_stay_within_the_bound():
    calls = [call(f"c{i}") for i in range(3_000)]
    history = [user("Go."), assistant(*calls), user(*[result(f"c{i}", "y" * 500) for i in range(3_000)])]
    found = [violation(f"messages[1].content[{i}]", saw=f"Number {i}." + "z" * 300) for i in range(1_500)]
    page = to_html(ladder(history, found))
    assert len(page.encode("utf-8")) < 2_000_000
    assert "rows, left out" in page


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_can_be_told_apart(colours):
    """WCAG 2 AA: 4.5 to 1 for text, 3 to 1 for lines and shapes."""
    weak = [(ink, paper) for ink, papers in TEXT_ON for paper in papers if contrast(colours[ink], colours[paper]) < 4.5]
    faint = [
        (line, paper) for line, papers in SHAPE_ON for paper in papers if contrast(colours[line], colours[paper]) < 3
    ]
    assert (weak, faint) == ([], [])


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_both_schemes_have_every_colour_and_the_picture_carries_both(weather):
    assert LIGHT.keys() == DARK.keys()
    style = picture(ladder(weather)).find(f"{SVG}style").text
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    assert f".f-ink{{fill:{LIGHT['ink']}}}" in light and f".f-ink{{fill:{DARK['ink']}}}" in dark
