# %% [markdown]
# # 4. The pairing rules
#
# A violin was left on a train. Your loop from chapter 3 works in the lost property office now. Look at the first reply it gets.

# %%
import anthropic
from grader import MODEL, check, lint, scenario, show

office = scenario("ch04-lost-violin")


def ask(client, messages, tools):
    """One request with the whole history."""
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


first = ask(office.client(), [{"role": "user", "content": office.task}], office.tools)
show(first)

# %% [markdown]
# Three blocks, and the first is of a kind that you haven't met. A `thinking` block is the model's scratch paper. This one holds a plan: if
# "violin" finds nothing, look for "violin case".
#
# The helper `plain` from chapter 3 knows `text` and `tool_use`. Here is that loop in short, and what the grader says about it now:

# %%
def answer(block, functions):
    """Run what a tool_use block asks for; return the tool_result block."""
    output = functions[block.name](**block.input)
    return {"type": "tool_result", "tool_use_id": block.id, "content": output}


def plain(content):
    texts = [{"type": "text", "text": b.text} for b in content if b.type == "text"]
    calls = [{"type": "tool_use", "id": b.id, "name": b.name, "input": b.input} for b in content if b.type == "tool_use"]
    return texts + calls


def rebuilding(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": plain(reply.content)})
        if reply.stop_reason != "tool_use":
            return "done", messages
        messages.append({"role": "user", "content": [answer(reply.content[-1], functions)]})


check("pairing", rebuilding, seed=7)

# %% [markdown]
# No exception, no 400: the API accepts a reply that has lost *all* of its thinking. The model gets its own search back without the plan
# behind it, and may end at "nothing of that kind". You would blame the model. (`redacted_thinking`, in the report, is thinking that
# comes encrypted. It belongs to the reply like the other kind.)
#
# ## As it came
#
# So don't rebuild a reply. Append `reply.content`, the list itself. The client knows how to send its own objects,
# thinking included:
#
# ```python
# messages.append({"role": "assistant", "content": reply.content})
# ```
#
# If you need dicts, to save them as JSON perhaps, there is a trap. A plain `model_dump()` adds fields that never came:

# %%
call = first.content[-1]
print("dumped:", {key: value for key, value in call.model_dump().items() if value is None})
print("better:", call.model_dump(exclude_none=True))

# %% [markdown]
# Leave the nulls out: `block.model_dump(exclude_none=True)`.
#
# ## Break it: the plan
#
# Thinking costs tokens, so somebody shortens it to its first 30 characters. The block also holds a `signature`, a
# seal that was made for the text as it was. The error is long; its last line is the one to read.

# %% tags=["raises-exception"]
blocks = [block.model_dump(exclude_none=True) for block in first.content]
blocks[0]["thinking"] = blocks[0]["thinking"][:30]
shortened = [
    {"role": "user", "content": office.task},
    {"role": "assistant", "content": blocks},
    {"role": "user", "content": [answer(call, office.functions)]},
]
ask(office.client(), shortened, office.tools)

# %% [markdown]
# ## Break it: the pairs
#
# Every call has one result, every result has its call, and they stand next to each other. Those are the pairing rules. You have met two
# of their errors already. Now break each rule once. A lab: two calls, two results, and `send`, which prints what the API says.

# %%
def use(id, thing):
    return {"type": "tool_use", "id": id, "name": "search_shelves", "input": {"thing": thing}}


def result(id, text):
    return {"type": "tool_result", "tool_use_id": id, "content": text}


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


def send(*messages):
    try:
        ask(scenario("ch04-lost-violin").client(), list(messages), office.tools)
        print("accepted")
    except anthropic.BadRequestError as refusal:
        print(refusal.body["error"]["message"])


question = {"role": "user", "content": "Where are the violin and the umbrella?"}
calls = {"role": "assistant", "content": [use("call_1", "violin"), use("call_2", "umbrella")]}
violin, umbrella = result("call_1", "shelf 9"), result("call_2", "shelf 2")
hurry = {"type": "text", "text": "Please hurry."}
send(question, calls, user(violin, umbrella))

# %% [markdown]
# **An unanswered call.** One of two is not enough, and later is too late. Then two **orphans**: a result under a wrong id, and a history whose
# beginning was cut off to save space, so that the calls went and the results stayed.

# %%
send(question, calls, user(violin))
send(question, calls, user(violin, result("call_7", "shelf 2")))
send(user(violin, umbrella))

# %% [markdown]
# **A duplicate.** The result was sent, then sent again with more in it. And two calls with one id, the mark of a reply that was
# appended twice:

# %%
send(question, calls, user(violin, umbrella), user(result("call_2", "shelf 2, black")))
twins = {"role": "assistant", "content": [use("call_1", "violin"), use("call_1", "umbrella")]}
send(question, twins, user(violin))

# %% [markdown]
# **Something between.** Words before the results. Read this one twice:

# %%
send(question, calls, user(hurry, violin, umbrella))
print()
for fault in lint([question, calls, user(hurry, violin, umbrella)]):
    print(fault.rule, fault.name, "|", fault.saw)

# %% [markdown]
# The API says that a result is missing. Nothing is missing; the order is wrong. The text sends you to the wrong place, and
# `lint` to the right one.
#
# ## Predict
#
# Which of these does the API accept? Answer `"yes"` or `"no"` for each, then send them and see.
#
# ```
# 1  question, calls, user(umbrella, violin)
# 2  question, calls, user(hurry), user(violin, umbrella)
# 3  question, calls, user(violin, umbrella), user(hurry)
# 4  question, calls, user(violin), user(umbrella)
# ```

# %% tags=["exercise"] exercise="accepted-or-not"
# STUB: accepted = ...   # four times "yes" or "no": ["yes", …]
# BEGIN SOLUTION
accepted = ["yes", "no", "yes", "yes"]
# END SOLUTION

# %% [markdown] tags=["hint"]
# User messages in a row are joined into one turn before anything is checked. Join them on paper, then look at what comes first.

# %% tags=["check"] exercise="accepted-or-not"
check("accepted-or-not", accepted)

# %% [markdown]
# ## Mend three loops
#
# Each has one fault, and each was written with a good intention. Run the check, read the error, and name the broken rule before you
# change a line.

# %% tags=["exercise"] exercise="fix-order"
def run_agent_order(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        # STUB: for block in reply.content:
        # STUB:     if block.type == "tool_use":
        # STUB:         messages.append({"role": "user", "content": [answer(block, functions)]})
        # STUB: messages.append({"role": "assistant", "content": reply.content})
        # BEGIN SOLUTION
        messages.append({"role": "assistant", "content": reply.content})
        for block in reply.content:
            if block.type == "tool_use":
                messages.append({"role": "user", "content": [answer(block, functions)]})
        # END SOLUTION
        if reply.stop_reason != "tool_use":
            return "done", messages

# %% tags=["check"] exercise="fix-order"
check("fix-order", run_agent_order)

# %% tags=["exercise"] exercise="fix-reminder"
def run_agent_reminder(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        # STUB: reminder = {"type": "text", "text": "Remember: be brief."}
        # STUB: messages.append({"role": "user", "content": [reminder, answer(reply.content[-1], functions)]})
        # BEGIN SOLUTION
        messages.append({"role": "user", "content": [answer(reply.content[-1], functions)]})
        # END SOLUTION

# %% [markdown] tags=["hint"]
# The reminder stands before the result. Behind it the API would take it, but then the model reads it as if the user had spoken again in the
# middle of the work, and may stop early. What answers a call is its result, alone; standing orders belong into `system`,
# a text that `messages.create` takes beside the messages.

# %% tags=["check"] exercise="fix-reminder"
check("fix-reminder", run_agent_reminder)

# %% tags=["exercise"] exercise="fix-short"
def run_agent_short(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        # STUB: for block in reply.content:
        # STUB:     if block.type == "thinking":
        # STUB:         block.thinking = block.thinking[:30]
        # STUB: messages.append({"role": "assistant", "content": reply.content})
        # BEGIN SOLUTION
        messages.append({"role": "assistant", "content": reply.content})
        # END SOLUTION
        if reply.stop_reason != "tool_use":
            return "done", messages
        messages.append({"role": "user", "content": [answer(reply.content[-1], functions)]})

# %% tags=["check"] exercise="fix-short"
check("fix-short", run_agent_short)

# %% [markdown]
# ## A rule of your own
#
# The most frequent broken history in public bug reports is one with an open call in it. Write the function that finds them.
# `unanswered(messages)` returns the ids of the calls that have no result in the user turn right after them: a list, in the order of the calls.
#
# All messages and blocks are dicts. A `content` may also be a string. And remember the joining: several messages of one role in a row are one
# turn. The grader tries your function on histories that it draws at random, and shows you the smallest one that defeats it.

# %% tags=["exercise"] exercise="unanswered"
def unanswered(messages):
    """The ids of the calls that the next user turn does not answer."""
    # BEGIN SOLUTION
    missing, waiting, before = [], [], "user"
    for message in messages:
        if message["role"] == "assistant" and before == "user":
            missing, waiting = missing + waiting, []
        before = message["role"]
        blocks = [] if isinstance(message["content"], str) else message["content"]
        waiting += [block["id"] for block in blocks if block["type"] == "tool_use"]
        done = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        waiting = [id for id in waiting if id not in done]
    return missing + waiting
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Walk through the messages once and keep a list of the ids that still wait for a result. A call puts its id in; a result takes it out. When
# is it too late for those that are left?

# %% [markdown] tags=["hint"]
# It is too late when an assistant message follows a user message: then a new turn begins, and what still waits is unanswered for good. Move it
# into a second list. At the end, return both.
#
# Still stuck? [The solved chapter](../solutions/04_the_pairing_rules.ipynb) shows one way.

# %% tags=["check"] exercise="unanswered"
check("unanswered", unanswered)

# %% [markdown]
# ## Write it yourself
#
# Your loop again, with two changes. It appends each reply as it came. And it answers *every* call of a reply, not the last block
# alone: go through the content, and append one user message for each call. Start from `rebuilding` at the top of this chapter, or from memory.
# The check plays one call a reply here, so it can't see the second change yet. In chapter 5 it will.

# %% tags=["exercise"] exercise="pairing"
def run_agent(client, task, tools, functions):
    """Run tools until the model asks for none; each reply goes back as it came."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        for call in reply.content:
            if call.type == "tool_use":
                messages.append({"role": "user", "content": [answer(call, functions)]})
    # END SOLUTION

# %% tags=["check"] exercise="pairing"
check("pairing", run_agent)

# %% [markdown]
# ## What people often believe
#
# - *"The error says that a result is missing, so one is missing."* Or it stands behind a text. Look at the order first.
# - *"Dropping the thinking saves tokens and changes nothing."* All of it gone is accepted, and the model works on without its plan. Part of
#   it gone is a 400. The [documentation](https://platform.claude.com/docs/en/build-with-claude/extended-thinking) asks you to pass it back unmodified.
# - *"A call must be answered in exactly the next message."* In the next *user turn*: list 4 above spreads it over two messages.
# - *"The ids must begin with `toolu_`."* You have sent `call_1`. Letters, digits, `_` and `-` will do.
# - *"A failed or interrupted call needs no result."* It needs one like any other. Chapter 6 is about what to put in it.
#
# ## One-minute recall
#
# **1.** What goes into the history of a reply with thinking? **a** text and calls · **b** the content as it came · **c** the calls
#
# **2.** You cut the first ten messages off, and a result is now at the top. The API says: **a** nothing · **b** unexpected `tool_use_id` ·
# **c** ids without `tool_result`
#
# **3.** A call was interrupted and never ran. In the history it needs **a** nothing · **b** a text that says so · **c** a result that says so
#
# **4.** The API says "without `tool_result` blocks immediately after", but the result is there. What do you look for? **a** something before
# the result · **b** something after it · **c** a wrong tool name

# %% tags=["exercise"] exercise="recall-4"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "b", "c", "a"]
# END SOLUTION

# %% tags=["check"] exercise="recall-4"
check("recall-4", recall)

# %% [markdown]
# ## Next
#
# Your loop puts each result into a message of its own, and the API takes it: list 4. So does everybody's, at first. Chapter 5 shows what the model learns
# from that, and why it then stops asking for two things at once.
