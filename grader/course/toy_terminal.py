"""The toy terminal of chapter 1: a prompt in the notebook, with the toy shell behind it."""

import html

from grader.course.toy_shell import Shell
from grader.history.visible import visible

SAMPLE_FILES = {
    "readme.txt": "Three small files to look at.\n",
    "shopping.txt": "bread\nmilk\napples\n",
    "logs/app.log": "09:01 start\n09:02 ok\n09:05 error: disk full\n09:06 stop\n",
}
_HINT = "Type a command, for example ls"


class ToyTerminal:
    """A terminal whose files exist in memory only.

    In: ``files``: path -> text (default: a small sample). As the last line of a cell it is a prompt to type into;
    where widgets don't work, ``run`` does the same.
    """

    def __init__(self, files: dict[str, str] | None = None):
        self._shell = Shell(dict(SAMPLE_FILES if files is None else files))
        self.history: list[tuple[str, str]] = []
        self._listeners = []

    def run(self, command: str) -> str:
        """Run one command line and return what it prints, errors included. Never raises for a wrong command."""
        output = self._shell.run(command).text
        self.history.append((command, output))
        for listener in self._listeners:
            listener()
        return output

    def __repr__(self) -> str:
        if not self.history:
            return 'toy terminal: type a command into it, or call terminal.run("ls")'
        return visible("\n".join(f"$ {command}\n{output}".rstrip() for command, output in self.history))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        """A widget for a notebook that has them; else, and in a stored notebook, what was typed so far."""
        static = {"text/plain": repr(self), "text/html": self._repr_html_()}
        bundle = self._widget()._repr_mimebundle_() or {}
        return {**bundle, **static}

    def _widget(self):
        import ipywidgets

        screen = ipywidgets.HTML()
        # Not at each key: the value arrives with Enter, or when the field is left for the button.
        prompt = ipywidgets.Text(
            description="$",
            placeholder=_HINT,
            continuous_update=False,
            style={"description_width": "1em"},
            layout={"width": "32em"},
        )
        button = ipywidgets.Button(description="Run", tooltip="Run the command", layout={"width": "6em"})

        def draw():
            screen.value = f"<pre>{html.escape(repr(self))}</pre>" if self.history else ""

        def submit(_):
            command = prompt.value.strip()
            prompt.value = ""
            if command:
                self.run(command)

        prompt.observe(submit, names="value")
        button.on_click(submit)
        self._listeners.append(draw)
        draw()
        return ipywidgets.VBox([screen, ipywidgets.HBox([prompt, button])])
