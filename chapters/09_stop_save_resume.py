# %% [markdown]
# # 9. Stop, save, resume
#
# A loop that stops is half of the job. Somebody will want to go on: tomorrow, with more turns, or with the words
# "please continue". For that, the history that comes back has to be one that can be sent.
#
# Here is chapter 8's loop, at the end of the cell and behind helpers that you know, with three changes. It starts from a list instead of a task, so it can go on from any
# history: `carry_on`. It asks the gates before it runs tools, too: why run what nobody will read? (Chapter 8 left
# that to you. Both are right.) And it sends a list as it is only when it holds content blocks; other lists go as JSON.

# %%
import json
import queue
import threading
import time
from collections import Counter

import anthropic
from grader import MODEL, check, lint, scenario, show


def ask(client, messages, tools):
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def in_time(function, arguments, seconds):
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
    if call.name not in functions:
        return failed(call, f"There is no tool named {call.name}. There are: {', '.join(functions)}.")
    outcome, value = in_time(functions[call.name], call.input, tool_timeout_s)
    if outcome != "returned":
        return failed(call, "No answer in time." if outcome == "late" else f"{type(value).__name__}: {value}")
    blocks = isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value)
    content = value if blocks or isinstance(value, str) else json.dumps(value, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def sendable(content):
    says = any("thinking" not in b.type and (b.type != "text" or b.text.strip()) for b in content)
    return says and "thinking" not in content[-1].type


def tokens(u):
    return u.input_tokens + (u.cache_creation_input_tokens or 0) + (u.cache_read_input_tokens or 0) + u.output_tokens


def carry_on(client, messages, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300,
             tool_timeout_s=30, max_repeats=3):  # fmt: skip
    start, replies, asked = time.monotonic(), [], Counter()

    def closed_gate():
        if len(replies) >= max_turns:
            return "max_turns"
        if sum(tokens(reply.usage) for reply in replies) >= token_budget:
            return "token_budget"
        return "timeout" if time.monotonic() - start >= timeout_s else None

    while not (gate := closed_gate()):
        try:
            reply = ask(client, messages, tools)
        except anthropic.APIError:
            return "api_error"
        replies.append(reply)
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls and reply.stop_reason != "pause_turn":
            return "done"
        asked.update((call.name, json.dumps(call.input, sort_keys=True)) for call in calls)
        if max(asked.values(), default=0) >= max_repeats:
            return "repeated_call"
        if calls and not closed_gate():
            messages.append({"role": "user", "content": [answer(call, functions, tool_timeout_s) for call in calls]})
    return gate


# %% [markdown]
# ## The next morning
#
# A tide mill has three sluice gates. The loop gets two turns, and stops. In the morning somebody wants it to go on:

# %%
mill = scenario("ch09-tide-mill")
client = mill.client()
messages = [{"role": "user", "content": mill.task}]
print(carry_on(client, messages, mill.tools, mill.functions, max_turns=2))
show(messages)

# %% tags=["raises-exception"]
morning = {"role": "user", "content": "Good morning. Please go on."}
ask(client, [*messages, morning], mill.tools)

# %% [markdown]
# Two calls were asked for and not run. No later message can mend that: an answer comes right after the call or never.
# If this list was saved, **every** request from now on is a 400. Among the 212 public reports of broken loops that
# were read for this course, this is the most frequent fault ([for example](https://github.com/anthropics/claude-code/issues/3003), [or
# here](https://github.com/aaif-goose/goose/issues/1624)).
#
# Which stops leave calls open?

# %%
for limits in ({"max_turns": 1}, {"token_budget": 700}, {"max_repeats": 1}):
    s, stopped = scenario("ch09-tide-mill"), [{"role": "user", "content": mill.task}]
    status = carry_on(s.client(), stopped, s.tools, s.functions, **limits)
    print(status, "| open:", [block.name for block in stopped[-1]["content"] if block.type == "tool_use"])

# %% [markdown]
# These three, the deadline in the same way, and each stopped reply that holds a call, such as the seed shelf's in
# chapter 7. Then there is Ctrl-C. It raises `KeyboardInterrupt` in the middle of whatever the loop does, so a
# `return` is no help. But the list was yours before the loop began, and `carry_on` filled it, so you still have it:
#
# ```python
# try:
#     status = carry_on(client, messages, tools, functions)
# except KeyboardInterrupt:      # Ctrl-C, or "Interrupt the kernel" in Jupyter
#     status = "interrupted"
# ```
#
# A tool that was interrupted may have done its work, or half of it. Then don't write "not run" but what you know:
# "interrupted, may have run". (Nothing here depends on Ctrl-C. A browser-only edition of this course can't interrupt a
# running cell.)
#
# ## Close it by hand
#
# The cure is an honest result for each open call: an error that says it was not run. Then the user's message:

# %%
left = [block for block in messages[-1]["content"] if block.type == "tool_use"]
closing = [failed(call, "Not run: the turns were used up.") for call in left]
messages += [{"role": "user", "content": closing}, morning]
print(carry_on(client, messages, mill.tools, mill.functions), "|", messages[-1]["content"][0].text)

# %% [markdown]
# The model read "Not run", asked again, and finished. Had you written "ok" instead, the leaking gate would still be
# open, and the model sure that it is closed.
#
# ## Predict
#
# Somebody typed before anything was mended. The list is `[task, calls, "Hello? Still there?"]`. Where does the error
# result for the open call go?
#
# **a** at the end, as a fourth message · **b** between the calls and the text · **c** nowhere, the text closes the
# turn

# %% tags=["exercise"] exercise="where-it-goes"
# STUB: where_it_goes = ...   # a letter
# BEGIN SOLUTION
where_it_goes = "b"
# END SOLUTION

# %% tags=["check"] exercise="where-it-goes"
check("where-it-goes", where_it_goes)

# %% [markdown]
# ## Write it yourself: `repair`
#
# `repair(messages)` returns a list that can be sent.
#
# - Each open call gets an error result. Open calls can be at the end, in the middle, or beside calls that *were*
#   answered.
# - All results of one reply stand in one user message, before everything else in it.
# - What was there stays, in its order. A whole history comes back as it is. The list that was handed in isn't
#   changed.
#
# The grader draws histories at random and shows you the smallest one that breaks. Contents come in three forms
# (a string, dicts, the client's objects), so here is a helper: it gives you a message's blocks as dicts.

# %%
def blocks(message):
    """The content of a message as a list of dicts, whatever form it has."""
    content = message["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else block.model_dump(mode="json", exclude_none=True) for block in content]


# %% tags=["exercise"] exercise="repair"
def repair(messages):
    """A copy of the history in which every open call is answered as not run."""
    # BEGIN SOLUTION
    mended = list(messages)
    for i in reversed(range(len(messages))):
        after = [block for message in messages[i + 1 : i + 2] for block in blocks(message)]
        answered = [block.get("tool_use_id") for block in after]
        calls = [block["id"] for block in blocks(messages[i]) if block["type"] == "tool_use"]
        note = {"type": "tool_result", "content": "Not run: the loop had stopped.", "is_error": True}
        results = [{**note, "tool_use_id": id} for id in calls if id not in answered]
        if results:
            mended[i + 1 : i + 2] = [{"role": "user", "content": results + after}]
    return mended
    # END SOLUTION

# %% [markdown] tags=["hint"]
# For each message: which ids does it call, and which of them does the *next* message answer? What is missing goes to
# the front of that next message, or into a new one if there is none.

# %% [markdown] tags=["hint"]
# Go from the back to the front: then an insertion doesn't shift what you still have to look at. Put the new results
# before `blocks(next_message)`, so that a text behind them stays behind them. If nothing is missing, don't touch the
# message.
#
# Still stuck? [The solved chapter](../solutions/09_stop_save_resume.ipynb) shows one way.

# %% tags=["check"] exercise="repair"
check("repair", repair)

# %% [markdown]
# One thing stays open on purpose: a `server_tool_use` after `pause_turn`. Its result comes from the API. Send such a
# history again as it is; the user's next message has to wait.
#
# ## Save
#
# Tomorrow means a file, and a file means JSON:

# %% tags=["raises-exception"]
json.dumps(messages)

# %% [markdown]
# Your list holds the client's objects. `default=str` would silence the error, and save each block as the text of its
# Python form: a file that looks full, and that nobody can send. `blocks` does it right: dicts, without the null
# fields that never came.

# %%
saved = json.dumps([{**message, "content": blocks(message)} for message in messages])
loaded = json.loads(saved)
print(len(loaded), "messages,", [fault.rule for fault in lint(loaded) if fault.severity == "refused"])

# %% [markdown]
# ## Trim
#
# Long histories cost, and at some point the window is full. So: keep the last seven messages?

# %% tags=["raises-exception"]
ask(scenario("ch09-tide-mill").client(), [*loaded[-7:], morning], mill.tools)

# %% [markdown]
# The cut went between calls and results. (Keep the last three, and all is well, by luck.) Write `trimmed(messages,
# keep)`: the first message, which is the task, and the last `keep`, with as few more as it takes to keep every result
# with its call. In its histories, user and assistant take turns, and no call is open.

# %% tags=["exercise"] exercise="trimmed"
def trimmed(messages, keep):
    """The task and the end of the history, cut where no pair is split."""
    # BEGIN SOLUTION
    start = max(1, len(messages) - keep)
    while start > 1 and any(block["type"] == "tool_result" for block in blocks(messages[start])):
        start -= 1
    return messages[:1] + messages[start:]
    # END SOLUTION

# %% [markdown] tags=["hint"]
# A cut is bad when the first message behind it holds results. Then step back by one. The task is never part of the
# rest.

# %% tags=["check"] exercise="trimmed"
check("trimmed", trimmed)

# %% [markdown]
# **Compaction** cuts at the same places, and puts a summary where the old part was. Who writes it? The model, in a
# request of its own.

# %%
summary = "So far: north is dry. The middle gate leaks; closing it was tried and not run."
compact = [{"role": "user", "content": f"{mill.task}\n\n{summary}"}, *loaded[6:]]
print(len(loaded), "->", len(compact), [fault.rule for fault in lint(compact)])

# %% [markdown]
# A summary forgets. Keep the file. And newer models than this course's tie each thinking block to all that stood
# before it. There, cut between tasks, not inside one, or the signature no longer fits.
#
# ## Write it yourself: the loop
#
# `run_agent` with one more promise: whatever the reason of the stop, no call in the returned history is open. You may
# build it from `carry_on` and `repair`, or put the answers into your own loop, at each `return`.
#
# Two freedoms here, and every reading is right. At a gate, the last calls may be run or answered as not run. A
# stopped reply (`max_tokens`, `refusal`, …) may stay, its calls answered as not run, or be left out as a whole.

# %% tags=["exercise"] exercise="resume"
def run_agent(client, task, tools, functions, **limits):
    """Run tools until the model stops or a gate closes; return why, and a history that can be continued."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    status = carry_on(client, messages, tools, functions, **limits)
    return status, repair(messages)
    # END SOLUTION

# %% [markdown] tags=["hint"]
# All ways out lead through one door: make the list, let `carry_on` fill it, and repair it behind that. Three lines.

# %% tags=["check"] exercise="resume"
check("resume", run_agent)

# %%
scenario("keys-capped-with-two-open").play(run_agent)

# %% [markdown]
# ## What people often believe
#
# - *"The call was never run, so it needs no result."* It needs one because it was asked.
# - *"I delete the last reply, then all is well."* The model's words and its thinking go too. After a stop at a gate,
#   the answer as not run keeps them.
# - *"Repair is for crashes."* Every gate leaves the same debt, on an ordinary day.
# - *"Keep the last N messages."* N knows nothing of pairs.
# - *"Error results confuse the model."* "Not run" is the one thing it has to know.
#
# ## One-minute recall
#
# **1.** What does an unrun call need in the saved history? **a** nothing · **b** to be deleted · **c** an error
# result that says so
#
# **2.** The user has typed after an open call. Its result goes **a** before that text · **b** behind it · **c**
# anywhere
#
# **3.** `json.dumps(messages, default=str)` with the client's objects **a** raises · **b** saves what can't be sent ·
# **c** is the way to save them
#
# **4.** You cut, and the first message of the rest holds results. You **a** drop their ids · **b** step back to their
# calls · **c** send it

# %% tags=["exercise"] exercise="recall-9"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["c", "a", "b", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-9"
check("recall-9", recall)

# %% [markdown]
# ## Next
#
# The loop keeps the contract now, and the chapters from here on ask what it costs, how good its tools are, and how to
# watch it think. [Chapter 10](10_the_token_bill.ipynb) begins with the bill.
