"""Short ways to write the messages of the rules' examples."""

from grader.history.models import MODEL

TASK = {"role": "user", "content": "What is the weather in Oslo?"}


def request(*messages, model=MODEL, **rest) -> dict:
    """A request with these messages."""
    return {"model": model, "max_tokens": 1024, "messages": list(messages), **rest}


def user(*content) -> dict:
    """A user message: one string, or blocks."""
    return {"role": "user", "content": _content(content)}


def assistant(*content) -> dict:
    """An assistant message: one string, or blocks."""
    return {"role": "assistant", "content": _content(content)}


def text(words: str, **extra) -> dict:
    return {"type": "text", "text": words, **extra}


def call(id="toolu_01", city="Oslo", **extra) -> dict:
    return {"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": city}, **extra}


def result(id="toolu_01", content="12 C, cloudy", **extra) -> dict:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **extra}


def thinking(words="The user wants the weather.", signature="EqQBCkYIBxgC", **extra) -> dict:
    return {"type": "thinking", "thinking": words, "signature": signature, **extra}


def search(id="srvtoolu_01") -> dict:
    return {"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "weather Oslo"}}


def search_result(id="srvtoolu_01") -> dict:
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": []}


def image(data="iVBORw0KGgo=", media_type="image/png") -> dict:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def _content(content):
    return content[0] if len(content) == 1 and isinstance(content[0], str) else list(content)
