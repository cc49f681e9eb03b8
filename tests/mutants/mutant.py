"""What a mutant is: a reference loop with one fault, made by small edits of its text."""

import linecache
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Mutant:
    """A wrong loop.

    ``rule``: the code that must be named first; a tuple where several answers are right, with today's in front.
    ``level``: the first level of the contract at which it is caught; it passes the level before.
    ``edits``: (old text, new text) pairs on ``base``; each old text stands in it exactly once.
    ``missed``: why the grader does not name it yet; empty once it does.
    """

    name: str
    rule: str | tuple[str, ...]
    level: str
    why: str
    edits: tuple = ()
    base: str = "reference.py"
    missed: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        return (self.rule,) if isinstance(self.rule, str) else tuple(self.rule)

    def text(self) -> str:
        """The source of the wrong loop. Raises ValueError where an edit doesn't fit its base exactly once."""
        text = (HERE / self.base).read_text(encoding="utf-8")
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {text.count(old)} places in {self.base} read {old!r}")
            text = text.replace(old, new)
        return text

    def function(self):
        """Return the mutant's ``run_agent``, fresh: no state of an earlier one is in it."""
        return load(self.text(), f"mutant_{self.name}.py")


def load(text: str, filename: str):
    """Run a loop's source as a module of its own and return its ``run_agent``. Tracebacks can show its lines."""
    module = ModuleType(filename.removesuffix(".py").replace("-", "_"))
    module.__file__ = filename
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), module.__dict__)
    return module.run_agent
