"""A toy shell: a few commands over files that exist in memory only. Nothing on the reader's machine is read,
changed or run."""

import fnmatch
import posixpath
from dataclasses import dataclass, field

from grader.course.toy_commands import COMMANDS, Refused

HOME = "/home/you"
_OPERATORS = "|&;<>()$`\\"


@dataclass(frozen=True)
class Result:
    """What a command line printed, and its exit code (0: fine)."""

    text: str
    code: int = 0


@dataclass
class Shell:
    """A shell with files of its own.

    In: ``files``: path -> text, relative to the home folder or absolute. Folders are there because files are in them.
    """

    files: dict[str, str] = field(default_factory=dict)
    folder: str = HOME
    on_screen: bool = True  # False while a command prints into a pipe: ls then puts one name on a line

    def __post_init__(self):
        self.files = {self.absolute(path): text for path, text in self.files.items()}

    def run(self, line: str) -> Result:
        """Run one command line: commands, quotes and pipes. Never raises; what is wrong is said in the text, with a
        code that isn't 0."""
        try:
            stages = _stages(_words(line))
        except Refused as problem:
            return Result(f"toy shell: {problem}\n", 2)
        text, code, earlier, complaint = "", 0, "", ""
        for number, (name, *words) in enumerate(stages, start=1):
            self.on_screen = number == len(stages)
            earlier += complaint  # what a command complains of goes to the screen, not into the pipe
            try:
                text, code, complaint = self._command(name, words, text), 0, ""
            except Refused as problem:
                text, code, complaint = problem.before, problem.code, f"{name}: {problem}\n"
        return Result(earlier + text + complaint, code)

    def _command(self, name: str, words: list["_Word"], piped: str) -> str:
        if name not in COMMANDS:
            raise Refused("command not found", 127)
        return COMMANDS[name](self, [match for word in words for match in self._expand(word)], piped)

    def absolute(self, path: str) -> str:
        """The path from the root, without ``..`` and ``~``."""
        if path == "~" or path.startswith("~/"):
            path = HOME + path[1:]
        return "/" + posixpath.normpath(posixpath.join(self.folder, path)).lstrip("/")

    def is_folder(self, path: str) -> bool:
        """True for the home folder, and for each folder that a file is in."""
        path = self.absolute(path)
        inside = path.rstrip("/") + "/"
        return any(name.startswith(inside) for name in [*self.files, HOME + "/"])

    def entries(self, path: str) -> list[str]:
        """The names in a folder, sorted."""
        inside = self.absolute(path).rstrip("/") + "/"
        names = [name[len(inside) :] for name in [*self.files, HOME] if name.startswith(inside)]
        return sorted({name.split("/")[0] for name in names if name})

    def read(self, path: str) -> str:
        """The text of a file. Raises Refused in the words of a real shell."""
        text = self.files.get(self.absolute(path))
        if text is not None:
            return text
        raise Refused(f"{path}: {'Is a directory' if self.is_folder(path) else 'No such file or directory'}")

    def _expand(self, word: "_Word") -> list[str]:
        """``*`` and ``?`` in the last part of an unquoted word become the names that match."""
        folder, pattern = posixpath.split(word.text)
        if word.quoted or not set("*?") & set(pattern):
            return [word.text]
        names = [name for name in self.entries(folder or ".") if not name.startswith(".")]
        return [posixpath.join(folder, name) for name in fnmatch.filter(names, pattern)] or [word.text]


@dataclass
class _Word:
    text: str = ""
    quoted: bool = False
    operator: bool = False


def _words(line: str) -> list[_Word]:
    """Cut a line into words. Raises Refused for what this shell doesn't know."""
    words: list[_Word] = []
    current, quote = None, ""
    for char in line.strip():
        if quote:
            if char == quote:
                quote = ""
            else:
                current.text += char
        elif char in "'\"":
            current = current or _Word()
            current.quoted, quote = True, char
        elif char.isspace() or char == "|":
            words += [current] if current else []
            words += [_Word("|", operator=True)] if char == "|" else []
            current = None
        elif char in _OPERATORS:
            raise Refused(f"{char!r} is not known here; there are commands, quotes and |")
        else:
            current = current or _Word()
            current.text += char
    if quote:
        raise Refused(f"a quote {quote} is not closed")
    return [*words, current] if current else words


def _stages(words: list[_Word]) -> list[list]:
    """The commands of a pipe: [name, word, word, …] each."""
    stages: list[list] = [[]]
    for word in words:
        if word.operator:
            stages.append([])
        else:
            stages[-1].append(word if stages[-1] else word.text)
    if stages == [[]]:
        return []
    if not all(stages):
        raise Refused("a command is missing beside |")
    return stages
