# %% [markdown]
# # 1. You are the loop
#
# A language model can write a command. It cannot run one. Everything that an *agent* does beyond talking is done by somebody else:
# a program that reads what the model asks for, does it, and brings back what happened.
#
# In this chapter that program is you. You will do its work by hand, three times. In chapter 3 you write it.
#
# There is no key to enter and no account to make. Run each cell with Shift+Enter.

# %%
import json

import anthropic
from grader import MODEL, check, lint, scenario, show
from grader.course import ToyTerminal, progress
from grader.places import FIXTURES

# %% [markdown]
# ## 02:14 at Kettle Lane
#
# A bakery sells bread through a small web shop. Since last night no order comes in, and you are on duty. You have two things: a
# terminal on the shop's machine, and a model that knows a lot about web shops and nothing about this one.
#
# The model can't see the terminal. The terminal can't hear the model. Here are both, and the task.

# %%
night = json.loads((FIXTURES / "terminals" / "kettle-lane.json").read_text(encoding="utf-8"))
task = night["task"]
print(task)

terminal = ToyTerminal(night["files"])


def model(told):
    """Say the next thing: the first prepared line whose clue is in what was told."""
    return next(line["text"] for line in night["says"] if line["after"] in told)


print("model:", model(task))

# %% [markdown]
# The terminal is a toy: it plays a folder with three files and can touch nothing on your machine.
#
# The model is a stand-in: four lines, written in advance and chosen by what you tell it. It has one thing in common with a real
# model, and this chapter is about that one thing. **Of this shop it knows what you hand it, and nothing else.**
#
# ## Your turn, three times
#
# It wants a command. Do this three times:
#
# 1. Type the command into the terminal below.
# 2. Copy what the terminal prints.
# 3. Paste it into the list under the terminal: between triple quotes, with a comma after it, one paste under the other. Run that cell and
#    read what the model says next.
#
# If the model repeats itself, your paste didn't reach it. When a check fails, read what it `saw` and what to `do`, mend that, and check
# again. (`more` names a command for a terminal. You can do without it.)

# %%
terminal

# %% tags=["exercise"] exercise="three-turns"
# STUB: pasted = [
# STUB:     # here: """the output""",
# STUB: ]
# BEGIN SOLUTION
pasted = [
    """certs
orders.log
shop.toml""",
    """02:13:41 order 7731 paid 14.20
02:14:02 order 7732 failed: gateway refused certs/payment.txt
02:15:37 order 7733 failed: gateway refused certs/payment.txt""",
    """issued to: Kettle Lane Bakery
valid from: 2025-11-30 02:14
valid until: 2026-11-30 02:14""",
]
# END SOLUTION
told = task
print("model:", model(told))
for output in pasted:
    told = told + "\n" + output
    print("\nmodel:", model(told))

# %% tags=["check"] exercise="three-turns"
check("three-turns", pasted)

# %% [markdown]
# The first command had to come first: before it, the model didn't know that `orders.log` exists. And the third request named two
# files. You knew at once which one to print. Keep that in mind for chapter 2.
#
# ## What did you do?
#
# Before you read on: how many times did you carry text between the model and the terminal? Count both directions together. The task
# doesn't count, because the terminal had no part in it.

# %% tags=["exercise"] exercise="carried"
# STUB: carried = ...   # a number
# BEGIN SOLUTION
carried = 6
# END SOLUTION

# %% tags=["check"] exercise="carried"
check("carried", carried)

# %% [markdown]
# Look at those trips once more. You decided nothing. The model chose each command, and it chose when to stop. You read, ran, copied and
# pasted, until there was nothing more to run. And each time the model was told everything anew, from the task on: look at `told` in the
# cell above. That is a loop, and you were it.
#
# ## The list
#
# A real model sits behind the Messages API, and the API keeps nothing of a conversation between two requests. Each request has to
# bring all of it, from the first word. A long string like `told` loses who said what, so it travels as a list called `messages`:
# the **history**.
#
# A message has a `role` and a `content`. What the model said has the role `assistant`. All that reaches it from outside has the
# role `user`, whether a person typed it or a terminal printed it.

# %%
opening = [
    {"role": "user", "content": "How many files are in this folder?"},
    {"role": "assistant", "content": "Please run `ls`."},
    {"role": "user", "content": "certs\norders.log\nshop.toml"},
]
show(opening)

# %% [markdown]
# ## Break it
#
# What happens when the list is wrong? Let's ask. The client below is the real Python client of the API. At its other end is a
# script instead of a model. It has one prepared reply, and gives it to any list that the API would accept. What the API refuses is
# refused here too, in the API's own words. In these texts, 400 is the HTTP status of a bad request, and `messages.0` is the first
# message. What else `send` says to the API is for chapter 2.

# %%
def send(messages):
    """Send the list; print the reply, or the reason why there is none."""
    client = scenario("ch01-bakery-log").client()
    try:
        reply = client.messages.create(model=MODEL, max_tokens=1024, messages=messages)
        print("model:", reply.content[0].text)
    except anthropic.BadRequestError as refusal:
        print(refusal.status_code, refusal.body["error"]["message"])


send([])

# %% [markdown]
# No history, no question. Next: a role of its own for the terminal. It looks tidy, and some other vendors' APIs have one.

# %%
send(opening[:2] + [{"role": "tool", "content": "certs\norders.log\nshop.toml"}])

# %% [markdown]
# A command that prints nothing, pasted as it is:

# %%
send(opening[:2] + [{"role": "user", "content": ""}])

# %% [markdown]
# And a list in which the model has had the last word:

# %%
send(opening[:2])

# %% [markdown]
# *Prefill* means writing the beginning of the model's answer for it. Older models allow it. For this one, the last message has to be
# something to answer.
#
# You don't have to send a list to find out. `lint` looks for the same faults and says where they are. The empty paste again:

# %%
for fault in lint(opening[:2] + [{"role": "user", "content": ""}]):
    print(fault.where, "|", fault.saw, "|", fault.help)

# %% [markdown]
# ## Mend a list
#
# A colleague wrote this history and got a 400. It holds two faults. Change the list until the check is content; the terminal
# really printed those two lines.

# %% tags=["exercise"] exercise="mend-list"
# STUB: mended = [
# STUB:     {"role": "user", "content": "Which flour is in stock?"},
# STUB:     {"role": "assistant", "content": "Please run `cat stock.txt`."},
# STUB:     {"role": "terminal", "content": "rye 20 kg\nspelt 5 kg"},
# STUB:     {"role": "assistant", "content": ""},
# STUB: ]
# BEGIN SOLUTION
mended = [
    {"role": "user", "content": "Which flour is in stock?"},
    {"role": "assistant", "content": "Please run `cat stock.txt`."},
    {"role": "user", "content": "rye 20 kg\nspelt 5 kg"},
]
# END SOLUTION

# %% tags=["check"] exercise="mend-list"
check("mend-list", mended)

# %% [markdown]
# ## Build it yourself
#
# Now the conversation of tonight. Build `messages` as the next request needs it: everything that has been said and
# printed, up to the third output. The model's last words ("Found it …") were not an answer yet, so leave them out.
#
# Copy the texts from above; spaces and line breaks don't have to match. Before you start, guess how long the list will be.

# %% tags=["exercise"] exercise="by-hand"
# STUB: messages = ...   # [{"role": "user", "content": task}, …]
# BEGIN SOLUTION
messages = [
    {"role": "user", "content": task},
    {"role": "assistant", "content": "Please run `ls`."},
    {"role": "user", "content": pasted[0]},
    {"role": "assistant", "content": "There is a log. Its last lines, please:\n\n$ tail -n 3 orders.log"},
    {"role": "user", "content": pasted[1]},
    {
        "role": "assistant",
        "content": "The gateway refused a certificate. Print it with cat certs/payment.txt and leave `shop.toml` alone.",
    },
    {"role": "user", "content": pasted[2]},
]
# END SOLUTION

# %% [markdown] tags=["hint"]
# Begin with the task. Then two messages for each round: first what the model said (`assistant`), then what the terminal printed
# (`user`). `show(messages)` draws what you have so far.

# %% [markdown] tags=["hint"]
# Seven messages: 1 + 2 + 2 + 2. Outputs with several lines fit between triple quotes, `"""like this"""`. You already hold three
# of the seven in a list: `pasted[0]`, `pasted[1]` and `pasted[2]`.
#
# Still stuck? [The solved chapter](../solutions/01_you_are_the_loop.ipynb) shows one way.

# %% tags=["check"] exercise="by-hand"
check("by-hand", messages)

# %% [markdown]
# Send it. This is the whole trick of a conversation with a model: you tell it, each time, what has happened between you so far.

# %%
if messages is ...:
    print("Build the list first.")
else:
    send(messages)

# %% [markdown]
# The case is closed after three commands. Another model might have needed two, or nine. None could have done it with none: no model
# has ever seen this shop.
#
# ## What people often believe
#
# - *"The model ran `ls`."* It wrote two letters. You ran them. Had you pasted the listing of another folder, it would have gone on with that.
# - *"The API remembers our chat."* The [documentation](https://platform.claude.com/docs/en/build-with-claude/working-with-messages)
#   calls the API stateless. A chat window that seems to remember is a program that sends the whole list again.
# - *"Roles must alternate."* They once had to. Today two `user` messages in a row are joined into one. Many texts still say
#   otherwise.
# - *"An assistant message is proof of what the model said."* You typed three of them yourself, and the API took your word.
#
# ## One-minute recall
#
# **1.** How much of the conversation does the API keep for you between two requests? **a** all of it · **b** its own last answer · **c** nothing
#
# **2.** Who can put a message with the role `assistant` into the list? **a** only the API · **b** you · **c** the terminal
#
# **3.** Which role carries what the terminal printed? **a** `user` · **b** `assistant` · **c** `tool`
#
# **4.** Why was it over after three commands? **a** three is the limit · **b** the model asked for nothing more · **c** the list was full

# %% tags=["exercise"] exercise="recall-1"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["c", "b", "a", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-1"
check("recall-1", recall)

# %% [markdown]
# ## Next
#
# You read "Print it with cat certs/payment.txt and leave `shop.toml` alone" and knew what to type. A program would have to find that
# command among the words. In [chapter 2](02_one_request_one_response.ipynb) the model gets a better way to ask.
#
# How far you are, in this and in all other chapters, is written down by `check`:

# %%
progress()
