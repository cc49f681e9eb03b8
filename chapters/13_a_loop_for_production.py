# %% [markdown]
# # 13. A loop for production
#
# Twelve chapters ago you carried commands by hand. Now you write the whole loop, from memory, in one piece. Then you hold it against a
# live model, against the SDK's own loop, and against another vendor's format. The last question is when not to use it at all.
#
# For this course, 31 public agent loops were read, some from official examples. Seven answer only one call of a reply, five ever set
# `is_error`, ten have a cap on turns, one notices repeated calls, and one looks at every `stop_reason`. After this chapter you have one
# that does all of it.

# %%
import json
import os
import queue
import threading
import time
from collections import Counter

import anthropic
from grader import MODEL, check, lint, scenario, show
from grader.course import progress

# %% [markdown]
# ## The list
#
# | | your loop | chapter |
# | --- | --- | --- |
# | history | sends all of it; appends each reply's content as it came, unless it can't be sent | 3, 4, 7 |
# | calls | runs each once, and answers all of them in one message, results alone | 4, 5 |
# | errors | exception, unknown name, input that doesn't fit, tool over its time: an error result that helps | 6, 8 |
# | outputs | a string or a list of blocks; anything else becomes text | 6 |
# | stops | `tool_use`, `end_turn`, `pause_turn` go on; any other word is returned, and nothing of that reply is run | 7 |
# | gates | `max_turns`, `token_budget` (cache counts too), `timeout_s`, `max_repeats`, `api_error` | 8 |
# | the end | no call is open in what comes back, whatever the reason | 9 |
#
# ## Write it yourself: all of it
#
# `run_agent(client, task, tools, functions, …)` returns `(status, messages)`. The limits and their defaults stand in the first line.
# Write as many helpers as you like. If you have your loops from chapters 8 and 9, put them aside: what you can write without them is
# yours.

# %% tags=["exercise"] exercise="production"
# STUB: def run_agent(
# STUB:     client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
# STUB: ):
# STUB:     """Run tools until the model stops or a gate closes; return why, and a history that can be continued."""
# STUB:     raise NotImplementedError("write run_agent")
# BEGIN SOLUTION
def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(call, functions, seconds):
    """A result for the call, whatever happens. The function runs in a thread, so that nobody waits for it for ever."""
    if call.name not in functions:
        return failed(call, f"There is no tool {call.name!r}. There are: {', '.join(functions)}.")
    box = queue.Queue()

    def work():
        try:
            box.put((functions[call.name](**call.input), None))
        except Exception as error:
            box.put((None, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        output, error = box.get(timeout=seconds)
    except queue.Empty:
        return failed(call, f"{call.name} did not answer within {seconds} seconds.")
    if error is not None:
        return failed(call, f"{type(error).__name__}: {error}")
    is_blocks = isinstance(output, list) and all(isinstance(item, dict) and "type" in item for item in output)
    content = output if isinstance(output, str) or is_blocks else json.dumps(output, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def sendable(content):
    if not content or content[-1].type in ("thinking", "redacted_thinking"):
        return False
    return any(block.type != "text" or block.text.strip() for block in content if "thinking" not in block.type)


def tokens(use):
    cached = (use.cache_creation_input_tokens or 0) + (use.cache_read_input_tokens or 0)
    return use.input_tokens + cached + use.output_tokens


def run_agent(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    """Run tools until the model stops or a gate closes; return why, and a history that can be continued."""
    messages, asked = [{"role": "user", "content": task}], Counter()
    start, turns, used = time.monotonic(), 0, 0

    def closed_gate():
        if turns >= max_turns:
            return "max_turns"
        if used >= token_budget:
            return "token_budget"
        return "timeout" if time.monotonic() - start >= timeout_s else None

    while not (status := closed_gate()):
        try:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)
        except anthropic.APIError:
            return "api_error", messages
        turns, used = turns + 1, used + tokens(reply.usage)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            if reply.stop_reason == "pause_turn":
                continue
            return "done", messages
        asked.update((call.name, json.dumps(call.input, sort_keys=True)) for call in calls)
        status = "repeated_call" if max(asked.values()) >= max_repeats else closed_gate()
        if status:
            messages.append({"role": "user", "content": [failed(call, f"Not run: {status}.") for call in calls]})
            return status, messages
        messages.append({"role": "user", "content": [answer(call, functions, tool_timeout_s) for call in calls]})
    return status, messages
# END SOLUTION

# %% [markdown] tags=["hint"]
# Order of work: the gates, the request, the counters, the `stop_reason`, the append, the calls, the gates again, the results. First get
# chapter 3's loop to run, then add one line of the list after another, and check after each.

# %% [markdown] tags=["hint"]
# Two places decide most of it. Between reply and append: a word that doesn't go on is returned, and a reply that can't be sent is left
# out. Between append and results: if a gate is closed or a call has come too often, *every* call gets an error result, and you return.
#
# Still stuck? [The solved chapter](../solutions/13_a_loop_for_production.ipynb) shows one way.

# %% tags=["check"] exercise="production"
check("production", run_agent)

# %% [markdown]
# ## A night in the workshop
#
# Three calls at once, of which one fails; an API that is overloaded for a moment; a tool that doesn't exist:

# %%
scenario("ch13-night-shift").play(run_agent)

# %% [markdown]
# ## With a live model
#
# All requests so far went to a script. This cell takes the same function to the real API, if you want it to and have a key in the
# environment variable `ANTHROPIC_API_KEY`. The budget gate closes it at 20,000 tokens. No check depends on it.

# %%
go_live = False  # True: real requests, at your cost

if go_live and os.environ.get("ANTHROPIC_API_KEY"):
    shift = scenario("ch13-night-shift")
    status, live = run_agent(anthropic.Anthropic(), shift.task, shift.tools, shift.functions, token_budget=20_000)
    print(status, "|", len(live), "messages |", lint(live))
else:
    print("No live run. It takes go_live = True and a key.")

# %% [markdown]
# Expect other words each time, and perhaps another path. The rules are the same ones. `lint(live)` should be an empty list.
#
# ## Side by side: the SDK's tool runner
#
# The SDK (2.14, in its beta part) has a loop of its own. It takes the functions wrapped as `beta_tool`:

# %%
def runner(s, **options):
    tools = [anthropic.beta_tool(s.functions[tool["name"]], **tool) for tool in s.tools]
    task = [{"role": "user", "content": s.task}]
    return s.client().beta.messages.tool_runner(model=MODEL, max_tokens=1024, tools=tools, messages=task, **options)


huts = scenario("ch05-three-huts")
runner(huts).until_done()
show(huts.requests[-1]["messages"])

# %% [markdown]
# The huts of chapter 5, with the history that your loop sends too. Now the build of chapter 8, which never gets ready:

# %%
build = scenario("build-poll-for-ever")
last = runner(build, max_iterations=4).until_done()
print(len(build.requests), "requests,", len(build.transcript.runs), "calls run, the end:", last.stop_reason)
print("results that were sent:", sum(message["role"] == "user" for message in build.requests[-1]["messages"]) - 1)

# %% [markdown]
# Four calls were run, three results were sent, and no word says that a cap ended it.
#
# | | your loop | the tool runner |
# | --- | --- | --- |
# | all results in one message, in the order of the calls | yes | yes |
# | exception or unknown tool: `is_error` | yes | yes |
# | `max_tokens`, `refusal`: nothing is run | yes | yes |
# | `pause_turn` | sends again | sends again |
# | cap on turns | `max_turns`, no call left open | `max_iterations`; the last results aren't sent |
# | token budget, deadline, a tool's time, repeats | yes | no |
# | tells why it stopped | a status | the last message; read its `stop_reason` |
# | schemas made from your functions, streaming, compaction | no | yes |
#
# It is good work, and now you know what you would have to add around it. `for message in runner(…)` gives you each reply, and there your
# gates can stand.
#
# ## Another shape
#
# Much of the world speaks the chat format that OpenAI made common. What happens if you send that to this API?

# %% tags=["raises-exception"]
foreign = [{"role": "user", "content": "2 + 2?"}, {"role": "tool", "tool_call_id": "call_1", "content": "4"}]
scenario("ch13-night-shift").client().messages.create(model=MODEL, max_tokens=1024, messages=foreign)

# %% [markdown]
# The same facts, in other places:
#
# | | Messages API | OpenAI chat format |
# | --- | --- | --- |
# | a call | a `tool_use` block in the content | an entry of the assistant message's `tool_calls`: `{"id": …, "type": "function", "function": {"name": …, "arguments": …}}` |
# | its input | `input`, a dict | `arguments`, a **string** of JSON |
# | text beside calls | a text block | `content`, or `None` if there is none |
# | results | `tool_result` blocks, all in one user message | a message each: `{"role": "tool", "tool_call_id": …, "content": …}` |
#
# ([OpenAI's guide](https://platform.openai.com/docs/guides/function-calling)) Before you translate: what comes back from a journey there
# and back? Write `"yes"` or `"no"` for each.
#
# 1. the id of a call
# 2. thinking, with its signature
# 3. `is_error` on a result
# 4. the input `{"day": "Monday"}`
# 5. a `cache_control` mark

# %% tags=["exercise"] exercise="comes-back"
# STUB: comes_back = ...   # five words: ["yes", …]
# BEGIN SOLUTION
comes_back = ["yes", "no", "no", "yes", "no"]
# END SOLUTION

# %% tags=["check"] exercise="comes-back"
check("comes-back", comes_back)

# %% [markdown]
# ## Write it yourself: there
#
# `to_openai(messages)` translates a history of dicts. Texts of one message are joined; results come first, in their order; thinking is
# left out; a result's content is a string here, and stays as it is. A message with calls and no text has `"content": None`.

# %% tags=["exercise"] exercise="to-openai"
def to_openai(messages):
    """The same history in the OpenAI chat format."""
    # BEGIN SOLUTION
    out = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        said = {"role": message["role"], "content": None}
        for block in blocks:
            if block["type"] == "tool_result":
                out.append({"role": "tool", "tool_call_id": block["tool_use_id"], "content": block["content"]})
            elif block["type"] == "text":
                said["content"] = (said["content"] or "") + block["text"]
            elif block["type"] == "tool_use":
                function = {"name": block["name"], "arguments": json.dumps(block["input"])}
                said.setdefault("tool_calls", []).append({"id": block["id"], "type": "function", "function": function})
        if said["content"] or "tool_calls" in said:
            out.append(said)
    return out
    # END SOLUTION

# %% [markdown] tags=["hint"]
# One message here can be several there. Go through its blocks: each result becomes a message at once; texts and calls are collected in
# one message, which is appended at the end if it says anything.

# %% tags=["check"] exercise="to-openai"
check("to-openai", to_openai)

# %% [markdown]
# ## Mend it: and back
#
# This `from_openai` was tested with one call that had a text beside it. It has three faults, and one of them is never refused.

# %% tags=["exercise"] exercise="from-openai"
def from_openai(messages):
    """The history as the Messages API takes it. An assistant's content is a list of blocks."""
    out = []
    for message in messages:
        if message["role"] == "tool":
            result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            # STUB: out.append({"role": "user", "content": [result]})
            # BEGIN SOLUTION
            if isinstance(out[-1]["content"], str) or out[-1]["role"] == "assistant":
                out.append({"role": "user", "content": []})
            out[-1]["content"].append(result)
            # END SOLUTION
        elif message["role"] == "assistant":
            # STUB: blocks = [{"type": "text", "text": message["content"]}]
            # BEGIN SOLUTION
            blocks = [{"type": "text", "text": message["content"]}] if message["content"] else []
            # END SOLUTION
            for call in message.get("tool_calls", []):
                block = {"type": "tool_use", "id": call["id"], "name": call["function"]["name"]}
                # STUB: blocks.append({**block, "input": call["function"]["arguments"]})
                # BEGIN SOLUTION
                blocks.append({**block, "input": json.loads(call["function"]["arguments"])})
                # END SOLUTION
            out.append({"role": "assistant", "content": blocks})
        else:
            out.append(message)
    return out

# %% [markdown] tags=["hint"]
# Three rows of the table above, three faults: what is `content` when there is no text? What is the type of `arguments`? And how many
# messages do the results of one reply make here?

# %% tags=["check"] exercise="from-openai"
check("from-openai", from_openai)

# %% [markdown]
# The check translates drawn histories there and back, and compares. What it can't bring back is what the other shape has no place for. So
# keep your history in the form of the API that you talk to, and translate at the door.
#
# ## Workflow or agent?
#
# In a **workflow**, your code fixes the steps, and a model does some of them. In an **agent**, the model chooses the next step
# ([the words](https://www.anthropic.com/engineering/building-effective-agents)). Four questions:
#
# 1. **Can you write the steps down beforehand?** Then do: a workflow, or one request. It is cheaper, and you can test each step.
# 2. **Is it worth the tokens?** Each turn sends the history again (chapter 10).
# 3. **Does something tell when it has gone wrong?** Tests, a compiler, a person. Without that, an agent is sure of itself for ten turns.
# 4. **Can a wrong step be undone?** If not, a person says yes before it, or the tool isn't there.
#
# An agent pays when the first answer is no and the other three are yes. For each of these jobs, write `"workflow"` or `"agent"`:
#
# 1. Each night, translate the new product texts into Danish, one by one.
# 2. A test fails somewhere in 2,000 files. Find out why, mend it, run the tests.
# 3. Sort each incoming mail into one of five boxes.
# 4. A pump stops once a week. Look for the reason in logs that nobody has read yet, and report it; a technician looks at the report.

# %% tags=["exercise"] exercise="workflow-or-agent"
# STUB: kinds = ...   # four words: ["workflow", …]
# BEGIN SOLUTION
kinds = ["workflow", "agent", "workflow", "agent"]
# END SOLUTION

# %% tags=["check"] exercise="workflow-or-agent"
check("workflow-or-agent", kinds)

# %% [markdown]
# ## When a framework pays
#
# Not to save these sixty lines. It pays when you need what stands around them: runs that survive a restart of the machine, a person's yes in
# the middle, traces of thousands of runs, one face for several vendors. Before you take one, ask it this course's questions. What does it
# do on `max_tokens`? After Ctrl-C? With three calls, of which one fails? Can you see the list that it sends? If you can, `python -m
# grader lint FILE` reads it.
#
# ## What people often believe
#
# - *"A production loop is another kind of loop."* It is chapter 3's, and it knows what can happen.
# - *"The framework takes care of that."* Perhaps. Look at what it sends.
# - *"The formats differ in names only."* They differ in what they can say.
# - *"An agent is the better workflow."* It is the dearer one. Use it where nobody can know the steps.
# - *"It passed all scenarios, so it is right."* It made none of the faults that they look for. `python -m grader check` with another seed
#   plays other words, and your users will play other scenarios.
#
# ## One-minute recall
#
# **1.** The tool runner reaches `max_iterations`. The last results **a** were sent · **b** were not sent · **c** do not exist: no tool
# was run
#
# **2.** `arguments` in the OpenAI shape is **a** a dict · **b** a string of JSON · **c** a list
#
# **3.** Three `tool` messages in a row become **a** one user message · **b** three user messages · **c** one assistant message
#
# **4.** You know all steps beforehand. You write **a** an agent · **b** a workflow · **c** a longer prompt for the agent

# %% tags=["exercise"] exercise="recall-13"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "b", "a", "b"]
# END SOLUTION

# %% tags=["check"] exercise="recall-13"
check("recall-13", recall)

# %% [markdown]
# ## The end
#
# What you have passed, chapter by chapter:

# %%
progress()

# %% [markdown]
# You are no longer the loop. But you know each of its lines, and what happens without it. Take `run_agent` with you: it needs a client, a
# task, some tools, and nothing of this course.
