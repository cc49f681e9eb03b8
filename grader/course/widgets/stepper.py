"""``steps``: walks through a recorded run of a loop, line by line, beside the growing ``messages``."""

from collections.abc import Callable
from html import escape

from grader.course.live import DEFAULT_SEED, scenario
from grader.course.show import View
from grader.course.timeline.plain import clean
from grader.course.widgets.recording import MAX_STEPS, Recording, record
from grader.course.widgets.stepper_html import code_html, ending, happened, messages_html, status_text
from grader.replay import load_scenario

_STATIC_ROWS = 60
_CELL = 'style="text-align:left;vertical-align:top"'
_CODE = f'{_CELL[:-1]};overflow-wrap:anywhere"'


class Stepper:
    """A recorded run with a place in it.

    In: the recording. A notebook with widgets shows buttons, the code and the messages; elsewhere it is a list of the
    lines at which something happened. ``number``: the step shown, from 0.
    """

    def __init__(self, recording: Recording):
        self.recording = recording
        self.number = 0
        self._listeners: list[Callable[[], None]] = []

    def go(self, number: int) -> "Stepper":
        """Show a step; one that is out of range becomes the first or the last."""
        self.number = min(max(number, 0), len(self.recording.steps) - 1)
        for listener in self._listeners:
            listener()
        return self

    def next_change(self) -> "Stepper":
        """Go on to the next step that has other messages than this one, or to the end."""
        steps = self.recording.steps
        here = steps[self.number].snapshot
        later = (n for n in range(self.number + 1, len(steps)) if steps[n].snapshot != here)
        return self.go(next(later, len(steps) - 1))

    def __repr__(self) -> str:
        lines = [f"{place}  {code}\n    {what}" for place, code, what in self._events()]
        return "\n".join([self._title(), *lines, f"{ending(self.recording)}."])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" {_CELL}>{escape(place)}</th><td {_CODE}><code>{escape(code)}</code></td>'
            f"<td {_CELL}>{escape(what)}</td></tr>"
            for place, code, what in self._events()
        )
        heads = "".join(f'<th scope="col" {_CELL}>{head}</th>' for head in ("Line", "Code", "What it did"))
        return (
            f'<table><caption style="text-align:left">{escape(self._title())}</caption>'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><p>{escape(ending(self.recording))}.</p>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        bundle = self._widget()._repr_mimebundle_() or {}
        return {**bundle, "text/plain": repr(self), "text/html": self._repr_html_()}

    def _title(self) -> str:
        cut = f" (its first {MAX_STEPS} lines at most)" if self.recording.cut else ""
        return f"A run of the scenario {self.recording.transcript.scenario}, and what its lines did{cut}"

    def _events(self) -> list[tuple[str, str, str]]:
        """(place, code, what happened) of the lines that did something. Not each step: Pythons count lines in slightly
        different ways, and a stored output must not depend on that."""
        events = []
        for number in range(1, len(self.recording.steps)):
            what = happened(self.recording, number)
            if what:
                step = self.recording.steps[number - 1]
                source = self.recording.sources[step.source]
                code = source.lines[step.line - 1].strip() if 0 < step.line <= len(source.lines) else ""
                events.append((f"{clean(source.name)} {step.line}", clean(code, 200), what))
        more = len(events) - _STATIC_ROWS
        return events if more <= 0 else [*events[:_STATIC_ROWS], ("…", "", f"{more} more")]

    def _widget(self):
        import ipywidgets

        status, code, messages = (ipywidgets.HTML() for _ in range(3))
        code.layout = {"flex": "1 1 26em", "min_width": "20em", "max_width": "44em"}
        messages.layout = {"flex": "1 1 26em", "min_width": "20em", "max_width": "44em", "margin": "0 0 0 1.5em"}
        last = len(self.recording.steps) - 1
        slider = ipywidgets.IntSlider(
            value=self.number + 1, min=1, max=last + 1, description="Step", layout={"width": "24em"}
        )
        buttons = [
            _button("Start", "Go to the first line", lambda _: self.go(0)),
            _button("Back", "One line back", lambda _: self.go(self.number - 1)),
            _button("Next", "Run the marked line", lambda _: self.go(self.number + 1)),
            _button("Next message", "Run on until messages change", lambda _: self.next_change()),
        ]

        def draw():
            step = self.recording.steps[self.number]
            status.value = f'<div role="status">{escape(status_text(self.recording, self.number))}</div>'
            code.value = code_html(self.recording, step)
            messages.value = messages_html(self.recording, self.number)
            slider.value = self.number + 1
            for button in buttons:
                button.disabled = self.number == (0 if button in buttons[:2] else last)

        slider.observe(lambda change: self.go(change["new"] - 1), names="value")
        self._listeners.append(draw)
        draw()
        row = {"flex_flow": "row wrap", "align_items": "flex-start"}
        controls = ipywidgets.HBox([*buttons, slider], layout={**row, "align_items": "center"})
        return ipywidgets.VBox([controls, status, ipywidgets.HBox([code, messages], layout=row)])


def _button(label: str, tooltip: str, clicked: Callable):
    import ipywidgets

    button = ipywidgets.Button(description=label, tooltip=tooltip, layout={"width": "auto"})
    button.on_click(clicked)
    return button


def steps(function: Callable, name: str, *, seed: int = DEFAULT_SEED, **limits) -> Stepper | View:
    """Record a run of a loop and walk through it.

    In: the loop (the learner's own, or ``our_loop``), sync or ``async def``; the name of a scenario; a seed; limits to
    pass on (default: the scenario's). Out: the stepper; a sentence where the loop is still the stub, or where no line
    of it ran. Raises UnknownScenario; never for a fault of the loop.
    """
    script = load_scenario(scenario(name).name)
    recording = record(function, script, seed=seed, limits=limits or None)
    crash = recording.transcript.crash
    if crash is not None and crash.type == "NotImplementedError" and not recording.transcript.exchanges:
        return View.message("Not attempted yet: the function is still the stub.")
    if not recording.steps:
        return View.message(f"No line of Python was seen. {ending(recording)}.")
    return Stepper(recording)
