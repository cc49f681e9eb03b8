"""The toy terminal: says what a real shell would say, and touches nothing."""

import html

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.course import ToyTerminal
from grader.course.toy_shell import Shell

FILES = {
    "notes.txt": "bread\nmilk\napples\nmilk\n",
    "logs/app.log": "1 ok\n2 Error: disk\n10 ok\n",
    "logs/old.log": "none\n",
    ".hidden": "x",
    "/etc/motd": "hi\n",
}


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("ls", "logs  notes.txt\n"),
        ("ls -a", ".hidden  logs  notes.txt\n"),
        ("ls | cat", "logs\nnotes.txt\n"),
        ("ls -l notes.txt", "-rw-r--r-- you     23 notes.txt\n"),
        ("ls logs notes.txt", "logs:\napp.log  old.log\nnotes.txt\n"),
        ("ls nope", "ls: nope: No such file or directory\n"),
        ("ls /", "etc  home\n"),
        ("pwd", "/home/you\n"),
        ("cat notes.txt", FILES["notes.txt"]),
        ("cat -n logs/old.log", "     1  none\n"),
        ("cat logs", "cat: logs: Is a directory\n"),
        ("cat logs/old.log nope", "none\ncat: nope: No such file or directory\n"),
        ("cat logs/old.log nope | wc -l", "cat: nope: No such file or directory\n1\n"),
        ("cat ../../etc/motd ~/logs/old.log", "hi\nnone\n"),
        ("cat *.txt | head -n 1", "bread\n"),
        ("cat '*.txt'", "cat: *.txt: No such file or directory\n"),
        ("head -2 notes.txt", "bread\nmilk\n"),
        ("tail -n 1 notes.txt", "milk\n"),
        ("tail -n 0 notes.txt", ""),
        ("head -n x notes.txt", "head: option -n needs a number\n"),
        ("wc notes.txt", "4 4 23 notes.txt\n"),
        ("wc -l logs/*.log", "3 logs/app.log\n1 logs/old.log\n4 total\n"),
        ("grep -n ok logs/app.log", "1:1 ok\n3:10 ok\n"),
        ("grep -i ERROR logs/*", "logs/app.log:2 Error: disk\n"),
        ("grep -c milk notes.txt", "2\n"),
        ("grep -v milk notes.txt", "bread\napples\n"),
        ("grep -r none", "./logs/old.log:none\n"),
        ("grep '(' notes.txt", "grep: (: missing ), unterminated subpattern at position 0\n"),
        ("sort notes.txt | uniq -c | sort -rn", "      2 milk\n      1 bread\n      1 apples\n"),
        ("sort -n logs/app.log", "1 ok\n2 Error: disk\n10 ok\n"),
        ("sort -u notes.txt", "apples\nbread\nmilk\n"),
        ('echo "a | b"   c', "a | b c\n"),
        ("date", "Mon Nov 30 09:30:00 UTC 2026\n"),
        ("find . -name '*.log'", "./logs/app.log\n./logs/old.log\n"),
        ("rm -rf /", "rm: command not found\n"),
        ("ls --color", "ls: option -- is not known here\n"),
        ("cat notes.txt > copy", "toy shell: '>' is not known here; there are commands, quotes and |\n"),
        ("cat 'notes", "toy shell: a quote ' is not closed\n"),
        ("ls |", "toy shell: a command is missing beside |\n"),
        ("", ""),
    ],
)
def test_what_a_command_prints(line, output):
    assert ToyTerminal(FILES).run(line) == output


def test_exit_codes():
    shell = Shell(FILES)
    codes = {line: shell.run(line).code for line in ("ls", "cat nope", "nope", "ls >", "cat nope | wc", "ls | nope")}
    assert codes == {"ls": 0, "cat nope": 1, "nope": 127, "ls >": 2, "cat nope | wc": 0, "ls | nope": 127}


def test_cd_moves_and_stays_put_when_it_cannot():
    terminal = ToyTerminal(FILES)
    assert terminal.run("cd logs") == ""
    assert terminal.run("pwd") == "/home/you/logs\n"
    assert terminal.run("cd app.log") == "cd: app.log: Not a directory\n"
    assert terminal.run("cd nope") == "cd: nope: No such file or directory\n"
    assert terminal.run("ls") == "app.log  old.log\n"
    assert terminal.run("cd") == "" and terminal.run("pwd") == "/home/you\n"


def test_help_names_every_command():
    assert ToyTerminal().run("help").split("\n")[0].split() == sorted(
        ["cat", "cd", "date", "echo", "find", "grep", "head", "help", "ls", "pwd", "sort", "tail", "uniq", "wc"]
    )


_pieces = [
    "ls",
    "cat",
    "grep",
    "wc",
    "-n",
    "-",
    "--",
    "*",
    "?",
    "[",
    "..",
    "/",
    "~",
    "|",
    "'",
    '"',
    "notes.txt",
    "(",
    "\\",
    "\0",
]


@given(st.lists(st.one_of(st.sampled_from(_pieces), st.text(max_size=4)), max_size=6).map(" ".join))
@example("cat [*")
@example("ls //")
def test_whatever_is_typed_gets_a_text(line):
    assert isinstance(ToyTerminal(FILES).run(line), str)


def test_history_and_the_reprs_hold_what_was_done():
    terminal = ToyTerminal({"a.txt": "<b>&\n"})
    assert repr(terminal) == 'toy terminal: type a command into it, or call terminal.run("ls")'
    terminal.run("cat a.txt")
    assert terminal.history == [("cat a.txt", "<b>&\n")]
    assert repr(terminal) == "$ cat a.txt\n<b>&"
    assert terminal._repr_html_() == "<pre>$ cat a.txt\n&lt;b&gt;&amp;</pre>"


def test_what_steers_a_real_terminal_is_only_shown():
    terminal = ToyTerminal({"a.txt": "\x1b[31m\x00\ud800\u202e\n"})
    terminal.run("cat a.txt")
    for text in (repr(terminal), terminal._repr_html_(), terminal._widget().children[0].value):
        assert "\\x1b[31m\\x00\\ud800\\u202e" in text


def test_the_widget_runs_what_is_typed_and_shows_it_escaped():
    terminal = ToyTerminal({"a.txt": "<script>\n"})
    bundle = terminal._repr_mimebundle_()
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} == set(bundle)
    screen, line = terminal._widget().children
    prompt, button = line.children
    prompt.value = "cat a.txt"
    assert terminal.history == [("cat a.txt", "<script>\n")]
    assert prompt.value == ""
    assert html.escape("<script>") in screen.value and "<script>" not in screen.value
    button.click()
    assert len(terminal.history) == 1, "an empty prompt runs nothing"
