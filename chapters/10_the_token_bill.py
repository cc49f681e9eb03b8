# %% [markdown]
# # 10. The token bill
#
# The API remembers nothing, so each request carries everything. You met that in chapter 3 as a curiosity: eleven
# requests, 121 messages.
# Here it becomes a number on a bill.
#
# The pilots complain that a lighthouse was weak in March. Somebody has to read the log, nine pages, one page a turn.

# %%
import json
import queue
import threading
import time
from collections import Counter
from itertools import accumulate

import anthropic

from grader import MODEL, check, scenario
from grader.course import TokenBill, line_chart


def ask(client, messages, tools):
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


log = scenario("ch10-lamp-log")
client = log.client()
messages, used = [{"role": "user", "content": log.task}], 0
while True:
    reply = ask(client, messages, log.tools)
    used += reply.usage.input_tokens
    print(f"{len(log.requests):2}  this request {reply.usage.input_tokens:5}   all so far {used:6}")
    if reply.stop_reason != "tool_use":
        break
    [call] = reply.content
    result = {"type": "tool_result", "tool_use_id": call.id, "content": log.functions[call.name](**call.input)}
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]

# %% [markdown]
# (The counts of this script were made even, so that the rule shows. Real ones are crooked and do the same.)
#
# Two numbers describe the run. **S**, what the first request carries: the task, the system prompt, the tools. Here
# 400. And **Δ**, what each
# turn adds: the reply, and the result that answers it. Here 300. Request *n* carries
#
# $$S + (n-1)\,\Delta$$
#
# and you pay for all requests, so for the sum of that. (This chapter counts input. Output is paid once more, when it
# is written, at several times the
# price of input. Then it becomes part of Δ and is paid as input, in each request after it.)
#
# ## Predict
#
# Ten turns: 17,500 tokens. The log of April is longer: twenty pages of work, twenty requests, the same S and Δ.
#
# **How many input tokens is that, all requests together?** Your gut first, then a pencil.

# %% tags=["exercise"] exercise="twice-the-turns"
# STUB: twenty_turns = ...   # a number
# BEGIN SOLUTION
twenty_turns = 65_000
# END SOLUTION

# %% [markdown] tags=["hint"]
# The first request carries 400, the twentieth 400 + 19 · 300 = 6,100. They grow evenly, so the average lies in the
# middle between these two.

# %% tags=["check"] exercise="twice-the-turns"
check("twice-the-turns", twenty_turns)

# %% [markdown]
# ## Write it yourself: the bill

# %% tags=["exercise"] exercise="bill"
def bill(turns, start, growth):
    """The input tokens of a whole run: `start` in the first request, `growth` more in each later one."""
    # BEGIN SOLUTION
    return sum(start + k * growth for k in range(turns))
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Add up one number for each request: `start`, `start + growth`, and so on. `sum(… for k in range(turns))`, where `k`
# is the number of requests before this one. Or, without a loop, the sum
# 0 + 1 + … + (n-1) is n(n-1)/2.

# %% tags=["check"] exercise="bill"
check("bill", bill)

# %% [markdown]
# ## See it

# %%
sizes = [400 + 300 * k for k in range(20)]
totals = list(accumulate(sizes))
line_chart("Input tokens of a run with S = 400 and Δ = 300", {"this request": sizes, "all requests so far": totals})

# %% [markdown]
# The lower line is what you see when you look at one request, or at the window's fill level. The upper one is what
# you pay. Twice the turns, 3.7 times the
# tokens; the larger Δ is beside S, the nearer it comes to four.
#
# Move the sliders. (If there are none, because this notebook hasn't been run yet or widgets don't work here,
# `TokenBill(start=400, growth=300, turns=20)` shows any other
# run.) Find out which of S and Δ matters more in a run of five turns, and which in one of forty.

# %%
TokenBill(start=400, growth=300, turns=10, cache_share=0)

# %% [markdown]
# One token more in S is paid once in each request: 5 times, then 40 times. One token more in Δ is paid in each request
# behind it: 10 times, then 780 times.
#
# ## Tools cost when nobody calls them
#
# S is mostly your choice. The definitions of all tools are in each request, called or not, and the API puts a hidden
# system prompt of some hundred tokens
# before them ([documentation](https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview)). A rough rule
# for
# English text and JSON is four characters a token; `client.messages.count_tokens(…)` gives the true number, for a key.

# %%
one = len(json.dumps(log.tools)) // 4
print("one tool:", one, "tokens, roughly. Forty of them in ten requests:", 10 * 40 * one)

# %% [markdown]
# That is one and a half times the whole log of March, for tools that nobody may ever call. Connecting "all the tools,
# in case" is the quickest way to a large bill.
#
# ## Mend a guess: which gate?
#
# Chapter 8 gave a run several limits. `first_gate` is meant to tell which one stops a run that never ends by itself,
# and after how many requests.
# A colleague says that with it, no budget ever stops anything. (Input only, to keep it short.)

# %% tags=["exercise"] exercise="first-gate"
def first_gate(start, growth, max_turns, token_budget):
    """["max_turns" or "token_budget", requests made]: what stops a run that never ends by itself."""
    requests, used = 0, 0
    while True:
        if requests >= max_turns:
            return ["max_turns", requests]
        if used >= token_budget:
            return ["token_budget", requests]
        # STUB: used = start + requests * growth
        # BEGIN SOLUTION
        used += start + requests * growth
        # END SOLUTION
        requests += 1

# %% [markdown] tags=["hint"]
# What does `used` hold after three requests: what the three carried, or what the third one carried?

# %% tags=["check"] exercise="first-gate"
check("first-gate", first_gate)

# %% [markdown]
# So a turn limit and a budget are **two gates**, and neither replaces the other. Small results: the turns run out at
# 17,500 tokens. A tool that returns
# whole files, Δ = 8,000: the budget of 200,000 is gone after eight requests. Ten turns say nothing about tokens.
#
# ## The cache
#
# Each request repeats the one before it and adds a little at the end. So the API can keep what it made of the
# beginning, if you mark how far:
# `"cache_control": {"type": "ephemeral"}` in a content block says "store everything up to here". The
# [rules](https://platform.claude.com/docs/en/build-with-claude/prompt-caching):
#
# - Reading costs a **tenth** of the input price, writing a **quarter more** than it. It is kept for five minutes
#   after its last use.
# - What is stored is a *beginning*, in the order tools, system, messages. One changed letter, and all behind it is
#   paid in full again. Silently.
# - One mark that moves along is enough: from it, the API looks back, up to 20 blocks, for the longest beginning that
#   it knows.
# - Beginnings below a minimum (for many models 1,024 tokens) aren't stored. Silently too. The lamp log's first
#   requests are too short for it.
#
# The same arithmetic with a cache, as if there were no minimum: each request reads what the one before it sent, and
# writes what is new.

# %%
for turns in (10, 20):
    read, written = sum(sizes[: turns - 1]), sizes[turns - 1]
    print(f"{turns} turns: {totals[turns - 1]:6} tokens, at the price of {round(0.1 * read + 1.25 * written):6}")

# %% [markdown]
# A third, then a fifth. The longer the run, the more it saves. The curve is still a square, though, of a tenth of the
# height, and the tokens are all still
# read: they fill the window, and they count for `token_budget`.
#
# ## Break it
#
# A mark in each turn, on what is new, seems natural. It works four times:

# %% tags=["raises-exception"]
pages = [{"type": "text", "text": f"Page {n}", "cache_control": {"type": "ephemeral"}} for n in range(1, 6)]
ask(scenario("ch10-lamp-log").client(), [{"role": "user", "content": pages}], log.tools)

# %% [markdown]
# At most four in one request, counted over tools, system and messages. Old marks have to go when a new one comes. The
# cleanest way is never to put one into your history:
# mark a *copy*, right before you send it.
#
# ## Write it yourself: `marked`
#
# `marked(messages)` returns a copy of the history with one mark: on the last block of the last **user** message.
# (After a pause the last message is the model's, and goes back as
# it came.) A content that is a string becomes a list with one text block. The list that was handed in, and all that
# is in it, stays as it was.

# %% tags=["exercise"] exercise="marked"
def marked(messages):
    """A copy of the history with one cache mark, on the last block of the last user message."""
    # BEGIN SOLUTION
    at = max(i for i, message in enumerate(messages) if message["role"] == "user")
    content = messages[at]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    blocks[-1] = {**blocks[-1], "cache_control": {"type": "ephemeral"}}
    return [*messages[:at], {**messages[at], "content": blocks}, *messages[at + 1 :]]
    # END SOLUTION

# %% [markdown] tags=["hint"]
# `list(messages)` copies the list, not the dicts in it: those are the same ones. Whatever you change, build anew: the
# block, the list of blocks, the message.

# %% [markdown] tags=["hint"]
# `{**block, "cache_control": {"type": "ephemeral"}}` is a new dict with one key more. First find the place of the
# last user message, then make its new content, then
# the new list from three pieces: before, the new message, behind.

# %% tags=["check"] exercise="marked"
check("marked", marked)

# %% [markdown]
# ## Mend the loop
#
# Chapter 9's loop, in one piece, with somebody's cache marks in it. It passed each test with a short conversation.
# (Without any marks it would pass as well. It would cost three to five
# times as much; no grader sees that, your bill does.)

# %%
def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(call, functions, seconds):
    if call.name not in functions:
        return failed(call, f"There is no tool {call.name!r}. There are: {', '.join(functions)}.")
    box = queue.Queue()

    def work():
        try:
            value = functions[call.name](**call.input)
            blocks = isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value)
            content = value if blocks or isinstance(value, str) else json.dumps(value, default=str)
            box.put({"type": "tool_result", "tool_use_id": call.id, "content": content})
        except Exception as error:
            box.put(failed(call, f"{type(error).__name__}: {error}"))

    threading.Thread(target=work, daemon=True).start()
    try:
        return box.get(timeout=seconds)
    except queue.Empty:
        return failed(call, f"{call.name} did not answer within {seconds} seconds.")


def sendable(content):
    if not content or content[-1].type in ("thinking", "redacted_thinking"):
        return False
    return any(block.type != "text" or block.text.strip() for block in content if "thinking" not in block.type)


def tokens(use):
    cached = (use.cache_creation_input_tokens or 0) + (use.cache_read_input_tokens or 0)
    return use.input_tokens + cached + use.output_tokens


# %% tags=["exercise"] exercise="fix-marks"
def run_agent_marks(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    messages, replies, asked, start = [{"role": "user", "content": task}], [], Counter(), time.monotonic()

    def closed_gate():
        if len(replies) >= max_turns:
            return "max_turns"
        if sum(tokens(reply.usage) for reply in replies) >= token_budget:
            return "token_budget"
        return "timeout" if time.monotonic() - start >= timeout_s else None

    while not (status := closed_gate()):
        try:
            # STUB: if isinstance(messages[-1]["content"], list) and messages[-1]["role"] == "user":
            # STUB:     messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
            # STUB: reply = ask(client, messages, tools)
            # BEGIN SOLUTION
            reply = ask(client, marked(messages), tools)
            # END SOLUTION
        except anthropic.APIError:
            return "api_error", messages
        replies.append(reply)
        calls = [block for block in reply.content if block.type == "tool_use"]
        asked.update((call.name, json.dumps(call.input, sort_keys=True)) for call in calls)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            status = reply.stop_reason
        elif not calls and reply.stop_reason != "pause_turn":
            status = "done"
        elif max(asked.values(), default=0) >= max_repeats:
            status = "repeated_call"
        else:
            status = closed_gate()
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
            if calls:
                note = f"Not run: {status}."
                results = [failed(c, note) if status else answer(c, functions, tool_timeout_s) for c in calls]
                messages.append({"role": "user", "content": results})
        if status:
            break
    return status, messages

# %% [markdown] tags=["hint"]
# After how many turns does it break, and with which words? Who takes the old marks out of `messages`?

# %% [markdown] tags=["hint"]
# Nobody does. Leave the history alone, and send `marked(messages)` instead of `messages`. One line is enough.
#
# Still stuck? [The solved chapter](../solutions/10_the_token_bill.ipynb) shows one way.

# %% tags=["check"] exercise="fix-marks"
check("fix-marks", run_agent_marks)

# %% [markdown]
# (There is a shortcut: `client.messages.create(cache_control={"type": "ephemeral"}, …)`, and the API sets and moves a
# mark by itself. Now you know what it does.)
#
# ## What compaction buys
#
# Chapter 9 put a summary in the place of old turns. Twenty turns of this chapter's run, with a summary of 500 tokens
# after the tenth:
#
# | | tokens |
# | --- | --- |
# | turns 1 to 10 | 17,500 |
# | the request that asks for the summary | 3,400 |
# | turns 11 to 20, from S + 500 on | 22,500 |
# | together | 43,400 instead of 65,000 |
#
# A third less, and the window is emptier. Its price: the summary forgets, and the cache starts anew, since the
# beginning is another one. So compact
# rarely and much, not a little each turn.
#
# ## What people often believe
#
# - *"Twice the turns, twice the bill."* 3.7 times here, and towards four in longer runs.
# - *"I have a turn limit, so the bill is limited."* Δ has none. One large file in turn 2 is paid for in turns 3 to 10
#   again.
# - *"Cached tokens are free."* A tenth, and a quarter more to write them. A run of one request gets dearer by it.
# - *"The cache makes the context shorter."* Every token is still there, for the window and for the model's attention.
# - *"A date in the system prompt does no harm."* With the seconds in it, all that stands behind it is written to the
#   cache each time, and never
#   read.
#
# ## One-minute recall
#
# **1.** Twice the turns cost about **a** twice · **b** nearly four times · **c** eight times as much
#
# **2.** A tool that is never called costs **a** nothing · **b** once, in the first request · **c** its definition, in
# each request
#
# **3.** A time stamp with seconds stands at the top of the system prompt. What stands behind it
# **a** is never read from the cache · **b** is read from the cache as before · **c** makes the API raise an error
#
# **4.** Do tokens that are read from the cache count for `token_budget`? **a** yes · **b** no · **c** a tenth of them

# %% tags=["exercise"] exercise="recall-10"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "c", "a", "a"]
# END SOLUTION

# %% tags=["check"] exercise="recall-10"
check("recall-10", recall)

# %% [markdown]
# ## Next
#
# Δ is the reply and the result. The reply is the model's; the result is yours. [Chapter
# 11](11_tools_worth_calling.ipynb) makes tools that return
# little and say much, and that survive what a model asks of them.
