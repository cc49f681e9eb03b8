"""The bill of a run with sliders: what a run of so many turns sends, and what the cache makes of it.

The arithmetic is plain functions; the widget only calls them.
"""

from dataclasses import dataclass, replace
from html import escape

READ_PRICE = 0.1  # of a token from the cache, in full-price tokens (the API's documentation on prompt caching)
_LEFT = 'style="text-align:left"'


def tokens_sent(turns: int, start: int, growth: int) -> int:
    """The input tokens of all requests of a run: the first has ``start``, each later one ``growth`` more."""
    return turns * start + growth * turns * (turns - 1) // 2


def price(tokens: int, cache_share: float) -> float:
    """What input tokens cost, counted in tokens at the full price, when a share of them (0 to 1) comes from the cache.

    Writing to the cache costs a quarter more than full price; that is left out here.
    """
    return tokens * (1 - cache_share) + tokens * cache_share * READ_PRICE


@dataclass(frozen=True)
class Run:
    """The four numbers that the sliders set. ``cache_share``: percent of the input that comes from the cache."""

    start: int = 400
    growth: int = 300
    turns: int = 10
    cache_share: int = 0

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is shown: (what, how much)."""
        whole = tokens_sent(self.turns, self.start, self.growth)
        double = tokens_sent(2 * self.turns, self.start, self.growth)
        last = self.start + (self.turns - 1) * self.growth
        rate = f" ({double / whole:.1f} times)" if whole else ""
        return [
            ("first request", f"{self.start:,} tokens"),
            (f"request {self.turns}", f"{last:,} tokens"),
            (f"all {self.turns} requests", f"{whole:,} tokens"),
            (f"twice the turns, {2 * self.turns}", f"{double:,} tokens{rate}"),
            (
                f"price with {self.cache_share} % from the cache",
                f"as much as {price(whole, self.cache_share / 100):,.0f} tokens without a cache",
            ),
        ]


class TokenBill:
    """Sliders for S, Δ, the number of turns and the share of the cache; without widgets, the bill of one run.

    In: the numbers to begin with. ``set`` does what the sliders do.
    """

    def __init__(self, start: int = 400, growth: int = 300, turns: int = 10, cache_share: int = 0):
        self.run = Run(start, growth, turns, cache_share)

    def set(self, **numbers: int) -> "TokenBill":
        """Change some of start, growth, turns, cache_share."""
        self.run = replace(self.run, **numbers)
        return self

    def __repr__(self) -> str:
        lines = self.run.lines
        width = max(len(what) for what, _ in lines)
        return "\n".join(f"{what:<{width}}  {how_much}" for what, how_much in lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" {_LEFT[:-1]};padding-right:1.5em">{escape(what)}</th>'
            f"<td {_LEFT}>{escape(how_much)}</td></tr>"
            for what, how_much in self.run.lines
        )
        return f"<table><caption {_LEFT}>The bill of a run</caption><tbody>{rows}</tbody></table>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        """Sliders for a notebook that has widgets; else, and in a stored notebook, the bill as a table."""
        bundle = self._widget()._repr_mimebundle_() or {}
        return {**bundle, "text/plain": repr(self), "text/html": self._repr_html_()}

    def _widget(self):
        import ipywidgets

        table = ipywidgets.HTML(self._repr_html_())

        def slider(name, label, low, high, step):
            made = ipywidgets.IntSlider(
                value=getattr(self.run, name), min=low, max=high, step=step, description=label,
                style={"description_width": "14em"}, layout={"width": "36em"},
            )  # fmt: skip

            def moved(change):
                self.set(**{name: change["new"]})
                table.value = self._repr_html_()

            made.observe(moved, names="value")
            return made

        return ipywidgets.VBox([
            slider("start", "S: first request, tokens", 100, 20_000, 100),
            slider("growth", "Δ: more each turn, tokens", 50, 10_000, 50),
            slider("turns", "turns", 1, 50, 1),
            slider("cache_share", "from the cache, %", 0, 95, 5),
            table,
        ])  # fmt: skip
