"""Short ways to write messages, and the histories that more than one test draws."""

EVIL = "</text></svg><script>alert(1)</script><img src=x onerror='alert(2)'>\x1b[31m\x00\ud800\ufffe\u202e&amp;\"]]>"


def user(*content):
    return {
        "role": "user",
        "content": content[0] if len(content) == 1 and isinstance(content[0], str) else list(content),
    }


def assistant(*content):
    return {"role": "assistant", "content": list(content)}


def text(words):
    return {"type": "text", "text": words}


def call(ident, name="get_weather", **arguments):
    return {"type": "tool_use", "id": ident, "name": name, "input": arguments}


def result(ident, content="12 C", **more):
    return {"type": "tool_result", "tool_use_id": ident, "content": content, **more}


def violation(where, rule="P01", name="unanswered-call", severity="refused", saw="The call has no result."):
    return {
        "rule": rule,
        "name": name,
        "severity": severity,
        "where": where,
        "saw": saw,
        "help": "Answer it.",
        "api": None,
    }


def exchange(number, sent, content=None, stop="tool_use", **more):
    """One exchange of a transcript as ``to_dict`` gives it; ``number`` from 0."""
    reply = {
        "role": "assistant",
        "content": content,
        "stop_reason": stop,
        "usage": {"input_tokens": 100, "cache_read_input_tokens": 20, "output_tokens": 7},
    }
    plain = {
        "index": number,
        "request": {"messages": sent},
        "status": 200,
        "kind": "reply",
        "retry": 0,
        "violations": [],
    }
    return plain | {"reply": None if content is None else reply, "error": None} | more


def long_history(turns, words="Step {i}: I read the next file.", output="line of code & more\n" * 20):
    messages = [user("Go through all files.")]
    for i in range(turns):
        messages.append(
            assistant(text(words.replace("{i}", str(i))), call(f"toolu_{i}", "read_file", path=f"src/{i}.py"))
        )
        messages.append(user(result(f"toolu_{i}", output)))
    return messages
