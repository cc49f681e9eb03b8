import json

from hypothesis import given
from hypothesis import strategies as st

from grader.replay.nesting import too_deep

LEAVES = st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\[]{}\u20ac\n') | st.floats(allow_nan=False)
DATA = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='a"\\[{', max_size=3), inner, max_size=3)
    ),
)


def depth(data) -> int:
    if isinstance(data, dict):
        return 1 + max(map(depth, data.values()), default=0)
    return 1 + max(map(depth, data), default=0) if isinstance(data, list) else 0


@given(DATA, st.booleans())
def test_it_counts_levels(data, ascii_only):
    text = json.dumps(data, ensure_ascii=ascii_only).encode()
    for most in range(6):
        assert too_deep(text, most) == (depth(data) > most)
