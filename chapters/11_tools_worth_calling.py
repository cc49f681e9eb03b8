# %% [markdown]
# # 11. Tools worth calling
#
# Your loop is right, and the model still gets nowhere. A boat hire has given it one tool:

# %%
import ast
import operator
import os
import posixpath
import signal
import subprocess
import sys
import tempfile
import threading

from grader import MODEL, check, scenario, show

hire = scenario("ch11-vague-tool")
client = hire.client()
print(hire.tools[0])
messages = [{"role": "user", "content": hire.task}]
while True:
    reply = client.messages.create(model=MODEL, max_tokens=1024, tools=hire.tools, messages=messages)
    messages.append({"role": "assistant", "content": reply.content})
    if reply.stop_reason != "tool_use":
        break
    call = reply.content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": hire.functions["get"](**call.input)}
    messages.append({"role": "user", "content": [result]})
show(messages)

# %% [markdown]
# Four requests, and "please ask at the desk". (The conversation was written for this course, and the model in it is
# patient.) You could not have done better with
# that tool. `get`? `q`? And does `'s': 0` mean free, or full?
#
# ## What the model sees
#
# It never sees your code. It sees a name, a description and a schema, and later a result. The
# [documentation](https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools) calls the description by
# far the most important factor. What has to be in them:
#
# | | |
# | --- | --- |
# | name | a verb and a thing: `free_tables`, not `get` or `process` |
# | description | what it does, when to use it and when not, what comes back, units, limits: three sentences or more |
# | each parameter | how to write it: "ISO date, for example 2026-12-24"; an `enum` where the values are few |
# | one job | what has an `action` parameter is several tools |
# | few tools | each one is paid for in each request (chapter 10), and each one is a chance to pick the wrong one |
# | result | short, and labelled: "red kayak, Sat 5 Dec: free 14 to 18", not `0` |
#
# ## Predict: what is wrong?
#
# Five tools of a restaurant. For each: **a** the description says nothing · **b** a parameter that can be written in
# many ways · **c** several jobs ·
# **d** a result without a limit · **e** a good tool.
#
# 1. `manage_booking(action, details)`: "Books, moves, cancels or lists tables, depending on action."
# 2. `free_tables(date)`: "Lists the tables that are free on one evening, with their seats, at most 20. Changes
#    nothing." `date`: "ISO date, for example 2026-12-24"
# 3. `run_it(input)`: "Runs it."
# 4. `read_log()`: "Returns the server's log since it was started."
# 5. `book_table(date)`: "Books one table at the Anchor for one evening. Call free_tables first. Returns the booking
#    number." `date`: "the date"

# %% tags=["exercise"] exercise="whats-wrong"
# STUB: faults = ...   # five letters: ["a", …]
# BEGIN SOLUTION
faults = ["c", "e", "a", "d", "b"]
# END SOLUTION

# %% tags=["check"] exercise="whats-wrong"
check("whats-wrong", faults)

# %% [markdown]
# ## Strict
#
# Descriptions are advice. Usually the model follows them; sometimes a number comes as a text, or a parameter that you
# don't have. With `"strict": True` the API
# lets the model write nothing but what [fits the
# schema](https://platform.claude.com/docs/en/agents-and-tools/tool-use/strict-tool-use). Each object in it has to
# say `"additionalProperties": False`.

# %%
date = {"type": "string", "description": "ISO date, for example 2026-12-24."}
free_tables = {
    "name": "free_tables",
    "description": "Lists the tables that are free on one evening, with their seats, at most 20. Changes nothing.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {"date": date},
        "required": ["date"],
        "additionalProperties": False,
    },
}

# %% [markdown]
# It is a promise about form. `"2026-02-31"` is a string, so it fits. Whether the day exists is still for your
# function to say, and a `ValueError` with a good text is the way
# (chapter 6).
#
# ## Results: short, and not silently
#
# Whatever a tool returns travels in every later request. So cap it, but say so: a model that sees the first part of a
# list, and no word about the rest, takes it for the list.
#
# Write `capped(text, limit)`: a text of at most `limit` characters comes back as it is. Of a longer one, the first
# `limit` characters come back, and behind them a
# short note of your own that says **how many** characters are left out.

# %% tags=["exercise"] exercise="capped"
def capped(text, limit):
    """The text, or its beginning and a note of how much is left out."""
    # BEGIN SOLUTION
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[{len(text) - limit} more characters left out]"
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Two cases. `text[:limit]` are the first characters, `len(text) - limit` is the number that is missing.

# %% tags=["check"] exercise="capped"
check("capped", capped)

# %% [markdown]
# ## tool_choice
#
# | `tool_choice` | the model |
# | --- | --- |
# | `{"type": "auto"}` | decides by itself; this is what you get without saying anything |
# | `{"type": "any"}` | must call some tool, without a word before it |
# | `{"type": "tool", "name": "…"}` | must call this one |
# | `{"type": "none"}` | must not call any, though the definitions stay in the request |
#
# `tool` is for getting data in a fixed form out of one request. `none` is for the last turn before a gate: "answer
# with what you have". And `any`, in a loop?

# %%
harbour = scenario("ch11-forced")
client = harbour.client()
print(harbour.task)
messages = [{"role": "user", "content": harbour.task}]
for _ in range(3):
    reply = client.messages.create(
        model=MODEL, max_tokens=1024, tools=harbour.tools, messages=messages, tool_choice={"type": "any"}
    )
    [call] = reply.content
    result = {"type": "tool_result", "tool_use_id": call.id, "content": harbour.functions[call.name](**call.input)}
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
    print(reply.stop_reason, call.input)

# %% [markdown]
# The crew waits for its hello. A model that must call a tool calls a tool. (The script can't see `tool_choice`; it
# plays what `any` leaves open.)
#
# **Predict:** a loop like chapter 9's sends `any` with each request, `max_turns=6`, the other limits as they are by
# default. The inputs are other ones each time.
# With which status does it end?

# %% tags=["exercise"] exercise="forced"
# STUB: status = ...   # a status of chapter 8
# BEGIN SOLUTION
status = "max_turns"
# END SOLUTION

# %% tags=["check"] exercise="forced"
check("forced", status)

# %% [markdown]
# So force the first turn at most, then go back to `auto`. Two more things: a change of `tool_choice` makes the cache
# forget the messages, and with thinking switched on in the older way
# (`enabled`) forcing is refused:

# %% tags=["raises-exception"]
client.messages.create(
    model=MODEL, max_tokens=2048, tools=harbour.tools, messages=messages, tool_choice={"type": "any"},
    thinking={"type": "enabled", "budget_tokens": 1024},
)

# %% [markdown]
# ## A calculator
#
# Models are poor at long multiplications, so everybody writes this tool, and most begin with one line. Here it is,
# with a neighbour:

# %%
door_code = "4711"
eval("door_code")

# %% [markdown]
# `eval` runs *Python*, and what it runs was written by a model that may have read a stranger's web page. Taking the
# built-ins away doesn't help: from `().__class__` there are ways
# to everything. And `9**9**9` needs no tricks at all: 370 million digits, and your process hears nothing for a long
# time.
#
# Read it instead. `ast.parse(text, mode="eval").body` gives a tree and runs nothing. Walk it, and give a value only
# to what you know: a `Constant` that is a number, a `UnaryOp`
# with `USub`, a `BinOp` with one of these operators:

# %%
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
print(ast.dump(ast.parse("-2 * (3 + 4)", mode="eval").body))

# %% [markdown]
# **Mend it.** Text in, text out. `ValueError` for everything that is not arithmetic, for more than 200 characters,
# and for a power with an exponent over 100 or a base over a million (a minus before it changes nothing),
# *before* it is worked out. What `ast.parse` can't read may stay its `SyntaxError`: chapter 6's `answer` hands on any
# error's text.

# %% tags=["exercise"] exercise="calculate"
def calculate(expression):
    """The value of an arithmetic expression, as text. Raises ValueError for anything else."""
    # STUB: return str(eval(expression))
    # BEGIN SOLUTION
    def value(node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS:
            raise ValueError("Only numbers, brackets and + - * / // % ** are allowed.")
        left, right = value(node.left), value(node.right)
        if isinstance(node.op, ast.Pow) and (abs(left) > 1_000_000 or abs(right) > 100):
            raise ValueError("Powers go up to a base of 1,000,000 and an exponent of 100.")
        return OPERATORS[type(node.op)](left, right)

    if len(expression) > 200:
        raise ValueError("The expression is longer than 200 characters.")
    return str(value(ast.parse(expression, mode="eval").body))
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Write an inner function `value(node)` with one `if` for each kind of node. For a `BinOp`: the values of `node.left`
# and `node.right` first, then
# `OPERATORS[type(node.op)](left, right)`. Its last line raises the `ValueError`.

# %% [markdown] tags=["hint"]
# `type(node.value) in (int, float)` tells numbers from texts. Look at `left` and `right` before you call the
# operator; a check behind it comes too late. And look at
# `len(expression)` before `ast.parse`.
#
# Still stuck? [The solved chapter](../solutions/11_tools_worth_calling.ipynb) shows one way.

# %% tags=["check"] exercise="calculate"
check("calculate", calculate)

# %% [markdown]
# ## A file reader
#
# It has to stay in its folder. Does a look at the beginning of the path do?

# %%
for path in ("notes.txt", "../secret.txt", "../desk-old/keys.txt", "/etc/passwd"):
    place = posixpath.normpath(posixpath.join("/home/you/desk", path))
    print(f"{path:22} {place:28} {place.startswith('/home/you/desk')}")

# %% [markdown]
# Not for the neighbour, whose name begins with the same letters. A link inside the folder that points out of it is
# worse: no text shows that.
#
# Write `read_file(folder, path)`. `folder` is a `pathlib.Path`, `path` is the model's text. It returns the file's text
# and raises `ValueError` when the path leads out of the folder. (A file that isn't there may raise what `read_text`
# raises.) A wall with one hole is no wall, so this one gives all its points or none.

# %% tags=["exercise"] exercise="read-file"
def read_file(folder, path):
    """The text of a file in the folder. Raises ValueError when the path leads out of it."""
    # BEGIN SOLUTION
    place = (folder / path).resolve()
    if not place.is_relative_to(folder.resolve()):
        raise ValueError(f"{path} is outside of the folder. Give a path inside it, for example notes.txt.")
    return place.read_text(encoding="utf-8")
    # END SOLUTION

# %% [markdown] tags=["hint"]
# `(folder / path).resolve()` is where a path really ends, links followed. Compare that with `folder.resolve()`, as
# paths: `is_relative_to`. Then read.

# %% tags=["check"] exercise="read-file"
check("read-file", read_file)

# %% [markdown]
# ## Optional: a shell
#
# *This part needs a real shell (Linux or macOS) and isn't graded. In a browser-only edition it can't run.*
#
# The most powerful tool is also the shortest. Three brakes: a scratch folder, a cap that *stops reading* (`yes`
# writes gigabytes while you wait for its end), and a timeout that kills
# the **whole group**: a kill of the shell alone leaves its children running.

# %%
def run_shell(command, timeout_s=5, limit=2_000):
    """Run a command in a scratch folder; how it ended, and the beginning of its output."""
    with tempfile.TemporaryDirectory() as scratch:
        process = subprocess.Popen(
            command, shell=True, cwd=scratch, text=True, errors="replace", start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        timer = threading.Timer(timeout_s, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        with process.stdout:
            output = process.stdout.read(limit)
        if len(output) == limit:
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        timer.cancel()
    return f"{'stopped: over its time or its limit' if code < 0 else f'exit code {code}'}\n{output}"


if os.name == "posix" and sys.platform != "emscripten":
    for command in ("echo milk > list.txt; cat list.txt", "ls", "sleep 60; echo late", "yes"):
        print(f"$ {command}\n{run_shell(command, timeout_s=2, limit=8)}")

# %% [markdown]
# The second command shows an empty folder: each call starts anew. And none of this is a wall. `cat ~/.ssh/id_rsa`
# works from any folder. Brakes are for accidents; where a model reads what
# strangers wrote, run its shell in a container or a virtual machine that has nothing to lose.
#
# ## What people often believe
#
# - *"The model can read my docstring."* Not unless you send it as the description.
# - *"One tool with an `action` saves tokens."* It saves a few, and costs wrong calls.
# - *"`strict` makes my checks needless."* The form is right. The day may still not exist.
# - *"`eval` without built-ins is safe."* It isn't, and `9**9**9` needs no built-in.
# - *"I filter `..`, so it stays in its folder."* Absolute paths and links need no `..`.
#
# ## One-minute recall
#
# **1.** What does the model know about your function? **a** its code · **b** name, description and schema · **c**
# what a trial run showed
#
# **2.** `strict: true` guarantees that **a** the input has the schema's form · **b** the input makes sense · **c**
# the right tool is called
#
# **3.** `tool_choice` `any` in each request: the model **a** makes one call, then answers · **b** answers at once ·
# **c** never gets to answer
#
# **4.** An output was cut. The model has to see **a** the first part · **b** the first part and how much is missing ·
# **c** an error

# %% tags=["exercise"] exercise="recall-11"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "a", "c", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-11"
check("recall-11", recall)

# %% [markdown]
# ## Next
#
# So far, you have waited for each reply to be complete. [Chapter 12](12_streaming_and_async.ipynb) watches it arrive,
# piece by piece, and runs many things at once.
