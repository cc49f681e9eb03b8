# %% [markdown]
# # 6. Errors are answers
#
# Greenhouse 4 is cold. Your loop from chapter 5 takes care of it, and the second cell fails on purpose. Read its last line. What stands
# above it in files that you don't know belongs to the tool.

# %%
import json

import anthropic
from grader import MODEL, check, scenario, show


def ask(client, messages, tools):
    """One request with the whole history."""
    return client.messages.create(model=MODEL, max_tokens=1024, tools=tools, messages=messages)


def fragile_answer(block, functions):
    output = functions[block.name](**block.input)
    return {"type": "tool_result", "tool_use_id": block.id, "content": output}


def fragile(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        results = [fragile_answer(block, functions) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})


greenhouse = scenario("ch06-greenhouse")
print(greenhouse.task)

# %% tags=["raises-exception"]
fragile(greenhouse.client(), greenhouse.task, greenhouse.tools, greenhouse.functions)

# %% [markdown]
# The tool said no, and the program is gone. The orchids are still cold. And if somebody saved the history before the crash, it ends with an open
# call, and each request made from it is a 400. Calls left open by a crash or an interrupt lead the faults in the 212 public bug reports that were read for
# this course.
#
# Look at what was lost: `house 4 allows 12 to 26 degrees`. It is all that the model would have needed. It never got to read it.
#
# ## An error is an answer
#
# To the model a failed call is news like any other: it reads it and tries something else. So catch the exception, and send its text as the result, with
# one more key: `is_error`.

# %%
greenhouse = scenario("ch06-greenhouse")
client = greenhouse.client()
messages = [{"role": "user", "content": greenhouse.task}]
reply = ask(client, messages, greenhouse.tools)
call = reply.content[-1]
try:
    answered = fragile_answer(call, greenhouse.functions)
except Exception as error:
    text = f"{type(error).__name__}: {error}"
    answered = {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}
messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [answered]}]
show(messages)

# %%
show(ask(client, messages, greenhouse.tools))

# %% [markdown]
# The model mended its own call. You wrote no line about temperatures.
#
# Write `except Exception`, not a bare `except`: that would also swallow Ctrl-C, and you could no longer stop your program.
#
# ## Words that help
#
# Why the type and the text? Look at what `str` makes of some exceptions:

# %%
for error in (ValueError("house 4 allows 12 to 26 degrees"), KeyError("orchid"), TimeoutError()):
    print(f"{str(error)!r:36} {type(error).__name__}: {error}")

# %% [markdown]
# A `KeyError` is nothing but the key, and some exceptions say nothing at all. An empty error is even refused:

# %%
def send(result):
    """Send a result for the call above; print what the API says."""
    try:
        history = [*messages[:2], {"role": "user", "content": [{**answered, **result}]}]
        ask(scenario("ch06-greenhouse").client(), history, greenhouse.tools)
        print("accepted")
    except anthropic.BadRequestError as refusal:
        print(refusal.body["error"]["message"])


send({"content": ""})

# %% [markdown]
# "Something went wrong" is accepted, and is as good as nothing: the model can only guess, or make the same call again. Give it what you would want to read
# yourself.
#
# ## Predict: is it an error?
#
# `is_error` says that *the call* did not work. For each of these, does the result carry `is_error: True`? Answer `"yes"` or `"no"`.
#
# 1. `search("orchid")` returns `"no results"`
# 2. the model calls `set_light`; there is no function of that name
# 3. `delete_note(3)` returns `""`
# 4. the model leaves out `degrees`, so Python raises a TypeError
# 5. `read_log()` returns `"02:14 ERROR pump stopped"`

# %% tags=["exercise"] exercise="is-it-an-error"
# STUB: marked = ...   # five times "yes" or "no": ["yes", …]
# BEGIN SOLUTION
marked = ["no", "yes", "no", "yes", "no"]
# END SOLUTION

# %% [markdown] tags=["hint"]
# Ask of each: did the function run and come back? Then the result is what it returned, whatever that text tells.

# %% tags=["check"] exercise="is-it-an-error"
check("is-it-an-error", marked)

# %% [markdown]
# ## The wrong diagnosis
#
# A name that isn't in `functions` gives a KeyError. An input that doesn't fit gives a TypeError. So this loop catches these two. It was written by a careful
# person, and it lies. Find out when, and mend it.

# %% tags=["exercise"] exercise="fix-key-error"
def run_agent_key_error(client, task, tools, functions):
    def answer(block):
        result = {"type": "tool_result", "tool_use_id": block.id}
        # STUB: try:
        # STUB:     return {**result, "content": functions[block.name](**block.input)}
        # STUB: except KeyError:
        # STUB:     text = f"There is no tool named {block.name}."
        # STUB: except TypeError:
        # STUB:     text = f"Wrong arguments for {block.name}."
        # STUB: except Exception as error:
        # STUB:     text = f"{type(error).__name__}: {error}"
        # BEGIN SOLUTION
        if block.name not in functions:
            return {**result, "content": f"There is no tool named {block.name}.", "is_error": True}
        try:
            return {**result, "content": functions[block.name](**block.input)}
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        # END SOLUTION
        return {**result, "content": text, "is_error": True}

    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        results = [answer(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})

# %% [markdown] tags=["hint"]
# The tool itself is Python code too, and runs inside that `try`. What if *it* looks up a missing key, or adds a text to a number?

# %% [markdown] tags=["hint"]
# Ask `if block.name not in functions` before the `try`. For everything else one `except Exception` is enough, as long as the text says what the exception says:
# Python's TypeError already names the argument that is missing.

# %% tags=["check"] exercise="fix-key-error"
check("fix-key-error", run_agent_key_error)

# %% [markdown]
# ## One try for all
#
# Several calls in a reply, and one of them fails. This loop answers them all. What does it tell the model?

# %% tags=["exercise"] exercise="fix-one-try"
def run_agent_one_try(client, task, tools, functions):
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        calls = [block for block in reply.content if block.type == "tool_use"]
        # STUB: try:
        # STUB:     results = [fragile_answer(call, functions) for call in calls]
        # STUB: except Exception as error:
        # STUB:     text = f"{type(error).__name__}: {error}"
        # STUB:     results = [{"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True} for call in calls]
        # BEGIN SOLUTION
        results = []
        for call in calls:
            try:
                results.append(fragile_answer(call, functions))
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                results.append({"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True})
        # END SOLUTION
        messages.append({"role": "user", "content": results})

# %% [markdown] tags=["hint"]
# The calls before the failing one have done their work, and the model is told that they failed. Those after it never ran. Put the `try` inside the `for`.

# %% tags=["check"] exercise="fix-one-try"
check("fix-one-try", run_agent_one_try)

# %% [markdown]
# ## What a result may hold
#
# A text, or a list of content blocks: a tool that returns a picture returns `[{"type": "image", …}]`, and that list goes in as it is. A tool that returns a
# dict looks fine in Python. What does the API say?

# %%
send({"content": {"degrees": 26}, "is_error": False})
send({"content": json.dumps({"degrees": 26}), "is_error": False})

# %% [markdown]
# So write anything else out as text, with `json.dumps` or `str`. An error is text, always: blocks of other types are refused in it.
#
# And an output of 200,000 characters? Send it whole. A loop that cuts it in silence makes the model believe that it has seen everything. If it is too much, let
# the *tool* return less, and say so in its text. Chapter 11 builds one.
#
# ## Write it yourself: `answer`
#
# `answer(block, functions)` from chapter 2, grown up. It always returns a tool_result block and never raises:
#
# | what happens | content | `is_error` |
# | --- | --- | --- |
# | the function returns a str or a list of blocks | that, as it is | not there |
# | it returns something else | that as text; for `None` an empty text | not there |
# | it raises, also because the input doesn't fit | the type and the text of the exception | `True` |
# | there is no such function | a text with the name in it | `True` |

# %% tags=["exercise"] exercise="answer-safely"
def answer(block, functions):
    """Run what a tool_use block asks for; return a tool_result block, whatever happens."""
    # BEGIN SOLUTION
    result = {"type": "tool_result", "tool_use_id": block.id}
    if block.name not in functions:
        names = ", ".join(functions)
        return {**result, "content": f"There is no tool named {block.name}. There are: {names}.", "is_error": True}
    try:
        output = functions[block.name](**block.input)
        if output is None:
            output = ""
        if not isinstance(output, str | list):
            output = json.dumps(output, default=str)
        return {**result, "content": output}
    except Exception as error:
        return {**result, "content": f"{type(error).__name__}: {error}", "is_error": True}
    # END SOLUTION

# %% [markdown] tags=["hint"]
# Three questions in order. Is there a function of this name? Does it come back? Is its output something that a result may hold?

# %% [markdown] tags=["hint"]
# The first question is an `if`, the second a `try` with `except Exception as error`, the third an `isinstance(output, str | list)`. Three `return`s,
# two of them with `"is_error": True`.
#
# Still stuck? [The solved chapter](../solutions/06_errors_are_answers.ipynb) shows one way.

# %% tags=["check"] exercise="answer-safely"
check("answer-safely", answer)

# %% [markdown]
# ## Write it yourself: the loop
#
# `fragile`, from the top, with your `answer` in it. One word changes. If you feel like it, write the whole loop from memory, threads included.

# %% tags=["exercise"] exercise="errors"
def run_agent(client, task, tools, functions):
    """Run tools until the model asks for none; every call is answered, also one that fails."""
    # BEGIN SOLUTION
    messages = [{"role": "user", "content": task}]
    while True:
        reply = ask(client, messages, tools)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return "done", messages
        results = [answer(block, functions) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
    # END SOLUTION

# %% tags=["check"] exercise="errors"
check("errors", run_agent)

# %% [markdown]
# ## What people often believe
#
# - *"An exception in a tool is a bug in the agent."* It is a result. The loop that lets it through is the bug.
# - *"Don't show errors to the model, it gets confused."* Without the text it can only repeat the call, or guess.
# - *"`is_error` makes the API retry."* The API runs nothing, so it retries nothing. It is a word to the model. The [documentation](https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls)
#   asks for texts that say what went wrong and what to try.
# - *"The content of a result must be a string."* A list of blocks is as good. A dict or a number is not.
# - *"No results found" is an error.* The search worked, and that is what it found.
#
# ## One-minute recall
#
# **1.** A tool raises. What becomes of the call? **a** it is left out of the history · **b** it gets a result with `is_error` · **c** it is run once more
#
# **2.** What catches too much? **a** `except Exception` · **b** `except:` · **c** `except ValueError`
#
# **3.** A KeyError reaches your `except`. What do you know? **a** the tool's name is unknown · **b** an argument is missing · **c** that some key was missing somewhere
#
# **4.** One of three calls fails. How many results say `is_error`? **a** one · **b** three · **c** none

# %% tags=["exercise"] exercise="recall-6"
# STUB: recall = ...   # four letters, such as ["a", "a", "a", "a"]
# BEGIN SOLUTION
recall = ["b", "b", "c", "a"]
# END SOLUTION

# %% tags=["check"] exercise="recall-6"
check("recall-6", recall)

# %% [markdown]
# ## Next
#
# Your loop asks one question about `stop_reason`: is it `tool_use`? Everything else it calls `"done"`. There are six other reasons, and after four of
# them the work is not done. Chapter 7 goes through them.
