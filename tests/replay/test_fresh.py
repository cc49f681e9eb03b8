"""Ids, words and signatures: other ones in each run, the same ones for the same seed."""

from hypothesis import given
from hypothesis import strategies as st

from grader.replay.fresh import Fresh

from .samples import call, message, text

THINKING = {"type": "thinking", "thinking": "{nonce}", "signature": "c2lnbmF0dXJl"}
REPLY = message(THINKING, text("see {nonce} and {nonce:b}"), call("a", city="{nonce:b}"), id="1")

words = st.text("ab {}type", max_size=8)
json_like = st.recursive(
    st.none() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)


def test_a_seed_gives_the_same_again_and_another_gives_others():
    one, again, other = (Fresh("weather", seed).apply(REPLY) for seed in (1, 1, 2))
    assert one == again
    for path in (("id",), ("content", 0, "signature"), ("content", 0, "thinking"), ("content", 2, "id")):
        values = []
        for reply in (REPLY, one, other):
            for step in path:
                reply = reply[step]
            values.append(reply)
        assert len(set(values)) == 3, path


def test_scenarios_with_the_same_seed_differ():
    assert Fresh("weather", 1).word() != Fresh("stock", 1).word()


def test_the_same_key_is_the_same_word():
    fresh = Fresh("weather", 1).apply(REPLY)
    word = fresh["content"][2]["input"]["city"]
    assert fresh["content"][1]["text"] == f"see {fresh['content'][0]['thinking']} and {word}"
    assert word != fresh["content"][0]["thinking"]


def test_an_id_keeps_its_prefix_and_is_renamed_everywhere_alike():
    fresh = Fresh("weather", 1)
    pair = fresh.apply([{"id": "srvtoolu_x"}, {"tool_use_id": "srvtoolu_x"}, {"id": "toolu_x"}])
    assert pair[0]["id"] == pair[1]["tool_use_id"]
    assert pair[0]["id"].startswith("srvtoolu_01")
    assert pair[2]["id"].startswith("toolu_01")


def test_a_repeat_has_other_ids_and_signatures_but_the_same_words():
    fresh = Fresh("weather", 1)
    first, second = fresh.apply(REPLY), fresh.apply(REPLY, repeat=1)
    assert first["id"] != second["id"]
    assert first["content"][0]["signature"] != second["content"][0]["signature"]
    assert first["content"][2]["id"] != second["content"][2]["id"]
    assert first["content"][2]["input"] == second["content"][2]["input"]


def test_an_empty_signature_stays_empty_and_foreign_keys_stay():
    fresh = Fresh("weather", 1)
    kept = [{"type": "thinking", "signature": ""}, {"signature": "by hand"}, {"type": "text", "data": "x"}]
    assert fresh.apply(kept) == kept


@given(json_like)
def test_what_has_nothing_to_replace_is_copied(value):
    assert Fresh("weather", 1).apply(value) == value
