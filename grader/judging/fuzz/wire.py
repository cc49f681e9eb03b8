"""Replies in the exact shape of the API: every key that a current model's reply has (see docs/authoring.md on
scenarios).
"""

from grader.history.models import MODEL

SEARCH_TOOL = {"type": "web_search_20250305", "name": "web_search"}
_CACHED = {"cache_creation_input_tokens": 120, "cache_read_input_tokens": 900}
_PAGE = {
    "type": "web_search_result",
    "title": "A page",
    "url": "https://page.example/",
    "encrypted_content": "EkYKEGRyYXdu",
    "page_age": None,
}


def text(words: str) -> dict:
    return {"type": "text", "text": words}


def thinking(kind: str, key: str) -> dict:
    """A thinking block: "said" with its text, "silent" without it, "redacted". ``key`` tells its signature from
    others.
    """
    if kind == "redacted":
        return {"type": "redacted_thinking", "data": f"data-{key}"}
    return {"type": "thinking", "thinking": "Let me see." if kind == "said" else "", "signature": f"signature-{key}"}


def tool_use(number: int, name: str, input: dict) -> dict:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": input, "caller": {"type": "direct"}}


def search(number: int) -> dict:
    """The call of a tool that the API runs itself."""
    return {
        "type": "server_tool_use",
        "id": f"srvtoolu_{number}",
        "name": "web_search",
        "input": {"query": f"page {number}"},
    }


def search_result(number: int) -> dict:
    id = f"srvtoolu_{number}"
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": [dict(_PAGE)], "caller": {"type": "direct"}}


def message(number: int, reason: str, content: list[dict], *, cached: bool = False) -> dict:
    """The ``number``-th reply. Its input grows with the conversation; ``cached`` moves part of it to the cache
    counts.
    """
    return {
        "model": MODEL,
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": "END" if reason == "stop_sequence" else None,
        "stop_details": _refused() if reason == "refusal" else None,
        "usage": _usage(number, content, cached),
    }


def _refused() -> dict:
    return {"type": "refusal", "category": "cyber", "explanation": "This cannot be answered."}


def _usage(number: int, content: list[dict], cached: bool) -> dict:
    thought = 20 * sum(block["type"].endswith("thinking") for block in content)
    return {
        "input_tokens": 400 + 70 * number,
        **(_CACHED if cached else dict.fromkeys(_CACHED, 0)),
        "cache_creation": {
            "ephemeral_5m_input_tokens": _CACHED["cache_creation_input_tokens"] if cached else 0,
            "ephemeral_1h_input_tokens": 0,
        },
        "output_tokens": 5 + 30 * len(content) + thought,
        "output_tokens_details": {"thinking_tokens": thought},
        "service_tier": "standard",
        "inference_geo": "global",
    }


def cut_inside_last_call(events: list[dict]) -> list[dict]:
    """The events of a whole stream, with half of the JSON of the last call."""
    deltas = [i for i, event in enumerate(events) if event["data"].get("delta", {}).get("partial_json")]
    last = max(events[i]["data"]["index"] for i in deltas)
    of_last = [i for i in deltas if events[i]["data"]["index"] == last]
    gone = set(of_last[(len(of_last) + 1) // 2 :])
    return [event for i, event in enumerate(events) if i not in gone]


def broken_off(events: list[dict], after: int, says: bool) -> list[dict]:
    """The first events of a stream: at least its start, never its end. ``says``: then an error event."""
    end = next(i for i, event in enumerate(events) if event["event"] == "message_delta")
    kept = events[: max(1, min(after, end))]
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    return [*kept, {"event": "error", "data": error}] if says else kept
