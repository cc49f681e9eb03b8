# %% [markdown]
# # 12. Streaming and async
#
# A long reply takes a minute, and the person in front of the screen sees nothing. A second person waits behind the first, because your
# program waits. **Streaming** shows a reply while it is being written. **Async** lets one program wait for many things at once. Both
# change how your loop waits. Neither changes what it may send: the rules, the history and the gates stay as they are.

# %%
import asyncio
import inspect
import json
import time
from collections import Counter

import anthropic
import httpx2
from grader import MODEL, check, scenario

# %% [markdown]
# ## A reply in pieces
#
# With `stream=True` the API sends **events** instead of one message:

# %%
boat = scenario("ch12-night-boat")
question = {"role": "user", "content": boat.task}
request = {"model": MODEL, "max_tokens": 1024, "tools": boat.tools, "messages": [question]}
events = list(boat.client().messages.create(**request, stream=True))
for event in events:
    part = getattr(event, "delta", None) or getattr(event, "content_block", None)
    print(event.type, getattr(event, "index", ""), part.to_json(indent=None) if part else "")

# %% [markdown]
# | event | what it brings |
# | --- | --- |
# | `message_start` | the message without content, and the input side of `usage` |
# | `content_block_start` | block number `index`, still empty |
# | `content_block_delta` | a piece for block `index`: of a text, of thinking, its signature, or of the JSON of an input |
# | `content_block_stop` | block `index` is complete |
# | `message_delta` | the `stop_reason`, and the output tokens so far: take the last number, don't add them up |
# | `message_stop` | the end. Without it, the reply didn't arrive |
#
# ([Documentation](https://platform.claude.com/docs/en/build-with-claude/streaming)) Look at the two calls. The second one's input comes
# in pieces that are no JSON on their own. The first one's input is an empty text, and nothing more will come: `tide` has no arguments.

# %% tags=["raises-exception"]
json.loads(events[10].delta.partial_json)

# %% [markdown]
# ## Predict
#
# A call's block has stopped, so its JSON is whole. Which event says whether the loop may run it?
#
# **a** this one, `content_block_stop` · **b** `message_delta` · **c** `message_stop`

# %% tags=["exercise"] exercise="when-to-run"
# STUB: when_to_run = ...   # a letter: the event that says it
# BEGIN SOLUTION
when_to_run = "b"
# END SOLUTION

# %% tags=["check"] exercise="when-to-run"
check("when-to-run", when_to_run)

# %% [markdown]
# ## Write it yourself: `assemble`
#
# `assemble(events)` takes the events of one reply and returns its content: the list of its blocks, as dicts.
#
# - `event.content_block.to_dict()` is the block at its start. What stands in it stays, a call's `caller` too.
# - Pieces are called `delta.text`, `delta.thinking`, `delta.signature` and `delta.partial_json`, in deltas of the type `text_delta`,
#   `thinking_delta`, `signature_delta` and `input_json_delta`. Some blocks come whole, without deltas.
# - JSON that was cut off gives `{}`. Such a call isn't run anyway.
# - A stream that ends without `message_stop`: raise `EOFError`.

# %% tags=["exercise"] exercise="assemble"
def assemble(events):
    """The content of a streamed reply. Raises EOFError where the reply isn't whole."""
    # BEGIN SOLUTION
    if not events or events[-1].type != "message_stop":
        raise EOFError("the stream ended before message_stop")
    content, json_texts = [], {}
    for event in events:
        if event.type == "content_block_start":
            content.append(event.content_block.to_dict())
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            json_texts[event.index] = json_texts.get(event.index, "") + event.delta.partial_json
        elif event.type == "content_block_delta":
            key = event.delta.type.removesuffix("_delta")
            content[event.index][key] += getattr(event.delta, key)
    for index, text in json_texts.items():
        try:
            content[index]["input"] = json.loads(text or "{}")
        except ValueError:
            content[index]["input"] = {}
    return content
    # END SOLUTION

# %% [markdown] tags=["hint"]
# One `if` for each event type. `event.index` is the place in your list: `content[event.index]` is the block that the piece belongs to.
# Collect the JSON pieces beside the blocks, in a dict from index to text.

# %% [markdown] tags=["hint"]
# Read the JSON when all pieces are there: `json.loads(text or "{}")`, with a `try` around it. And the last event of a whole
# stream is `message_stop`.
#
# Still stuck? [The solved chapter](../solutions/12_streaming_and_async.ipynb) shows one way.

# %% tags=["check"] exercise="assemble"
check("assemble", assemble)

# %% [markdown]
# ## The helper, and what it leaves to you
#
# From here on the code is async. Some Python first: `async def` makes a **coroutine function**. Calling it runs nothing; it gives a
# *coroutine*, and `await` runs that and hands you its result. Without the `await` you hold a coroutine in place of the reply. While one
# waits, others go on. A **task** is a coroutine that was started and runs beside yours; `gather` makes tasks of all that it is given,
# and waits for them. `async for` and `async with` are `for` and `with` that may wait.
#
# The SDK has all that `assemble` does in `messages.stream`. Here it is with `AsyncAnthropic`: the same methods, and `await` where
# something takes time. (A notebook allows `await` at the top. In a script, put it into an `async def` and start that with `asyncio.run`.)

# %%
async def receive(client, messages, tools, on_text=lambda text: None):
    """One request, streamed. Returns the whole reply; raises where there is none."""
    async with client.messages.stream(model=MODEL, max_tokens=1024, tools=tools, messages=messages) as stream:
        async for text in stream.text_stream:
            on_text(text)
        reply = await stream.get_final_message()
    if reply.stop_reason is None:
        raise EOFError("the stream ended before its stop_reason")
    return reply


client = scenario("ch12-night-boat").async_client()
reply = await receive(client, [question], boat.tools, on_text=lambda text: print(text, end="|"))
print(reply.stop_reason, [block.type for block in reply.content])

# %% [markdown]
# Two things are left to you. A stream that ends early raises nothing in the SDK (2.14): you get a message whose `stop_reason` is `None`;
# `receive` looks. And a line that goes dead in the middle:

# %% tags=["raises-exception"]
try:
    await receive(scenario("ch12-cut-line").async_client(), [question], boat.tools, on_text=print)
except anthropic.APIError:
    print("caught")

# %% [markdown]
# Not caught. `anthropic.APIError` covers the request; while you read, the connection's own error comes through, one of `httpx2`, the
# library under the SDK. A loop that streams catches `(anthropic.APIError, httpx2.HTTPError, EOFError)`. What came is no reply: nothing of it is run or kept, and the history is as
# it was before.
#
# ## Side by side
#
# Two tools at once, with `gather`. One fails. The other one sends a mail and takes a little longer. Predict: `gather` raises, and **what
# happens to the mail?**
#
# **a** it is cancelled · **b** it goes out, and its result is lost · **c** `gather` waits for it, then raises

# %% tags=["exercise"] exercise="lost-siblings"
# STUB: the_mail = ...   # a letter
# BEGIN SOLUTION
the_mail = "b"
# END SOLUTION

# %% tags=["check"] exercise="lost-siblings"
check("lost-siblings", the_mail)

# %%
sent = []


async def boats(evening):
    raise ValueError(f"no boats on {evening}")


async def mail():
    await asyncio.sleep(0.05)
    sent.append("mail")


try:
    await asyncio.gather(boats("Friday"), mail())
except ValueError as error:
    print("ValueError:", error, "| sent:", sent)
await asyncio.sleep(0.2)
print("a moment later:", sent)

# %% [markdown]
# One failed, and the other's result is gone. A loop that now tells the model "all failed" gets the mail sent twice. The cure is chapter
# 6's: `answer` turns an exception into a result *inside* each call. Then `gather` has nothing to raise. This `answer` takes both kinds of
# functions, and keeps a tool's time:

# %%
def failed(call, text):
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


async def answer(call, functions, seconds=30):
    if call.name not in functions:
        return failed(call, f"There is no tool {call.name!r}. There are: {', '.join(functions)}.")
    function = functions[call.name]
    try:
        if inspect.iscoroutinefunction(function):
            output = await asyncio.wait_for(function(**call.input), seconds)
        else:
            output = await asyncio.wait_for(asyncio.to_thread(function, **call.input), seconds)
    except TimeoutError as error:
        return failed(call, f"TimeoutError: {str(error) or f'no answer within {seconds} seconds'}")
    except Exception as error:
        return failed(call, f"{type(error).__name__}: {error}")
    is_blocks = isinstance(output, list) and all(isinstance(item, dict) and "type" in item for item in output)
    content = output if isinstance(output, str) or is_blocks else json.dumps(output, default=str)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


# %% [markdown]
# An ordinary function would stop everything else while it runs, so it goes into a thread.
#
# ## Cancelled
#
# Somebody closes the window, and the server calls `task.cancel()`. Python raises `CancelledError` at the `await` where your loop is
# waiting. It isn't an `Exception`, so no `except Exception` stops it, and that is right: **a cancellation goes on to whoever asked for
# it.** But the calls were asked, so they need results. Which ones? Think of the mail:
#
# - What has returned keeps its output. It happened.
# - What was still running gets an error result: cancelled. Not "not run", for it may have done half of its work.
#
# ## Mend it: `answer_all`
#
# It answers all calls of a reply in one message, appended to `messages`. Until somebody cancels it. (Cancelled, `gather` cancels its
# tasks. With `return_exceptions=True` it also waits until the last of them has ended: some need a moment to close a file.)

# %% tags=["exercise"] exercise="answer-together"
async def answer_all(calls, functions, messages, seconds=30):
    """Run the calls side by side; append one message with a result for each, also when cancelled."""
    # STUB: results = await asyncio.gather(*[answer(call, functions, seconds) for call in calls])
    # STUB: messages.append({"role": "user", "content": results})
    # BEGIN SOLUTION
    tasks = [asyncio.ensure_future(answer(call, functions, seconds)) for call in calls]
    try:
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        results = [
            failed(call, "Cancelled while it ran.") if task.cancelled() else task.result()
            for call, task in zip(calls, tasks, strict=True)
        ]
        messages.append({"role": "user", "content": results})
    # END SOLUTION

# %% [markdown] tags=["hint"]
# `finally` runs in both cases, and lets the cancellation through. What do you need to hold in your hands, so that you can still ask each
# call for its outcome then?

# %% [markdown] tags=["hint"]
# The tasks: `asyncio.ensure_future(answer(…))` makes one, and `gather(*tasks, return_exceptions=True)` waits for them. Behind that,
# `task.cancelled()` and `task.result()` tell what became of each.

# %% tags=["check"] exercise="answer-together"
check("answer-together", answer_all)

# %% [markdown]
# ## Write it yourself: the async twin
#
# Here is the loop that you know, in one function, with every gate:
#
# ```python
# def run_agent(client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3):
#     messages, start, replies, asked = [{"role": "user", "content": task}], time.monotonic(), [], Counter()
#
#     def closed_gate():
#         if len(replies) >= max_turns:
#             return "max_turns"
#         if sum(tokens(reply.usage) for reply in replies) >= token_budget:
#             return "token_budget"
#         return "timeout" if time.monotonic() - start >= timeout_s else None
#
#     while not (status := closed_gate()):
#         try:
#             reply = ask(client, messages, tools)
#         except anthropic.APIError:
#             return "api_error", messages
#         replies.append(reply)
#         if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
#             return reply.stop_reason, messages           # a stopped reply is left out
#         if sendable(reply.content):
#             messages.append({"role": "assistant", "content": reply.content})
#         calls = [block for block in reply.content if block.type == "tool_use"]
#         if not calls and reply.stop_reason != "pause_turn":
#             return "done", messages
#         asked.update((call.name, json.dumps(call.input, sort_keys=True)) for call in calls)
#         status = "repeated_call" if max(asked.values(), default=0) >= max_repeats else closed_gate()
#         if calls and status:
#             messages.append({"role": "user", "content": [failed(call, f"Not run: {status}.") for call in calls]})
#             return status, messages
#         if calls:
#             messages.append({"role": "user", "content": [answer(call, functions, tool_timeout_s) for call in calls]})
#     return status, messages
# ```
#
# Turn it into `run_agent_async`. Let it stream, or not. The grader gives it an `AsyncAnthropic`, and functions of both kinds.

# %%
def tokens(use):
    cached = (use.cache_creation_input_tokens or 0) + (use.cache_read_input_tokens or 0)
    return use.input_tokens + cached + use.output_tokens


def sendable(content):
    if not content or content[-1].type in ("thinking", "redacted_thinking"):
        return False
    return any(block.type != "text" or block.text.strip() for block in content if "thinking" not in block.type)


# %% tags=["exercise"] exercise="async-loop"
async def run_agent_async(
    client, task, tools, functions, max_turns=10, token_budget=200_000, timeout_s=300, tool_timeout_s=30, max_repeats=3
):
    """The same loop, for AsyncAnthropic: calls run side by side, and a cancelled run owes nothing."""
    # BEGIN SOLUTION
    messages, start, replies, asked = [{"role": "user", "content": task}], time.monotonic(), [], Counter()

    def closed_gate():
        if len(replies) >= max_turns:
            return "max_turns"
        if sum(tokens(reply.usage) for reply in replies) >= token_budget:
            return "token_budget"
        return "timeout" if time.monotonic() - start >= timeout_s else None

    while not (status := closed_gate()):
        try:
            reply = await receive(client, messages, tools)
        except (anthropic.APIError, httpx2.HTTPError, EOFError):
            return "api_error", messages
        replies.append(reply)
        if reply.stop_reason not in ("tool_use", "end_turn", "pause_turn"):
            return reply.stop_reason, messages
        if sendable(reply.content):
            messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls and reply.stop_reason != "pause_turn":
            return "done", messages
        asked.update((call.name, json.dumps(call.input, sort_keys=True)) for call in calls)
        status = "repeated_call" if max(asked.values(), default=0) >= max_repeats else closed_gate()
        if calls and status:
            messages.append({"role": "user", "content": [failed(call, f"Not run: {status}.") for call in calls]})
            return status, messages
        if calls:
            await answer_all(calls, functions, messages, tool_timeout_s)
    return status, messages
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Four places change: `async def`; the request is awaited; more can go wrong while a stream is read; and the calls are answered by
# `answer_all`, which appends the message itself.

# %% [markdown] tags=["hint"]
# `reply = await receive(client, messages, tools)`, with `except (anthropic.APIError, httpx2.HTTPError, EOFError)`. And `await
# answer_all(calls, functions, messages, tool_timeout_s)` in place of the last `append`. Everything else stays letter for letter.

# %% tags=["check"] exercise="async-loop"
check("async-loop", run_agent_async)

# %%
scenario("ch12-night-boat").play(run_agent_async)

# %% [markdown]
# To have the list when a run is cancelled, let the caller make it and pass it in, as chapter 9 did.
#
# ## What people often believe
#
# - *"Streaming makes it faster."* The first word comes sooner. The last one comes when it comes.
# - *"Each piece of the input is JSON."* None of them has to be. Join, then read.
# - *"Async makes my code run in parallel."* It waits in parallel. A function that computes for a minute blocks all the others.
# - *"`return_exceptions=True` solves it."* It keeps the siblings, and hands you exceptions as if they were outputs. Each still has to
#   become a result.
# - *"A cancelled call didn't happen."* Ask whoever got the mail. In a thread it even runs on to its end.
#
# ## One-minute recall
#
# **1.** The joined pieces of an input are an empty text. That is **a** an error in the reply · **b** a lost piece · **c** `{}`
#
# **2.** The line goes dead in mid-stream. What comes? **a** `anthropic.APIError` · **b** an `httpx2` error · **c** nothing, the SDK retries
#
# **3.** `gather(a, b, c)`, and `b` raises. `a` and `c` **a** run on · **b** are cancelled · **c** start again
#
# **4.** You catch `CancelledError` to tidy up. Then you **a** go on with the loop · **b** return a status · **c** raise it again

# %% tags=["exercise"] exercise="recall-12"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["c", "b", "a", "c"]
# END SOLUTION

# %% tags=["check"] exercise="recall-12"
check("recall-12", recall)

# %% [markdown]
# ## Next
#
# All parts are on the table. [Chapter 13](13_a_loop_for_production.ipynb) has you put them together from memory, and holds the result
# against what others have built.
