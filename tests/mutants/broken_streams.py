"""Faults with a stream that breaks, and with a call that is cut inside its JSON."""

from functools import partial

from mutants.mutant import Mutant as AnyMutant

Mutant = partial(AnyMutant, base="reference_stream.py")

WHOLE = """    if not reply.complete:
        raise StreamBroke
"""

MUTANTS = [
    Mutant(
        "broken-stream-escapes",
        "G06",
        "gates",
        "a stream that breaks raises an error that is no anthropic.APIError",
        [("except (anthropic.APIError, httpx2.HTTPError, StreamBroke):", "except (anthropic.APIError, StreamBroke):")],
    ),
    Mutant(
        "broken-stream-appended",
        "L16",
        "gates",
        "what came of a broken stream goes into the history",
        [
            (
                """        for event in events:
            reply.take(event)
""",
                """        try:
            for event in events:
                reply.take(event)
        except httpx2.HTTPError:
            pass
""",
            ),
            (
                WHOLE,
                """    if not reply.complete:
        messages.append({"role": "assistant", "content": reply.content})
        raise StreamBroke
""",
            ),
        ],
    ),
    Mutant(
        "broken-stream-taken-for-whole",
        "L14",
        "gates",
        "what came of a broken stream counts as a reply",
        [
            (
                """        for event in events:
            reply.take(event)
""",
                """        try:
            for event in events:
                reply.take(event)
        except httpx2.HTTPError:
            pass
""",
            ),
            (
                WHOLE,
                """    reply.stop_reason = reply.stop_reason or "end_turn"
""",
            ),
        ],
    ),
    Mutant(
        "broken-stream-tried-again",
        "L14",
        "gates",
        "a broken stream is asked for again",
        [
            (
                """        except (anthropic.APIError, httpx2.HTTPError, StreamBroke):
            return "api_error", messages
""",
                """        except httpx2.HTTPError:
            reply = read_reply(client, messages, tools)
        except (anthropic.APIError, StreamBroke):
            return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "cut-json-crashes",
        "L17",
        "resume",
        "a call that is cut inside its JSON makes the parser raise",
        [
            (
                """        try:
            block["input"] = json.loads(written)
        except ValueError:
            block["input"] = {}
""",
                """        block["input"] = json.loads(written)
""",
            )
        ],
    ),
    Mutant(
        "cut-json-kept-as-text",
        ("L16", "P08"),
        "resume",
        "the half JSON of a cut call is kept as its input",
        [
            (
                """        except ValueError:
            block["input"] = {}
""",
                """        except ValueError:
            block["input"] = written
""",
            )
        ],
    ),
]
