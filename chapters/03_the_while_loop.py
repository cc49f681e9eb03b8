# %% [markdown]
# # 3. The while loop
#
# One call cost you a request, a look into the reply, a function call, a result and a second request. Chapter 1's bakery needed three calls in a row,
# each chosen after the result of the one before. Let's see what that looks like when you write it down.

# %%
import anthropic
from grader import MODEL, check, scenario, show
from grader.course import steps

bakery = scenario("ch03-bakery")
client = bakery.client()
print(bakery.task)
print([tool["name"] for tool in bakery.tools], list(bakery.functions))

# %% [markdown]
# It is the mystery of chapter 1. The terminal is a tool now: `run_command`. Two small helpers first. `ask` sends the history. `plain`
# turns a reply's content into dicts for it, as you did by hand in chapter 2.

# %%
def ask(client, messages, tools):
    """One request with the whole history."""
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


def plain(content):
    """The blocks of a reply as dicts: the two kinds that we know so far."""
    blocks = []
    for block in content:
        if block.type == "text":
            blocks.append({"type": "text", "text": block.text})
        if block.type == "tool_use":
            asked = {"id": block.id, "name": block.name, "input": block.input}
            blocks.append({"type": "tool_use", **asked})
    return blocks


# %% [markdown]
# "The two kinds that we know so far" is an honest limit: there are more, and chapter 4 shows what it costs. A second limit: we answer
# one call a reply, because so far the model has asked for one thing at a time. Chapter 5 ends that.
#
# ## By hand, once more
#
# Turn 1: the model's reply, and what answers it.

# %%
messages = [{"role": "user", "content": bakery.task}]

reply = ask(client, messages, bakery.tools)
call = reply.content[-1]
output = bakery.functions[call.name](**call.input)
result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
messages.append({"role": "assistant", "content": plain(reply.content)})
messages.append({"role": "user", "content": [result]})
print(reply.stop_reason, call.input)

# %% [markdown]
# Turn 2:

# %%
reply = ask(client, messages, bakery.tools)
call = reply.content[-1]
output = bakery.functions[call.name](**call.input)
result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
messages.append({"role": "assistant", "content": plain(reply.content)})
messages.append({"role": "user", "content": [result]})
print(reply.stop_reason, call.input)

# %% [markdown]
# The same lines, letter for letter. Turn 3 would be the same again. How often do you have to write them?
#
# You can't know. It depends on what the model finds. What you do know is when to stop: when a reply doesn't ask for anything.
#
# ## The loop
#
# So put them under a `while`, and leave it when `stop_reason` is not `tool_use`:

# %%
bakery = scenario("ch03-bakery")
client = bakery.client()
messages = [{"role": "user", "content": bakery.task}]

while True:
    reply = ask(client, messages, bakery.tools)
    print(len(messages), "messages sent,", reply.usage.input_tokens, "tokens in,", reply.stop_reason)
    messages.append({"role": "assistant", "content": plain(reply.content)})
    if reply.stop_reason != "tool_use":
        break
    call = reply.content[-1]
    output = bakery.functions[call.name](**call.input)
    result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
    messages.append({"role": "user", "content": [result]})

# %% [markdown]
# That is an agent. Not a toy version of one: programs that edit code for hours have this in the middle. The rest of this course is about
# what can go wrong in these lines.
#
# Here is the history at the end. You know these outputs: in chapter 1 you carried them. One line is new, the serial. It is another
# one in each run, so that no loop can know it beforehand.

# %%
show(messages)

# %% [markdown]
# ## How it grows
#
# 1, 3, 5, 7 messages. Each turn adds two: the reply and its result. And each request carries all of it again, because the API keeps
# nothing. Here is what arrived at the other end:

# %%
for request in bakery.requests:
    print([message["role"] for message in request["messages"]])

# %% [markdown]
# ## Predict
#
# A longer job: ten turns with one tool call each, then the answer. That is eleven requests.
#
# **How many messages travel in all eleven requests together?** Write down what your gut says before you count.

# %% tags=["exercise"] exercise="messages-sent"
# STUB: travelled = ...   # a number
# BEGIN SOLUTION
travelled = 121
# END SOLUTION

# %% tags=["check"] exercise="messages-sent"
check("messages-sent", travelled)

# %% [markdown]
# For twice the turns it is not twice that number but 441. Chapter 10 turns this into money.
#
# ## Break it
#
# That looks wasteful. Why not send what is new, and nothing else? The first request is the task. The second one has only the result,
# and it fails on purpose: an exception is long, and its last line is the one to read.

# %%
bakery = scenario("ch03-bakery")
client = bakery.client()
reply = ask(client, [{"role": "user", "content": bakery.task}], bakery.tools)
call = reply.content[-1]
output = bakery.functions[call.name](**call.input)
result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
newest = {"role": "user", "content": [result]}

# %% tags=["raises-exception"]
ask(client, [newest], bakery.tools)

# %% [markdown]
# To you, that id is a second old. To the API, no call with that id has ever existed. And if this were accepted, the model would read a list of files and
# not know why.
#
# Second try: keep the task and the result, and leave the reply out. The model knows what it said, doesn't it?

# %%
try:
    ask(client, [{"role": "user", "content": bakery.task}, newest], bakery.tools)
except anthropic.BadRequestError as refusal:
    print(refusal.body["error"]["message"])

# %% [markdown]
# The same. Your list is the only memory in the room.
#
# ## Mend it
#
# A colleague made a function of the loop. It ran fine on one question, then it gave up in the middle of the bakery. It has two faults.
# Run this cell and read the report, change the code, run it again until it passes. It is judged like the loop that you will write below.
# What stands under `then` may follow from the first fault: mend that one and look again.

# %%
def almost(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        if reply.content[0].type == "text":
            return "done", messages
        call = reply.content[0]
        output = functions[call.name](**call.input)
        result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
        messages.append({"role": "assistant", "content": plain(reply.content)})
        messages.append({"role": "user", "content": [result]})


check("loop", almost, seed=7)

# %% [markdown] tags=["hint"]
# Look at the second reply of the bakery in the table above. It holds two blocks. Which one does this loop look at? And what is the
# last message in the list that it returns?

# %% [markdown] tags=["hint"] summary="Hint 2: both faults"
# A text in front doesn't mean that the work is over; a call may stand behind it. Ask `reply.stop_reason` instead, and take the call from
# the end of the content. And append the reply *before* you return: the answer belongs to the history too.

# %% [markdown]
# ## Write it yourself
#
# Scroll down until the loops above are out of sight, and write one from memory. This function stays with you to the last chapter:
#
# | | |
# | --- | --- |
# | `client` | what you send requests with |
# | `task` | a string: the first user message |
# | `tools` | the definitions, for the request |
# | `functions` | a dict: a tool's name → the Python function |
# | returns | `("done", messages)`, the model's last reply included |
#
# You may use `ask` and `plain`, or do without, and copy in your `answer` from chapter 2. The grader doesn't look at how you write it. It looks at the requests that
# arrive and at the tools that run. It plays several conversations, with ids and words that are new each time.

# %% tags=["exercise"] exercise="loop"
def run_agent(client, task, tools, functions):
    """Send the task and run the tools that the model asks for, until it asks for none."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": plain(reply.content)})
        if reply.stop_reason != "tool_use":
            return "done", messages
        call = next(block for block in reply.content if block.type == "tool_use")
        output = functions[call.name](**call.input)
        result = {"type": "tool_result", "tool_use_id": call.id, "content": output}
        messages.append({"role": "user", "content": [result]})
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Start with a list that holds the task. Under `while True:` come four steps: send, append the reply, leave if it asks for nothing, answer
# the call.

# %% [markdown] tags=["hint"]
# The order matters: append the reply first, then look at `reply.stop_reason`. The call is the block whose `type` is `tool_use`. Its result
# goes into a `user` message whose content is a list with one tool_result block.
#
# Still stuck? [The solved chapter](../solutions/03_the_while_loop.ipynb) shows one way.

# %% tags=["check"] exercise="loop"
check("loop", run_agent)

# %% [markdown]
# ## Something it has never seen
#
# Your function knows nothing about bakeries. Here is a job with other tools, and two of them instead of one. Don't change a line.

# %%
coast = scenario("ch03-dark-light")
print(coast.task)
for tool in coast.tools:
    print("-", tool["name"], "|", tool["description"])

# %%
coast.play(run_agent)

# %% [markdown]
# Here is the same run at the speed of your finger. `Next` runs the marked line of *your* function, `Back` takes it back, and beside
# it stands `messages`. Find the line after which the model knows what the tool said.

# %%
steps(run_agent, "ch03-dark-light")

# %% [markdown]
# A web shop and a lighthouse, the same lines of Python. What makes an agent *this* agent comes in from outside: a task, some tools, a model. What
# you wrote is the part that they all share.
#
# ## What people often believe
#
# - *"An agent is something bigger than this."* It is often something around this. The middle is a loop that sends a list.
# - *"When there is text, it is finished."* Text and a call can share a reply. Only `stop_reason` tells you, and later chapters will make even
#   that a longer story.
# - *"The client object keeps the conversation."* It keeps an address, a key and a connection. You pass it the whole list each time.
# - *"The model plans its ten steps, and the loop runs the plan."* Each request is a new question: here is all that has happened, what now?
#
# ## One-minute recall
#
# **1.** What ends the loop? **a** a text block · **b** a `stop_reason` other than `tool_use` · **c** a number of turns that was fixed before
#
# **2.** How many messages does one turn add? **a** one · **b** two · **c** three
#
# **3.** What does the client keep from the last request? **a** the history · **b** the tools · **c** nothing
#
# **4.** What must you change in `run_agent` for other tools? **a** nothing · **b** the tool names · **c** a branch for each tool

# %% tags=["exercise"] exercise="recall-3"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "b", "c", "a"]
# END SOLUTION

# %% tags=["check"] exercise="recall-3"
check("recall-3", recall)

# %% [markdown]
# ## Next
#
# There is a hole in `plain`. On some replies it drops a block, and no error says so: the model has to go on without something
# that it wrote itself. Chapter 4 finds the block, and reads the rules that a history has to keep.
