# %% [markdown]
# # 7. Why did it stop?
#
# Your loop answers every call now, whatever the tool does. But it asks one single question of each reply: is the
# `stop_reason` `tool_use`? Everything else it calls `"done"`. Here it is, where chapter 6 left it.

# %%
import json
import typing

import anthropic
from grader import MODEL, check, scenario, show


def ask(client, messages, tools):
    """One request with the whole history."""
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


def failed(call, text):
    """An error result for a call."""
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(call, functions):
    """Run one call. Whatever happens, a result comes back."""
    if call.name not in functions:
        return failed(call, f"There is no tool named {call.name}. There are: {', '.join(functions)}.")
    try:
        output = functions[call.name](**call.input)
    except Exception as error:
        return failed(call, f"{type(error).__name__}: {error}")
    content = output if isinstance(output, str | list) else json.dumps(output, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def loop_so_far(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        results = [answer(block, functions) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})


# %% [markdown]
# ## The seed shelf
#
# A gardener wants a shelf emptied, apart from five sorts.

# %%
shelf = scenario("ch07-seed-shelf")
status, messages = loop_so_far(shelf.client(), shelf.task, shelf.tools, shelf.functions)
print("status:", status)
show(shelf.transcript)

# %% [markdown]
# "Done", says the loop. Nothing is done: the last reply asks for a call that nobody ran. Its `stop_reason` is
# `max_tokens`: the model was still writing when the limit of 1,024 tokens was reached. (A short call stands for a long
# one here; token counts in this course are written by hand.)
#
# So why look at `stop_reason` at all? Many loops don't. They go on as long as a reply holds a call, and stop when
# there is none. Read that last call once more, and the list above it. Such a loop will run it. **How many of the five
# sorts will be left?**

# %% tags=["exercise"] exercise="cut-call"
# STUB: sorts_left = ...   # a number
# BEGIN SOLUTION
sorts_left = 2
# END SOLUTION

# %% tags=["check"] exercise="cut-call"
check("cut-call", sorts_left)

# %% [markdown]
# Here is that loop, with a real (small) shelf behind the tool:

# %%
seeds = ["broad bean", "kohlrabi", "lovage", "parsnip", "salsify", "tansy", "turnip"]


def clear_shelf(shelf, keep):
    seeds[:] = [sort for sort in seeds if sort in keep]
    return f"shelf {shelf} cleared"


shelf = scenario("ch07-seed-shelf")
client, functions = shelf.client(), {**shelf.functions, "clear_shelf": clear_shelf}
messages = [{"role": "user", "content": shelf.task}]
while True:
    reply = ask(client, messages, shelf.tools)
    calls = [block for block in reply.content if block.type == "tool_use"]
    if not calls:
        break
    messages.append({"role": "assistant", "content": reply.content})
    messages.append({"role": "user", "content": [answer(call, functions) for call in calls]})
print(reply.stop_reason, "|", reply.content[0].text)
print(seeds)

# %% [markdown]
# Three sorts are on the compost, and the model believes what it says: it meant to write five names. The reply was cut
# after the second one, and `input` was a tidy dict all the same.
#
# **A call that was cut off can look whole.** No look at the call tells you. Only the `stop_reason` does.
#
# ## Seven words
#
# They are in the client library, so you don't have to trust a table:

# %%
for word in typing.get_args(anthropic.types.StopReason):
    print(word)

# %% [markdown]
# | `stop_reason` | what happened | a right loop |
# | --- | --- | --- |
# | `tool_use` | it waits for results | runs every call, answers, goes on |
# | `pause_turn` | the API paused long work of its own | appends the content, sends again |
# | `end_turn` | it has finished | returns `"done"` |
# | `max_tokens` | the reply was cut at your limit | stops with this word |
# | `model_context_window_exceeded` | the model's window is full | stops with this word |
# | `stop_sequence` | a text came that you had asked to stop at | stops with this word |
# | `refusal` | the model, or a filter, declined | stops with this word |
#
# ([Documentation](https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons)) Two words go on, one
# is done, the others stop. **Nothing of a stopped reply is run.** What to do next is up to whoever called your loop:
# they may raise `max_tokens` and ask again from the history before that reply, or shorten it, or tell a person. Your
# loop hands them the word.
#
# This list has grown before. For the eighth word, the rule is the same: stop, and return it.
#
# ## Paused
#
# Some tools are run by the API itself, such as its web search. Their calls have a type of their own,
# `server_tool_use`, and you don't answer them. When such work takes long, the API sends what it has so far:

# %%
museum = scenario("museum-paused-twice")
client = museum.client()
question = {"role": "user", "content": museum.task}
reply = ask(client, [question], museum.tools)
paused = {"role": "assistant", "content": reply.content}
print(reply.stop_reason, [block.type for block in reply.content])

# %% [markdown]
# It looks as if the model had fallen asleep. A friendly push? (The last line of a long traceback is the one to read.)

# %% tags=["raises-exception"]
ask(client, [question, paused, {"role": "user", "content": "Please continue."}], museum.tools)

# %% [markdown]
# Your message closed the turn, with the search still open in it. A pause wants nothing from you. Send it back as it
# is:

# %%
reply = ask(client, [question, paused], museum.tools)
print(reply.stop_reason, [block.type for block in reply.content])

# %% [markdown]
# The search result is there, and the model pauses again. It can happen several times. (Here, the last message is the
# assistant's. Chapter 1 showed a 400 for that; an open pause is the exception.)
#
# ## Nothing in it
#
# Next, a question that the model won't touch:

# %%
door = scenario("door-refusal-empty")
client = door.client()
question = {"role": "user", "content": door.task}
reply = ask(client, [question], door.tools)
print(reply.stop_reason, reply.content)

# %% [markdown]
# No exception, no error status. A refusal comes with HTTP 200, and often without any content. Watch what happens to a
# loop that appends it and asks again:

# %% tags=["raises-exception"]
empty = {"role": "assistant", "content": reply.content}
ask(client, [question, empty, {"role": "user", "content": "Are you sure?"}], door.tools)

# %% [markdown]
# An empty message makes the history unusable, so **an empty reply is not appended**. Nor should the loop ask the same
# again: [one public report](https://github.com/Yeachan-Heo/gajae-code/issues/1655) tells of a refusal that was
# retried until 521 dollars were gone.
#
# `end_turn` can be empty too: so it was in 40 of the recorded replies behind this course. Then the work is done and
# there is nothing to say. `content[0]` would be an IndexError.
#
# Two more contents can't go back: one with nothing but blank text, and one that ends in a `thinking` block, because
# it was cut while the model was thinking. (Thinking has a second type, `redacted_thinking`: its text is hidden from
# you. The same holds for it.) Write the test for it: `sendable(content)` is True when the content may be
# appended.

# %% tags=["exercise"] exercise="sendable"
def sendable(content):
    """Whether a reply's content may stand in a history."""
    # BEGIN SOLUTION
    outside = [block for block in content if block.type not in ("thinking", "redacted_thinking")]
    says = [block for block in outside if block.type != "text" or block.text.strip()]
    return bool(says) and content[-1] in outside
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Three questions, in this order: is it empty? What is the type of the last block? Is there a block that says or asks
# something? A text block has `.text`, other types don't.

# %% [markdown] tags=["hint"]
# `thinking` and `redacted_thinking` say nothing to anybody outside. Of the rest, one block is enough: a text with
# more than white space, or any other type.

# %% tags=["check"] exercise="sendable"
check("sendable", sendable)

# %% [markdown]
# ## When word and content disagree
#
# In 3,268 of 3,268 recorded replies, `stop_reason` is `tool_use` exactly when the content holds a call. Public bug
# reports show both exceptions. So look at both:
#
# - `tool_use` and no call: there is nothing to answer, and an empty user message is a 400. Stop. `"done"` and
#   `"tool_use"` are both right.
# - `end_turn` with a call: run it and go on, or return `"done"`. Both are right here. In the second case
#   the call is still open, and chapter 9 closes it.
# - `pause_turn` with a call of yours beside the server's: run it and answer it, as always.
#
# ## Mend it
#
# `what_now(reply)` says `"run"` (run the calls, answer, go on), `"again"` (send again, add nothing) or `"stop"`. This
# one trusts the last block.

# %% tags=["exercise"] exercise="what-now"
def what_now(reply):
    # STUB: if reply.content[-1].type == "tool_use":
    # STUB:     return "run"
    # STUB: if reply.stop_reason == "pause_turn":
    # STUB:     return "again"
    # STUB: return "stop"
    # BEGIN SOLUTION
    has_call = any(block.type == "tool_use" for block in reply.content)
    if has_call and reply.stop_reason in ("tool_use", "end_turn", "pause_turn"):
        return "run"
    if reply.stop_reason == "pause_turn":
        return "again"
    return "stop"
    # END SOLUTION

# %% tags=["check"] exercise="what-now"
check("what-now", what_now)

# %% [markdown]
# ## Write it yourself
#
# Your loop from chapter 6, with eyes. It returns the right status from the table, runs nothing of a stopped reply,
# survives empty ones and sends pauses back. `what_now` and `sendable` may help. One more thing in the signature:
# `**limits`. It ignores them; the next chapter fills them.

# %% tags=["exercise"] exercise="stop_reasons"
def run_agent(client, task, tools, functions, **limits):
    """Run tools until the model stops; return why it stopped, and the history."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        calls = [block for block in reply.content if block.type == "tool_use"]
        if calls:
            messages.append({"role": "user", "content": [answer(call, functions) for call in calls]})
        elif reply.stop_reason != "pause_turn":
            return "done", messages
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Start from `loop_so_far`. Guard the first `append`. Then ask for the stop_reason before you look for calls.

# %% [markdown] tags=["hint"]
# After the append: if the word is none of `tool_use`, `end_turn`, `pause_turn`, return the word itself. Then, with
# calls: answer them. Without calls: a pause goes round once more, everything else is `"done"`.
#
# Still stuck? [The solved chapter](../solutions/07_why_did_it_stop.ipynb) shows one way.

# %% tags=["check"] exercise="stop_reasons"
check("stop_reasons", run_agent)

# %% [markdown]
# The gardener again:

# %%
scenario("ch07-seed-shelf").play(run_agent)

# %% [markdown]
# The shelf is untouched, and the status tells why. The cut call stands in the history without a result: a debt that
# chapter 9 pays. (Your loop may also leave a stopped reply out of the history. Both are right, and then there is no
# debt.)
#
# ## What people often believe
#
# - *"A reply without calls is the answer."* Or half of one, or a refusal, or a pause, or nothing.
# - *"`end_turn` means that there is text."* Not always. Ask before you index.
# - *"A refusal is an error, so my `except` sees it."* It is a reply like any other, with HTTP 200.
# - *"The call is valid JSON, so it is complete."* The list of five had two names, and it was valid.
# - *"Unknown words won't come."* `pause_turn`, `refusal` and `model_context_window_exceeded` were once unknown.
#
# ## One-minute recall
#
# **1.** A reply with a whole-looking call says `max_tokens`. What do you run? **a** the call · **b** the call, if its
# input fits · **c** nothing
#
# **2.** `pause_turn`. What do you add behind the content? **a** nothing · **b** "Please continue." · **c** an empty
# tool_result
#
# **3.** What does a refusal look like? **a** HTTP 400 · **b** HTTP 200, often with an empty content · **c** a text
# that begins with "Sorry"
#
# **4.** `end_turn`, and the content is `[]`. What then? **a** append it and return · **b** return `"done"`, append
# nothing · **c** ask again

# %% tags=["exercise"] exercise="recall-7"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["c", "a", "b", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-7"
check("recall-7", recall)

# %% [markdown]
# ## Next
#
# Every stop so far was the model's choice. What if it never stops? In one report an agent asked for the same search
# 364 times, and the loop, polite as yours, ran it 364 times. [Chapter 8](08_stop_gates.ipynb) builds brakes.
