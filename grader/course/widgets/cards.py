"""Prediction cards: what comes next? They know the answer from a run, and check themselves."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from grader.course.live import DEFAULT_SEED, scenario
from grader.course.widgets.briefly import in_one_line
from grader.course.widgets.our_loop import our_loop
from grader.replay import load_scenario, play
from grader.replay.plain import plain

_LETTERS = "abcdefgh"
NOTHING = "nothing: the loop returns"
_DECOYS = 2


@dataclass(frozen=True)
class Card:
    """One question. ``shown``: what the reader sees before it, a line each; ``right``: the index of the right choice;
    ``why``: said when it was found."""

    shown: tuple[str, ...]
    choices: tuple[str, ...]
    right: int
    why: str
    question: str = "What comes next?"


class Cards:
    """A stack of cards with a place in it; where there are no widgets, all cards with folded answers."""

    def __init__(self, title: str, cards: list[Card]):
        if not cards:
            raise ValueError("a stack needs at least one card")
        self.title, self.cards = title, list(cards)
        self.number = 0
        self.tried: list[list[int]] = [[] for _ in cards]

    def choose(self, choice: int) -> bool:
        """Choose on the current card. Out: whether that is right. A card that is solved stays as it is."""
        card, tried = self.cards[self.number], self.tried[self.number]
        if card.right not in tried and choice not in tried:
            tried.append(choice)
        return choice == card.right

    @property
    def at_once(self) -> int:
        """How many cards were solved with the first choice."""
        return sum(tried[:1] == [card.right] for card, tried in zip(self.cards, self.tried, strict=True))

    def __repr__(self) -> str:
        lines = [self.title]
        for number, card in enumerate(self.cards, 1):
            lines += ["", f"{number}.", *(f"   {line}" for line in card.shown), f"   {card.question}"]
            lines += [f"   {letter}) {choice}" for letter, choice in zip(_LETTERS, card.choices, strict=False)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.title)}</b></p><ol>{''.join(map(_static, self.cards))}</ol>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        bundle = self._widget()._repr_mimebundle_() or {}
        return {**bundle, "text/plain": repr(self), "text/html": self._repr_html_()}

    def _widget(self):
        import ipywidgets

        top, answer = ipywidgets.HTML(), ipywidgets.HTML()
        choices = ipywidgets.VBox()
        back = ipywidgets.Button(description="Card before", layout={"width": "auto"})
        on = ipywidgets.Button(description="Next card", layout={"width": "auto"})

        def draw():
            top.value = self._top()
            answer.value = f'<div role="status" style="line-height:1.5">{self._feedback()}</div>'
            choices.children = [self._choice(index, draw) for index in range(len(self.cards[self.number].choices))]
            back.disabled, on.disabled = self.number == 0, self.number == len(self.cards) - 1

        def turn(by):
            self.number += by
            draw()

        back.on_click(lambda _: turn(-1))
        on.on_click(lambda _: turn(1))
        draw()
        return ipywidgets.VBox([top, choices, answer, ipywidgets.HBox([back, on])])

    def _choice(self, index: int, draw: Callable[[], None]):
        import ipywidgets

        card, tried = self.cards[self.number], self.tried[self.number]
        mark = "" if index not in tried else " ✓" if index == card.right else " ✗"
        letter = ipywidgets.Button(
            description=f"{_LETTERS[index]}{mark}",
            tooltip=card.choices[index],
            layout={"width": "4em", "flex": "0 0 auto"},
        )
        letter.disabled = bool(mark) or card.right in tried

        def chosen(_):
            self.choose(index)
            draw()

        letter.on_click(chosen)
        text = ipywidgets.HTML(_code(card.choices[index]), layout={"flex": "1 1 auto"})
        return ipywidgets.HBox([letter, text], layout={"align_items": "center", "max_width": "60em"})

    def _top(self) -> str:
        card = self.cards[self.number]
        return (
            f'<div style="line-height:1.5;max-width:60em"><b>{escape(self.title)}</b>, card {self.number + 1} of '
            f"{len(self.cards)}{''.join(map(_line, card.shown))}<b>{escape(card.question)}</b></div>"
        )

    def _feedback(self) -> str:
        card, tried = self.cards[self.number], self.tried[self.number]
        if not tried:
            return "&nbsp;"
        if card.right not in tried:
            return "Not that. Look at the last message once more."
        done = all(c.right in t for c, t in zip(self.cards, self.tried, strict=True))
        score = f" All cards done, {self.at_once} of {len(self.cards)} at once." if done else ""
        return f"<b>Right.</b> {escape(card.why)}{score}"


def what_next(name: str, function: Callable = our_loop, *, seed: int = DEFAULT_SEED) -> Cards:
    """Cards from a run of a scenario: after each message, which one follows?

    In: the scenario's name; the loop that plays it (default: the course's); a seed. Out: the cards. Raises
    UnknownScenario, and ValueError where the loop returned no messages.
    """
    run = play(load_scenario(scenario(name).name), function, seed=seed)
    messages = plain(run.claim.messages) if run.claim and run.claim.messages else []
    if not messages:
        raise ValueError(f"The loop returned no messages from {name!r}, so there is nothing to ask about.")
    told = [in_one_line(message) for message in messages]
    return Cards("A run, one message at a time", [_card(messages, told, index) for index in range(len(messages))])


def _card(messages: list, told: list[str], index: int) -> Card:
    right = told[index + 1] if index + 1 < len(told) else NOTHING
    nearest = sorted(range(len(told)), key=lambda n: (abs(n - index - 1), n))
    decoys = [told[n] for n in nearest if told[n] != right and n != index]
    decoys = list(dict.fromkeys(decoys))[:_DECOYS]
    choices = tuple(sorted({right, NOTHING, *decoys}, key=lambda text: (text == NOTHING, text)))
    shown = tuple(told[max(index - 2, 0) : index + 1])
    return Card(shown, choices, choices.index(right), _why(messages, index))


def _why(messages: list, index: int) -> str:
    if index + 1 == len(messages):
        return "The reply asks for no tool, so there is nothing to answer."
    calls = [block["name"] for block in _blocks(messages[index]) if block.get("type") == "tool_use"]
    if calls:
        return f"The call of {', '.join(calls)} is open. Its result goes back in a user message, before anything else."
    if any(block.get("type") == "tool_use" for block in _blocks(messages[index + 1])):
        return "It is the model's turn, and it needs to know more before it can answer."
    return "It is the model's turn, and it knows all that it needs."


def _blocks(message) -> list[dict]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _static(card: Card) -> str:
    items = "".join(
        f"<div>{letter}) {_code(choice)}</div>" for letter, choice in zip(_LETTERS, card.choices, strict=False)
    )
    answer = f"{_LETTERS[card.right]}. {escape(card.why)}"
    return (
        f"<li>{''.join(map(_line, card.shown))}<b>{escape(card.question)}</b>{items}"
        f"<details><summary>Answer</summary>{answer}</details></li>"
    )


def _line(text: str) -> str:
    return f'<div style="margin:2px 0 2px 1em">{_code(text)}</div>'


def _code(text: str) -> str:
    return f'<span style="font-family:monospace;overflow-wrap:anywhere">{escape(text)}</span>'
