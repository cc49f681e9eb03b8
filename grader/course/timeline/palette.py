"""The colours of the drawing, as style rules for both schemes. A test computes their contrast, so change them here
and nowhere else.

A colour never says anything alone: severities have a word and a shape, calls have numbers, open calls an ✕ and the
word.
"""

LANES = 4  # colours for the arrows; calls take them in turn

LIGHT = {
    "page": "#ffffff", "user": "#f1f3f5", "assistant": "#e8f1fd", "other": "#f8f4e9",
    "user_edge": "#c9d0d8", "assistant_edge": "#a9c5ea", "other_edge": "#d8cba6",
    "card": "#ffffff", "ink": "#1b1f24", "muted": "#515a65",
    "refused": "#b3151d", "harmful": "#8a4a00", "advice": "#1b5ca6",
    "refused_card": "#fdeaea", "harmful_card": "#fff2dc", "advice_card": "#e3effe", "chip_ink": "#ffffff",
    "plain": "#7a8591", "thinking": "#6a4fb0",
    "lane0": "#0b5cad", "lane1": "#0a6a5c", "lane2": "#7a3aa5", "lane3": "#8a4a00",
}  # fmt: skip
DARK = {
    "page": "#0d1217", "user": "#1c232b", "assistant": "#13263d", "other": "#2a2414",
    "user_edge": "#3d4853", "assistant_edge": "#2f527f", "other_edge": "#5b4e27",
    "card": "#0d131a", "ink": "#e6edf3", "muted": "#a7b3c0",
    "refused": "#ff9a98", "harmful": "#f3b862", "advice": "#8cc0ff",
    "refused_card": "#3a1518", "harmful_card": "#33250a", "advice_card": "#10243f", "chip_ink": "#0d1217",
    "plain": "#7f8b98", "thinking": "#b9a2f5",
    "lane0": "#6fb3ff", "lane1": "#4fd0b4", "lane2": "#d3a3f5", "lane3": "#eab064",
}  # fmt: skip

# (colour of a text, the colours it is written on): 4.5 to 1 at least.
TEXT_ON = [
    ("ink", ("page", "user", "assistant", "other", "card", "refused_card", "harmful_card", "advice_card")),
    ("muted", ("page", "user", "assistant", "other", "card")),
    ("refused", ("card", "user", "assistant", "other")),
    ("chip_ink", ("refused", "harmful", "advice")),
    *((f"lane{i}", ("card",)) for i in range(LANES)),
    *((severity, (f"{severity}_card",)) for severity in ("refused", "harmful", "advice")),
]
# (colour of a line or a shape, what it is drawn on): 3 to 1 at least.
SHAPE_ON = [
    *((f"lane{i}", ("user", "assistant", "other", "page")) for i in range(LANES)),
    *((name, ("user", "assistant", "other", "card")) for name in ("plain", "thinking", "refused", "harmful", "advice")),
]


def contrast(one: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two ``#rrggbb`` colours, 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def style() -> str:
    """The rules for fills (``.f-NAME``), strokes (``.s-NAME``) and the fade stops (``.g-NAME``), light first, dark by
    media query.

    Plain values, not custom properties: renderers outside browsers know no ``var()``.
    """
    return f"{_rules(LIGHT)}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"


def _rules(colours: dict[str, str]) -> str:
    fills = "".join(f".f-{name}{{fill:{value}}}.s-{name}{{stroke:{value}}}" for name, value in colours.items())
    return f"{fills}.g-card{{stop-color:{colours['card']}}}"
