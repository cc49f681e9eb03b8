"""Values in words for the feedback on functions: arguments, results, messages and blocks as a person would name them."""

from grader.history.plain import UNSENDABLE, plain
from grader.judging.exercises.events import is_stream, shown_stream
from grader.judging.pieces import brief, number


def shown_case(case: dict) -> str:
    """A case's arguments as a person would name them: special values by what they are."""
    return ", ".join(
        [
            *map(shown_value, case.get("args", [])),
            *(f"{key}={shown_value(value)}" for key, value in case.get("kwargs", {}).items()),
        ]
    )


def shown_value(value) -> str:
    """One argument as a person would name it."""
    if isinstance(value, dict):
        if value.get("$message", {}).get("stop_reason"):
            kinds = ", ".join(block["type"] for block in value["$message"]["content"])
            return f"a reply: {value['$message']['stop_reason']}, [{kinds}]"
        for key, words in (
            ("$block", "a block"),
            ("$message", "a reply"),
            ("$function", "a function"),
            ("$folder", "a folder"),
        ):
            if key in value:
                return words
        if value and all(isinstance(item, dict) and "$function" in item for item in value.values()):
            return "{" + ", ".join(value) + "}"
    if is_stream(value):
        return shown_stream(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) and "$block" in item for item in value):
        return f"[{', '.join(str(item['$block'].get('name') or item['$block'].get('type')) for item in value)}]"
    if isinstance(value, list) and value and all(isinstance(item, dict) and "role" in item for item in value):
        return f"[{', '.join(map(_message, value))}]"
    return brief(value, 300 if isinstance(value, list) else 60)


def _message(message: dict) -> str:
    """A message in a few words: its role, and each block by its type and id."""
    content = message.get("content")
    if message.get("tool_calls"):
        said = [] if content is None else [repr(brief(content, 40))]
        return f"{message['role']}: " + " + ".join(
            [*said, *(f"call {call.get('id')}" for call in message["tool_calls"])]
        )
    if not isinstance(content, list):
        return f"{message['role']}: {brief(content, 40)!r}"
    return f"{message['role']}: {' + '.join(map(_block, content))}"


def _block(block) -> str:
    if not isinstance(block, dict):
        return brief(block, 40)
    block = block.get("$block", block)
    words = block.get("id") or block.get("tool_use_id") or brief(block.get("text", ""), 40)
    return f"{block.get('type')} {words}".rstrip()


def said(value) -> str:
    """What a learner's function gave, or what it should have given, in a few words."""
    if type(value) in (int, float, bool, type(None)):
        return number(value)
    if isinstance(value, (set, frozenset)):
        return f"the set {brief(str(value), 120)}"
    data = plain(value)[0]
    if data is UNSENDABLE:
        return f"a {type(value).__name__} object"
    text = brief(data, 120)
    return (
        (f"“{text}”" if text else "an empty text")
        if isinstance(data, str)
        else text.replace(f'"{UNSENDABLE!r}"', "something that is no JSON")
    )
