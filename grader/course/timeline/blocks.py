"""One content block, put into words: its type, its name, its text, and its part in the pairing of calls and results."""

from dataclasses import dataclass

from grader.course.timeline.plain import as_json, clean

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


@dataclass(frozen=True)
class Described:
    """``part``: "call", "result" or "" in the pairing; ``ident``: the id that pairs them, None where there is none."""

    head: str
    title: str = ""
    text: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    part: str = ""
    ident: str | None = None
    server: bool = False
    error: bool = False


def describe(block) -> Described:
    """Any plain value that stands where a content block should stand."""
    if not isinstance(block, dict):
        return Described("not a block", text=clean(block))
    kind = block.get("type")
    if not isinstance(kind, str):
        return Described("block without type", text=clean(as_json(block)))
    if kind in _CALLS:
        return _call(kind, block)
    if kind == "tool_result" or kind.endswith("_tool_result"):
        return _result(kind, block)
    return Described(clean(kind, 60), text=clean(_body(kind, block)), notes=_extras(kind, block))


def _call(kind: str, block: dict) -> Described:
    ident = block.get("id")
    notes = [("id", _ident_text(ident))]
    if isinstance(block.get("server_name"), str):
        notes.append(("server", clean(block["server_name"], 200)))
    return Described(
        kind,
        title=clean(block.get("name", "(no name)"), 200),
        text=clean(as_json(block.get("input"))) if "input" in block else "(no input)",
        notes=(*notes, *_extras(kind, block)),
        part="call",
        ident=ident if isinstance(ident, str) else None,
        server=kind != "tool_use",
    )


def _result(kind: str, block: dict) -> Described:
    ident = block.get("tool_use_id")
    error = block.get("is_error") is True or _is_server_error(block.get("content"))
    return Described(
        clean(kind, 60),
        title="is_error" if block.get("is_error") is True else "",
        text=clean(_flat(block["content"])) or "(empty)" if "content" in block else "(no content)",
        notes=(("tool_use_id", _ident_text(ident)), *_extras(kind, block)),
        part="result",
        ident=ident if isinstance(ident, str) else None,
        server=kind != "tool_result",
        error=error,
    )


def _is_server_error(content) -> bool:
    return isinstance(content, dict) and str(content.get("type", "")).endswith("_error")


def _ident_text(ident) -> str:
    return "(missing)" if ident is None else clean(ident, 200)


def _extras(kind: str, block: dict) -> tuple[tuple[str, str], ...]:
    """What a reader wants to know of a block beside its content."""
    notes = []
    if kind == "thinking":
        signature = block.get("signature")
        notes.append(("signature", clean(signature, 40) if signature else "(missing)"))
    if block.get("cache_control") is not None:
        notes.append(("cache_control", clean(as_json(block["cache_control"]), 100)))
    return tuple(notes)


def _body(kind: str, block: dict) -> str:
    if kind == "text":
        text = block.get("text", "(no text)")
        return "(empty text)" if text == "" else text if isinstance(text, str) else as_json(text)
    if kind == "thinking":
        return _as_text(block.get("thinking")) or "(no text, only the signature)"
    if kind == "redacted_thinking":
        return f"{len(_as_text(block.get('data'))):,} characters of encrypted thinking"
    if kind in ("image", "document"):
        return _source(block)
    return as_json({key: value for key, value in block.items() if key != "type"})


def _source(block: dict) -> str:
    """An image or a document without its data: nobody reads base64."""
    source = block.get("source")
    if not isinstance(source, dict) or not isinstance(source.get("data"), str) or source.get("type") == "text":
        return as_json({key: value for key, value in block.items() if key != "type"})
    media = _as_text(source.get("media_type")) or "data"
    return f"{media}, {len(source['data']):,} characters of {_as_text(source.get('type'))}"


def _flat(content) -> str:
    """The content of a result as text: blocks one below the other."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return as_json(content)
    return "\n".join(_flat_block(block) for block in content)


def _flat_block(block) -> str:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return as_json(block)
    return _body("text", block) if block["type"] == "text" else f"[{block['type']}] {_body(block['type'], block)}"


def _as_text(value) -> str:
    return value if isinstance(value, str) else "" if value is None else as_json(value)
