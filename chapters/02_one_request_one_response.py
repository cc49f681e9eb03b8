# %% [markdown]
# # 2. One request, one response
#
# In chapter 1 you read what the model said, saw the command in it, and typed it. Here are the three sentences once more. Let a program
# do the reading: it takes whatever stands between backticks.

# %%
import re

import anthropic
from grader import MODEL, check, scenario, show
from grader.course import what_next

said = [
    "Please run `ls`.",
    "There is a log. Its last lines, please:\n\n$ tail -n 3 orders.log",
    "The gateway refused a certificate. Print it with cat certs/payment.txt and leave `shop.toml` alone.",
]
for sentence in said:
    print(re.findall("`(.+?)`", sentence))

# %% [markdown]
# One hit, one miss, and one that is worse than a miss: it picks the very thing that the model said to leave
# alone.
#
# A cleverer pattern fails on the next wording. The trouble is not the pattern. Prose is made for readers, and a program needs a form
# to fill in. So you hand the model a form. That is all a **tool** is.
#
# ## The form
#
# This is a tool definition. It has a name, a description in plain words, and a JSON Schema that says what goes in.

# %%
count_stock_tool = {
    "name": "count_stock",
    "description": "Counts how many pieces of one product are on the bakery's shelf right now.",
    "input_schema": {
        "type": "object",
        "properties": {
            "product": {
                "type": "string",
                "description": "The product's name in the singular, for example 'rye loaf'.",
            }
        },
        "required": ["product"],
    },
}

# %% [markdown]
# And this is the function behind it, in your program. It notes each run in a list, so that nothing happens unseen.

# %%
runs = []


def count_stock(product):
    """Count the pieces of one product on the shelf."""
    runs.append(product)
    return {"rye loaf": "7", "seed roll": "31"}.get(product, "0")


functions = {"count_stock": count_stock}

# %% [markdown]
# Compare the two cells. Only the first one is sent. The model will never see the Python, or know that it is Python.
#
# ## The request
#
# `tools` goes along with the messages. `max_tokens` is required: it caps the length of the reply.

# %%
client = scenario("ch02-rye-stock").client()
tools = [count_stock_tool]
question = {"role": "user", "content": "How many rye loaves are left on the shelf?"}
reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=[question])
show(reply)

# %% [markdown]
# No model can know today's shelf. Without a tool it could only guess. With one, it filled in the form. (In the picture, `open` and the
# broken line mean that this call has no result yet.) Field by field:

# %%
call = reply.content[0]
print("stop_reason:", reply.stop_reason)
print("type:       ", call.type)
print("id:         ", call.id)
print("name:       ", call.name)
print("input:      ", call.input)
print("usage:      ", reply.usage.input_tokens, "in,", reply.usage.output_tokens, "out")

# %% [markdown]
# - `content` is a list of **content blocks**. This reply holds one, of type `tool_use`. There can be a `text` block in front of it.
# - `stop_reason` says why the model stopped writing. `tool_use`: it waits for a result. `end_turn`: it has finished.
# - `id` is the name of this one call. Read nothing into its letters; you will need it once, to copy it. (The reply has an id of
#   its own, `msg_…`. You never send that one back.)
# - `input` is already a dict. You parse nothing.
# - `usage` counts tokens, the pieces of text that you pay for, read and written. You wrote 9 words; the other tokens of the input are mostly the tool definition and a text that the API adds when
#   there are tools.
#
# (In this course, replies have the exact shape of recorded ones. Their words and token counts were written by hand. Each scenario has a few
# of them and then it ends. To start anew, run the cell with `scenario(…)` in it and the cells that follow.)
#
# ## Predict
#
# The model has asked for `count_stock(product="rye loaf")`. At this moment, how many times has your function run? Answer first, then look.

# %% tags=["exercise"] exercise="who-ran-it"
# STUB: times_run = ...   # a number
# BEGIN SOLUTION
times_run = 0
# END SOLUTION

# %% tags=["check"] exercise="who-ran-it"
check("who-ran-it", times_run)

# %%
print(runs)

# %% [markdown]
# ## Break it
#
# The model waits for the stock. You know it is 7. Why not tell it so, as you did in chapter 1?
#
# The reply's block goes into the history as a dict here, written out field by field, so that you see what travels.

# %%
asked = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}],
}


def send(messages):
    """Send the list; return the reply, or print why there is none."""
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
    except anthropic.BadRequestError as refusal:
        print(refusal.status_code, refusal.body["error"]["message"])


send([question, asked, {"role": "user", "content": "There are 7."}])

# %% [markdown]
# A call wants its own kind of answer: a **tool_result** block in the very next message. It names the call by its id.

# %%
result = {"type": "tool_result", "tool_use_id": call.id, "content": "7"}
send([question, {"role": "user", "content": [result]}])

# %% [markdown]
# Refused again, the other way round. This list holds an answer to a call that is not in it. You had the call in an earlier reply, but the
# API doesn't remember that reply. The place in the text, `messages.0.content.1`, looks odd: the API joined your two `user`
# messages into one before it counted.
#
# Call and result, each in its place:

# %%
final = send([question, asked, {"role": "user", "content": [result]}])
print(final.stop_reason, "|", final.content[0].text)
print(final.usage.input_tokens, "tokens in,", final.usage.output_tokens, "tokens out")

# %% [markdown]
# One question, two requests. The second one read everything again: the question, the definition, its own call, and your result.
#
# Now look at `runs` once more. It is still empty. You typed that 7 yourself, and the model had no way to tell.

# %%
print(runs)

# %% [markdown]
# ## From block to call
#
# A program does with the block what you did. The name picks the function. The input becomes its arguments; two stars turn
# a dict into keyword arguments.

# %%
chosen = functions["count_stock"]
arguments = {"product": "seed roll"}
print(chosen(**arguments), runs)

# %% [markdown]
# ## Mend it
#
# This function should turn a block into a tool_result block. A colleague wrote it in a hurry, and it has two faults. Run the check,
# read what it says, mend, repeat.

# %% tags=["exercise"] exercise="mend-answer"
def mended_answer(block, functions):
    # STUB: output = functions[block.name](block.input)
    # STUB: return {"type": "tool_result", "tool_use_id": block.name, "content": output}
    # BEGIN SOLUTION
    output = functions[block.name](**block.input)
    return {"type": "tool_result", "tool_use_id": block.id, "content": output}
    # END SOLUTION

# %% tags=["check"] exercise="mend-answer"
check("mend-answer", mended_answer)

# %% [markdown]
# ## Write it yourself
#
# Now without looking: `answer(block, functions)` runs the function that the block asks for, once, and returns the
# tool_result block. You will use it in your loop.

# %% tags=["exercise"] exercise="answer"
def answer(block, functions):
    """Run what a tool_use block asks for; return the tool_result block."""
    # BEGIN SOLUTION
    function = functions[block.name]
    output = function(**block.input)
    return {"type": "tool_result", "tool_use_id": block.id, "content": output}
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Three steps: find the function, call it, wrap its output. Each needs one field of the block: `name`, `input`, `id`.

# %% [markdown] tags=["hint"]
# `functions[block.name]` is the function, and `**block.input` are its arguments. The dict you return has three keys:
# `type`, `tool_use_id`, `content`. Leave the output as it is.
#
# Still stuck? [The solved chapter](../solutions/02_one_request_one_response.ipynb) shows one way.

# %% tags=["check"] exercise="answer"
check("answer", answer)

# %% [markdown]
# ## What comes next?
#
# A run of the rye loaves, one message at a time. Say what follows each.

# %%
what_next("ch02-rye-stock")

# %% [markdown]
# ## What people often believe
#
# - *"The model calls my function."* It can't reach your function. It writes a block;
#   [the API returns it](https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview), and the rest is yours. You may decide not to run
#   it, but the call wants a result all the same.
# - *"The model would notice a wrong result."* Sometimes it doubts one. But it has nothing to compare it with: what your result says is what it knows.
# - *"A tool_result must be a string."* A string or a list of content blocks, so pictures can go back too. A dict or a number can't.
# - *"A tool_use block means the input is right."* It has the form you asked for nearly always, and the values are still the model's
#   guess. Treat it like what a stranger typed into a web form.
#
# ## One-minute recall
#
# **1.** What does the model do with your function? **a** reads its code · **b** runs it on the API's machine · **c** nothing
#
# **2.** What ties a result to its call? **a** the tool's name · **b** the id · **c** the order
#
# **3.** A reply has `stop_reason` `tool_use`. What do you send next? **a** the question, the reply and the result · **b** the question, the reply and a new question ·
# **c** the result
#
# **4.** One question, two requests. What do you pay for? **a** the second request · **b** the output of both · **c** the input and output of both

# %% tags=["exercise"] exercise="recall-2"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["c", "b", "a", "c"]
# END SOLUTION

# %% tags=["check"] exercise="recall-2"
check("recall-2", recall)

# %% [markdown]
# ## Next
#
# One call took two requests. The bakery's mystery took three commands, and nobody knew that before. You can't write one
# request after the other when you don't know how many there will be. [Chapter 3](03_the_while_loop.ipynb) needs one word of Python
# for that: `while`.
