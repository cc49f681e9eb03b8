"""The commands of the toy shell. Each takes (shell, arguments, text from the pipe) and returns what it prints, or
raises Refused."""

import fnmatch
import posixpath
import re

NOW = "Mon Nov 30 09:30:00 UTC 2026"  # always the same moment, so that a stored output stays true


class Refused(Exception):
    """A command can't do that. ``before``: what it had printed by then; ``code``: its exit code."""

    def __init__(self, text: str, code: int = 1, before: str = ""):
        super().__init__(text)
        self.code = code
        self.before = before


def _ls(shell, arguments, piped):
    options, paths = _options(arguments, "al1")
    printed = []
    for path in paths or ["."]:
        if shell.is_folder(path):
            names = [name for name in shell.entries(path) if "a" in options or not name.startswith(".")]
            rows = [_ls_line(shell, posixpath.join(path, name), name, options) for name in names]
        else:
            shell.read(path)
            rows = [_ls_line(shell, path, path, options)]
        if shell.on_screen and rows and not {"l", "1"} & options:
            rows = ["  ".join(rows)]
        printed += [f"{path}:", *rows] if len(paths) > 1 and shell.is_folder(path) else rows
    return _lines(printed)


def _ls_line(shell, path, name, options):
    if "l" not in options:
        return name
    kind, size = ("drwxr-xr-x", 4096) if shell.is_folder(path) else ("-rw-r--r--", len(shell.read(path).encode()))
    return f"{kind} you {size:6d} {name}"


def _cat(shell, arguments, piped):
    options, paths = _options(arguments, "n")
    text = _input(shell, paths, piped)
    return _lines(f"{i:6d}  {line}" for i, line in enumerate(text.splitlines(), 1)) if "n" in options else text


def _head(shell, arguments, piped):
    count, paths = _line_count(arguments)
    return "".join(_input(shell, paths, piped).splitlines(keepends=True)[:count])


def _tail(shell, arguments, piped):
    count, paths = _line_count(arguments)
    lines = _input(shell, paths, piped).splitlines(keepends=True)
    return "".join(lines[max(0, len(lines) - count) :])


def _wc(shell, arguments, piped):
    options, paths = _options(arguments, "lwc")
    texts = [(shell.read(path), path) for path in paths] or [(piped, "")]
    rows = [((text.count("\n"), len(text.split()), len(text.encode())), name) for text, name in texts]
    if len(rows) > 1:
        rows.append((tuple(map(sum, zip(*(counts for counts, _ in rows), strict=True))), "total"))
    shown = [i for i, letter in enumerate("lwc") if letter in options] or [0, 1, 2]
    return _lines(" ".join([*(str(counts[i]) for i in shown), name]).rstrip() for counts, name in rows)


def _grep(shell, arguments, piped):
    options, words = _options(arguments, "incvrE")
    if not words:
        raise Refused("usage: grep [-i] [-n] [-c] [-v] [-r] PATTERN [FILE...]", 2)
    pattern, *paths = words
    try:
        wanted = re.compile(pattern, re.IGNORECASE if "i" in options else 0)
    except re.error as error:
        raise Refused(f"{pattern}: {error}", 2) from None
    if "r" in options:
        paths = [file for path in paths or ["."] for file in _files_under(shell, path)]
    texts = [(path, shell.read(path)) for path in paths] or [("", piped)]
    printed = [
        line for path, text in texts for line in _grep_one(wanted, text, options, f"{path}:" if len(texts) > 1 else "")
    ]
    return _lines(printed)


def _grep_one(wanted, text, options, prefix):
    hits = [(i, line) for i, line in enumerate(text.splitlines(), 1) if bool(wanted.search(line)) != ("v" in options)]
    if "c" in options:
        return [f"{prefix}{len(hits)}"]
    return [f"{prefix}{i}:{line}" if "n" in options else f"{prefix}{line}" for i, line in hits]


def _sort(shell, arguments, piped):
    options, paths = _options(arguments, "rnu")
    lines = _input(shell, paths, piped).splitlines()
    if "u" in options:
        lines = list(set(lines))
    return _lines(sorted(lines, key=_number if "n" in options else None, reverse="r" in options))


def _number(line):
    match = re.match(r"\s*(-?\d+(?:\.\d+)?)", line)
    return (float(match[1]) if match else 0.0, line)


def _uniq(shell, arguments, piped):
    options, paths = _options(arguments, "c")
    groups: list[list] = []
    for line in _input(shell, paths, piped).splitlines():
        if groups and groups[-1][1] == line:
            groups[-1][0] += 1
        else:
            groups.append([1, line])
    return _lines(f"{count:7d} {line}" if "c" in options else line for count, line in groups)


def _echo(shell, arguments, piped):
    return " ".join(arguments) + "\n"


def _pwd(shell, arguments, piped):
    return shell.folder + "\n"


def _cd(shell, arguments, piped):
    path = arguments[0] if arguments else "~"
    if not shell.is_folder(path):
        shell.read(path)
        raise Refused(f"{path}: Not a directory")
    shell.folder = shell.absolute(path)
    return ""


def _date(shell, arguments, piped):
    return NOW + "\n"


def _find(shell, arguments, piped):
    start, pattern = ".", "*"
    words = list(arguments)
    if words and not words[0].startswith("-"):
        start = words.pop(0)
    if words[:1] == ["-name"] and len(words) == 2:
        pattern = words[1]
    elif words:
        raise Refused("usage: find [FOLDER] [-name PATTERN]")
    return _lines(path for path in _files_under(shell, start) if fnmatch.fnmatch(posixpath.basename(path), pattern))


def _help(shell, arguments, piped):
    return f"{' '.join(sorted(COMMANDS))}\nA toy: the files exist in memory only. Quotes and | work; > does not.\n"


def _files_under(shell, path):
    """The files in a folder and its folders, sorted, named from ``path`` on."""
    if not shell.is_folder(path):
        shell.read(path)
        return [path]
    inside = shell.absolute(path).rstrip("/") + "/"
    return sorted(posixpath.join(path, name[len(inside) :]) for name in shell.files if name.startswith(inside))


def _input(shell, paths, piped):
    """The files one after the other, or the pipe. A file that is missing leaves what was read before it printed."""
    read = ""
    for path in paths:
        try:
            read += shell.read(path)
        except Refused as problem:
            raise Refused(str(problem), before=read) from None
    return read if paths else piped


def _options(arguments, known):
    """Split ``-x`` letters from the rest. Raises Refused for a letter that the command doesn't know."""
    letters, rest = set(), []
    for word in arguments:
        if word.startswith("-") and len(word) > 1:
            unknown = sorted(set(word[1:]) - set(known))
            if unknown:
                raise Refused(f"option -{unknown[0]} is not known here", 2)
            letters |= set(word[1:])
        else:
            rest.append(word)
    return letters, rest


def _line_count(arguments):
    """``-n 3``, ``-n3`` or ``-3``: the number of lines of head and tail, 10 without. Out: (count, paths)."""
    words = list(arguments)
    match = re.fullmatch(r"-n?(\d+)", words[0]) if words else None
    if match:
        return int(match[1]), words[1:]
    if words[:1] == ["-n"]:
        if len(words) < 2 or not words[1].isdigit():
            raise Refused("option -n needs a number")
        return int(words[1]), words[2:]
    _, paths = _options(words, "")
    return 10, paths


def _lines(lines):
    return "".join(f"{line}\n" for line in lines)


COMMANDS = {
    "cat": _cat,
    "cd": _cd,
    "date": _date,
    "echo": _echo,
    "find": _find,
    "grep": _grep,
    "head": _head,
    "help": _help,
    "ls": _ls,
    "pwd": _pwd,
    "sort": _sort,
    "tail": _tail,
    "uniq": _uniq,
    "wc": _wc,
}
