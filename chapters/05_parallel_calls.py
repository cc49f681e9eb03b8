# %% [markdown]
# # 5. Parallel calls
#
# Three mountain huts, one Saturday, two people who want to sleep. Here is the first reply:

# %%
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from grader import MODEL, check, scenario, show
from grader.course import steps

huts = scenario("ch05-three-huts")
client = huts.client()


def ask(client, messages, tools):
    """One request with the whole history."""
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


question = {"role": "user", "content": huts.task}
reply = ask(client, [question], huts.tools)
show(reply)

# %% [markdown]
# Three calls in one reply. None of them needs the outcome of another, so the model asks for all at once: **parallel calls**. How you run
# them is your affair. The word says that the model waits for all three, not that they have to run at the same moment.
#
# This is what the loop of chapter 4 makes of such a reply:

# %%
def answer(block, functions):
    """Run what a tool_use block asks for; return the tool_result block."""
    output = functions[block.name](**block.input)
    return {"type": "tool_result", "tool_use_id": block.id, "content": output}


def splitting(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        for call in reply.content:
            if call.type == "tool_use":
                messages.append({"role": "user", "content": [answer(call, functions)]})


check("parallel", splitting, seed=7)

# %% [markdown]
# ## Accepted, and harmful
#
# The report quotes no 400, because there is none. The API joins the three user messages into one turn, and the pairs are complete.
#
# But the history is also what the model reads to see how things are done here. Each call answered in a message of its own looks like one thing at a
# time. The [documentation](https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use) names this as the first mistake to look for
# when a model has stopped making parallel calls. Nothing fails. It gets slower, and dearer:
#
# | three look-ups | requests until the model can book |
# | --- | --- |
# | all in one reply | 2 |
# | one in each reply | 4, each with the whole history |
#
# The rule is short. **One message, all results, any order, nothing else.**
#
# By hand:

# %%
calls = [block for block in reply.content if block.type == "tool_use"]
results = [answer(call, huts.functions) for call in calls]
turn = [question, {"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
show(turn)

# %%
print(ask(client, turn, huts.tools).content[0].input)

# %% [markdown]
# ## Predict
#
# Five ways to answer these three calls. For each, write `"right"`, `"harmful"` (accepted, but not good) or `"refused"`.
#
# 1. one message, the results in the order Tarn, Ridge, Saddle
# 2. one message with the results of Ridge and Tarn; Saddle was slow, so its result goes into the next turn
# 3. a message with the results of Ridge and Saddle, then a message with that of Tarn
# 4. one message: a text "Ridge:", a result, a text "Saddle:", a result, a text "Tarn:", a result
# 5. one message with the three results, and a text behind them: "Here you are."

# %% tags=["exercise"] exercise="five-answers"
# STUB: verdicts = ...   # five words: ["right", …]
# BEGIN SOLUTION
verdicts = ["right", "refused", "harmful", "refused", "harmful"]
# END SOLUTION

# %% [markdown] tags=["hint"]
# Chapter 4: every call answered in the next turn, the results in front. What keeps these two rules is accepted. Accepted isn't right yet: read the short
# rule above again.

# %% tags=["check"] exercise="five-answers"
check("five-answers", verdicts)

# %% [markdown]
# ## Which call got which result?
#
# Calls and results find each other by id, and by nothing else. This loop remembers the outputs by the tool's name. It works for a call to the weather and a
# call to the calendar, and it worked in every demo.

# %% tags=["exercise"] exercise="fix-by-name"
def run_agent_by_name(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        calls = [block for block in reply.content if block.type == "tool_use"]
        # STUB: outputs = {call.name: functions[call.name](**call.input) for call in calls}
        # STUB: results = [{"type": "tool_result", "tool_use_id": call.id, "content": outputs[call.name]} for call in calls]
        # BEGIN SOLUTION
        results = [answer(call, functions) for call in calls]
        # END SOLUTION
        messages.append({"role": "user", "content": results})

# %% [markdown] tags=["hint"]
# All three calls above have the name `free_beds`. How many entries does the dict `outputs` have then? Build each result where its call is run.

# %% tags=["check"] exercise="fix-by-name"
check("fix-by-name", run_agent_by_name)

# %% [markdown]
# No exception, no 400, and a model that books two beds in a full hut. Mixed-up results are the quietest fault in this course.
#
# ## Write it yourself: all calls of a reply
#
# `answer_all(content, functions)` takes the content of a reply, runs every call in it once and returns the list of the results. The order is up to you. A
# content without a call gives an empty list.

# %% tags=["exercise"] exercise="answer-all"
def answer_all(content, functions):
    """Run all calls in a reply's content; return their tool_result blocks."""
    # BEGIN SOLUTION
    return [answer(block, functions) for block in content if block.type == "tool_use"]
    # END SOLUTION

# %% [markdown] tags=["hint"]
# The content can also hold text and thinking. Go through all blocks, pick those of type `tool_use`, and collect what `answer` returns.

# %% tags=["check"] exercise="answer-all"
check("answer-all", answer_all)

# %% [markdown]
# ## At the same time
#
# One after the other is right, and for fast tools it is enough. Tools that wait, for a network or a disk, can wait together: each in a **thread** of its own.
# Here are slow huts. `finished` notes who was ready first.

# %%
finished = []


def slow_beds(hut, day):
    time.sleep({"Ridge": 0.6, "Saddle": 0.3, "Tarn": 0.05}[hut])
    finished.append(hut)
    return f"{hut}: {len(hut)} beds"


slow = {"free_beds": slow_beds}
with ThreadPoolExecutor() as pool:
    results = list(pool.map(lambda call: answer(call, slow), calls))

print("finished:", finished)
for call, result in zip(calls, results, strict=True):
    print(call.input["hut"], "|", result["content"], "|", result["tool_use_id"] == call.id)

# %% [markdown]
# They finished in another order than they were asked for, and every result is right all the same: `answer` puts the id in where the call is run, and
# `pool.map` hands the results back in the order of the calls. (In the browser edition threads run one after the other, so there the order is that
# of the calls.)
#
# ## Break it
#
# `as_completed` hands them out as they become ready. That sounds better. Then somebody counts on their order:

# %%
with ThreadPoolExecutor() as pool:
    futures = [pool.submit(slow_beds, **call.input) for call in calls]
    outputs = [future.result() for future in as_completed(futures)]

for call, output in zip(calls, outputs, strict=True):
    print(call.input["hut"], "|", output)

# %% [markdown]
# Tarn was ready first, so its beds stand beside Ridge. Had they been ready in the order of the calls, nobody would have noticed.
#
# The second trap of threads is older than threads. Here it is in a loop to mend:

# %% tags=["exercise"] exercise="fix-closure"
def run_agent_closure(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        # STUB: jobs = []
        # STUB: for call in reply.content:
        # STUB:     if call.type == "tool_use":
        # STUB:         jobs.append(lambda: answer(call, functions))
        # STUB: with ThreadPoolExecutor() as pool:
        # STUB:     results = list(pool.map(lambda job: job(), jobs))
        # BEGIN SOLUTION
        calls = [block for block in reply.content if block.type == "tool_use"]
        with ThreadPoolExecutor() as pool:
            results = list(pool.map(lambda call: answer(call, functions), calls))
        # END SOLUTION
        messages.append({"role": "user", "content": results})

# %% [markdown] tags=["hint"]
# A `lambda` doesn't keep the value that `call` had when it was made. It looks `call` up when it runs. What is in `call` by then?

# %% [markdown] tags=["hint"]
# By then, every job sees the last call. Hand the call over as an argument: make a list of the calls, and
# `pool.map(lambda call: answer(call, functions), calls)`.

# %% tags=["check"] exercise="fix-closure"
check("fix-closure", run_agent_closure)

# %% [markdown]
# ## Write it yourself: the loop
#
# Your loop from chapter 4 (`splitting`, above), with all results of a reply in one message. Threads are welcome and not needed.

# %% tags=["exercise"] exercise="parallel"
def run_agent(client, task, tools, functions):
    """Run tools until the model asks for none; the results of a reply go back in one message."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        messages.append({"role": "user", "content": answer_all(reply.content, functions)})
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Collect the results in a list first, and append one message when the list is complete. `answer_all` gives you that list.
#
# Still stuck? [The solved chapter](../solutions/05_parallel_calls.ipynb) shows one way.

# %% tags=["check"] exercise="parallel"
check("parallel", run_agent)

# %%
huts.play(run_agent)

# %% [markdown]
# The same run, line by line. Count how many tools run between the reply with three calls and the line that makes `messages` grow again:

# %%
steps(run_agent, "ch05-three-huts")

# %% [markdown]
# ## What people often believe
#
# - *"Splitting the results is a 400."* It is accepted, and that is the trouble: nothing tells you.
# - *"The results must stand in the order of the calls."* Any order. The id decides.
# - *"Parallel calls must run in parallel."* One after the other is fine. What must be together is the message.
# - *"A slow result can follow later."* Later is a 400. Wait for it, or answer that it didn't come in time (chapter 8).
# - *"Threads are always safe."* Two calls that write the same file can get in each other's way. Run such tools one after the other, or have the model make one
#   call at a time: `tool_choice={"type": "auto", "disable_parallel_tool_use": True}`.
#
# ## One-minute recall
#
# **1.** A reply holds four calls. How many user messages answer it? **a** four · **b** one · **c** one or four, it is the same
#
# **2.** What ties a result to its call? **a** the order · **b** the tool's name · **c** the id
#
# **3.** What is bad about split results? **a** the API refuses them · **b** the model makes fewer parallel calls · **c** the model reads only the first
#
# **4.** Three of four calls are done. What do you send? **a** the three results · **b** nothing yet · **c** the three results and a text

# %% tags=["exercise"] exercise="recall-5"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "c", "b", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-5"
check("recall-5", recall)

# %% [markdown]
# ## Next
#
# All tools in this chapter worked. Tomorrow the booking service is down, `free_beds` raises an exception, and your loop dies with three open calls in its
# history. Chapter 6 turns that exception into an answer.
