# %% [markdown]
# # 8. Stop gates
#
# Your loop knows every way in which the model can stop. It has no way to stop the model. In [one public
# report](https://github.com/anomalyco/opencode/issues/45442) an agent made the same search 364 times in 50 minutes;
# in [another](https://github.com/elie222/rakazo/issues/883) one hour took 517,935,887 tokens. Nobody had planned it.
# Nobody had forbidden it either.
#
# The helpers of the last chapters, unchanged:

# %%
import json
import queue
import threading
import time
from collections import Counter

import anthropic
from grader import MODEL, check, scenario


def ask(client, messages, tools):
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def sendable(content):
    """Whether a reply's content may stand in a history."""
    says = [b for b in content if "thinking" not in b.type and (b.type != "text" or b.text.strip())]
    return bool(says) and "thinking" not in content[-1].type


# %% [markdown]
# And the loop of chapter 7:
#
# ```python
# def run_agent(client, task, tools, functions, **limits):
#     messages = [{"role": "user", "content": task}]
#     while True:
#         reply = ask(client, messages, tools)
#         if sendable(reply.content):
#             messages.append({"role": "assistant", "content": reply.content})
#         if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
#             return reply.stop_reason, messages
#         calls = [block for block in reply.content if block.type == "tool_use"]
#         if calls:
#             messages.append({"role": "user", "content": [answer(call, functions) for call in calls]})
#         elif reply.stop_reason != "pause_turn":
#             return "done", messages
# ```
#
# ## No brakes
#
# "Wait until build 77 is ready." The build hangs. Here is what `while True` does with that. To have an end at all,
# this is a `for`:

# %%
build = scenario("build-poll-for-ever")
client = build.client()
messages = [{"role": "user", "content": build.task}]
for request in range(1, 21):
    reply = ask(client, messages, build.tools)
    call = reply.content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": build.functions[call.name](**call.input)}
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
    if request in (1, 10, 20):
        print("request", request, "|", call.name, call.input, "| history:", len(messages), "messages")

# %% [markdown]
# Each request carries all that came before, so the twentieth costs far more than the first. The API won't stop it for
# you, short of your account's own limits.
#
# ## Five limits
#
# | limit | default | status | what it looks at |
# | --- | --- | --- | --- |
# | `max_turns` | 10 | `"max_turns"` | requests made; a pause counts too |
# | `token_budget` | 200,000 | `"token_budget"` | tokens of all replies so far, in and out |
# | `timeout_s` | 300 | `"timeout"` | seconds since the start of the run |
# | `max_repeats` | 3 | `"repeated_call"` | how often the same call was asked for |
# | `tool_timeout_s` | 30 | none: an error result | seconds that one tool may take |
#
# The first three gates stand *before a request*, and are closed when the number is **reached**: `>=`, not `>`. The
# numbers come from the caller; the defaults are for callers who give none.
#
# ## Predict
#
# **1.** `max_turns=4`, and a model that asks for tools for ever. How many requests arrive?
#
# **2.** `max_turns=3`. The third reply is the answer, with `end_turn`. What status does the loop return?

# %% tags=["exercise"] exercise="at-the-gate"
# STUB: at_the_gate = ...   # a number and a status: [0, "…"]
# BEGIN SOLUTION
at_the_gate = [4, "done"]
# END SOLUTION

# %% tags=["check"] exercise="at-the-gate"
check("at-the-gate", at_the_gate)

# %% [markdown]
# ## Mend the gates
#
# `closed_gate` returns the status of a gate that is closed, or `None`. This one has been in use for a year, and
# every run that it stopped was over its limit by then.

# %% tags=["exercise"] exercise="closed-gate"
def closed_gate(requests, used, seconds, max_turns, token_budget, timeout_s):
    """The status of a gate that is closed before the next request, or None."""
    # STUB: if requests > max_turns:
    # STUB:     return "max_turns"
    # STUB: if used > token_budget:
    # STUB:     return "max_tokens"
    # STUB: if seconds > timeout_s:
    # STUB:     return "timeout"
    # BEGIN SOLUTION
    if requests >= max_turns:
        return "max_turns"
    if used >= token_budget:
        return "token_budget"
    if seconds >= timeout_s:
        return "timeout"
    return None
    # END SOLUTION

# %% tags=["check"] exercise="closed-gate"
check("closed-gate", closed_gate)

# %% [markdown]
# `max_tokens` is a stop_reason: *one reply* was cut. `token_budget` is yours: *the run* has spent enough. And when
# two gates close at once, either status is right.
#
# ## Tokens
#
# What did a request cost? Look at three replies to a client that uses the cache:

# %%
archive = scenario("archive-cached-tokens")
client = archive.client()
messages = [{"role": "user", "content": archive.task}]
for _ in range(3):
    reply = ask(client, messages, archive.tools)
    use = reply.usage
    print(use.input_tokens, use.cache_creation_input_tokens, use.cache_read_input_tokens, use.output_tokens)
    closed = failed(reply.content[-1], "The archive is closed.")
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [closed]}]

# %% [markdown]
# `input_tokens` says 4. The request had more than two thousand: `input_tokens` counts what was neither written to the
# cache nor read from it. The input is the sum of all three. A budget that adds up `input_tokens` alone is blind as
# soon as somebody turns caching on.
#
# Write `tokens(reply)`: everything that the reply's request took in and gave out. A count can be `None`.

# %% tags=["exercise"] exercise="tokens"
def tokens(reply):
    """All tokens of one request: input with both cache counts, and output."""
    # BEGIN SOLUTION
    use = reply.usage
    cached = (use.cache_creation_input_tokens or 0) + (use.cache_read_input_tokens or 0)
    return use.input_tokens + cached + use.output_tokens
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Four fields of `reply.usage`, the four that the cell above prints. `None or 0` is 0.

# %% [markdown] tags=["hint"]
# Two other fields, `cache_creation` and `output_tokens_details`, only split up what the four contain already. Don't
# add them.

# %% tags=["check"] exercise="tokens"
check("tokens", tokens)

# %% [markdown]
# ## The same call again
#
# This model wants a taxi. Its first and its third call:

# %%
first = {"street": "Elm Street", "number": 3}
third = {"number": 3, "street": "Elm Street"}
print(first == third, str(first) == str(third))

# %% tags=["raises-exception"]
Counter()[first] += 1

# %% [markdown]
# Equal, but not as text: the order of the keys differs. And a dict can't be counted as it is. JSON with sorted keys
# can:

# %%
def key(call):
    """The same for calls with the same name and equal input."""
    return call.name, json.dumps(call.input, sort_keys=True)


# %% [markdown]
# Counted over the whole run, failed calls and unknown names too. With `max_repeats=3` the third one is *not run*, and
# the run ends with `"repeated_call"`. Polling, like the build above, is a fair reason to ask again: that is why this
# is a number of the caller's.
#
# ## A tool that hangs
#
# A function that doesn't come back can't be interrupted from outside. What you can do is wait elsewhere: run it in a
# thread, and look into a box that it puts its output in.

# %%
def in_time(function, arguments, seconds):
    """("returned", output), ("raised", error), or ("late", None)."""
    box = queue.Queue()

    def work():
        try:
            box.put(("returned", function(**arguments)))
        except Exception as error:
            box.put(("raised", error))

    threading.Thread(target=work, daemon=True).start()
    try:
        return box.get(timeout=seconds)
    except queue.Empty:
        return "late", None


def answer(call, functions, tool_timeout_s):
    """Run one call, but not for ever. Whatever happens, a result comes back."""
    if call.name not in functions:
        return failed(call, f"There is no tool named {call.name}. There are: {', '.join(functions)}.")
    outcome, value = in_time(functions[call.name], call.input, tool_timeout_s)
    if outcome == "late":
        return failed(call, f"{call.name} did not answer within {tool_timeout_s} seconds.")
    if outcome == "raised":
        return failed(call, f"{type(value).__name__}: {value}")
    content = value if isinstance(value, str | list) else json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


print(in_time(threading.Event().wait, {"timeout": 0.5}, 0.05))

# %% [markdown]
# A tool that takes half a second, and a twentieth was allowed. Its output goes into a box that nobody opens any more.
# But the tool *runs on*: late is not undone. If it sends mails, the mail goes out.
#
# A trap: `with ThreadPoolExecutor() as pool:` and `.result(timeout=…)` look shorter. The `with` waits for its threads
# at its end, so the timeout is reported in time, and then you wait all the same. (A browser-only edition of this
# course has no threads. There a tool's time can't be kept.)
#
# ## When the API says no

# %%
kiosk = scenario("ch08-overloaded")
try:
    ask(kiosk.client(), [{"role": "user", "content": kiosk.task}], kiosk.tools)
except anthropic.APIError as error:
    print(type(error).__name__, error.status_code)
print("requests that arrived:", len(kiosk.requests))

# %% [markdown]
# You sent one, and three arrived: the SDK tries a failed request up to three times, with pauses, where trying can
# help.
#
# | status | what it means | the SDK | what the caller can do |
# | --- | --- | --- | --- |
# | 400, 413 | the request is wrong or too large, or no credit is left | raises at once | change it; again is no help |
# | 401, 403, 404 | key, rights, or a wrong model name | raises at once | tell a person |
# | 429 | too many requests or tokens per minute | tries again | wait longer, go slower |
# | 500 and up, 529 | trouble or overload over there | tries again | come back later |
# | none | the connection broke | tries again | come back later |
#
# All of them are an `anthropic.APIError`. When one reaches your loop, the SDK has given up; don't start over. Return
# `"api_error"` with the history as it was before that request: a caller who comes back later can send exactly this
# list.
#
# ## Write it yourself
#
# Put the gates in. For the clock use `time.monotonic()`: `time.time()` jumps when the machine's clock is set. (The
# grader lets virtual seconds pass, so no check makes you wait.)
#
# One freedom: when the last reply before a gate asks for tools, you may run them and append their results, or not run
# them. Both are right. Not running leaves calls open, though, and that is chapter 9.

# %% tags=["exercise"] exercise="gates"
def run_agent(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    """Run tools until the model stops or a gate closes; return why, and the history."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    start, requests, used, asked = time.monotonic(), 0, 0, Counter()
    while True:
        seconds = time.monotonic() - start
        if gate := closed_gate(requests, used, seconds, max_turns, token_budget, timeout_s):
            return gate, messages
        try:
            reply = ask(client, messages, tools)
        except anthropic.APIError:
            return "api_error", messages
        requests += 1
        used += tokens(reply)
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        calls = [block for block in reply.content if block.type == "tool_use"]
        asked.update(key(call) for call in calls)
        if any(asked[key(call)] >= max_repeats for call in calls):
            return "repeated_call", messages
        if calls:
            results = [answer(call, functions, tool_timeout_s) for call in calls]
            messages.append({"role": "user", "content": results})
        elif reply.stop_reason != "pause_turn":
            return "done", messages
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Four variables before the loop: the start time, the requests made, the tokens used, a `Counter` of calls. The first
# thing inside the loop is `closed_gate(…)`. After a reply, count.

# %% [markdown] tags=["hint"]
# Count calls before you run any: `asked.update(key(call) for call in calls)`, then `if any(asked[key(call)] >=
# max_repeats for call in calls)` return. Where the model ends its turn, `"done"` comes first; no gate is asked after
# that.
#
# Still stuck? [The solved chapter](../solutions/08_stop_gates.ipynb) shows one way.

# %% tags=["check"] exercise="gates"
check("gates", run_agent)

# %% [markdown]
# Two runs to look at: the build again, with four turns, and a harbour whose replies take 50 seconds each, with 120
# seconds for the run. (Each script repeats what was written for it once, so the first one counts the same tokens in
# each turn. With a model they would grow.)

# %%
build.play(run_agent, max_turns=4, max_repeats=20)

# %%
scenario("harbour-slow-replies").play(run_agent)

# %% [markdown]
# ## What people often believe
#
# - *"A turn limit is enough."* Ten turns can read ten novels. Turns, tokens and seconds are three different bills.
# - *"`max_tokens` limits what a run costs."* It cuts one reply. The input has no limit but the window.
# - *"My own retry makes the loop robust."* Around a client that retries, three tries become nine, and an overload
#   gets worse.
# - *"A repeated call means that the model is stupid."* Often the result said too little: "not found", and no word
#   about what there is.
# - *"After the timeout the tool has stopped."* You have stopped waiting. That is all.
#
# ## One-minute recall
#
# **1.** `token_budget=1000`, used: exactly 1000. The next request is **a** sent · **b** not sent
#
# **2.** Which input count is enough for the budget? **a** `input_tokens` · **b** that and `cache_read_input_tokens` ·
# **c** that and both cache counts
#
# **3.** `max_repeats=3`. How often does the same call run at most? **a** twice · **b** three times · **c** four times
#
# **4.** A 529 reaches your loop. What do you return? **a** the history with a text "Overloaded" · **b** the history
# as it was before the request · **c** nothing, you try again

# %% tags=["exercise"] exercise="recall-8"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "c", "a", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-8"
check("recall-8", recall)

# %% [markdown]
# ## Next
#
# Your loop stops now, and hands back a history. Try to go on from it: after some of these stops, the very next
# request is a 400, and so is each one after it. [Chapter 9](09_stop_save_resume.ipynb) mends that.
