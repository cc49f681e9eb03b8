"""P, second part: the shape of one call and of one result."""

import re

from grader.history.blocks import ALLOWED
from grader.history.conversation import describe
from grader.history.examples import TASK, assistant, call, image, request, result, text, user
from grader.history.plain import UNSENDABLE
from grader.history.rule import found, rule

_ID = r"[a-zA-Z0-9_-]+"
_IN_RESULTS = ("text", "image", "document", "search_result", "tool_reference", "browser_state")
_WRONG_TAG = (
    "{at}: Input tag '{type}' found using 'type' does not match any of the expected tags: "
    "'browser_state', 'document', 'image', 'search_result', 'text', 'tool_reference'"
)


@rule(
    "P07",
    "bad-call-id",
    severity="refused",
    chapter=2,
    api="{at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    good=request(TASK, assistant(call("call_1")), user(result("call_1"))),
    bad=request(TASK, assistant(call("call:1")), user(result("call:1"))),
    sources=("public issues", "recorded: 104 accepted ids that don't begin with toolu_"),
)
def bad_call_id(conversation):
    """The id of a call is made of letters, digits, `_` and `-`.

    Any such id is fine, it need not begin with `toolu_`. Ids made up by other services may hold dots, colons or nothing
    at all.

    Keep the id that the API gave. If you make ids yourself, use letters, digits, `_` and `-` only.
    """
    for block in conversation.of_type("tool_use"):
        id = block.text("id")
        if id is not None and not re.fullmatch(_ID, id):
            saw = f"The call has the id {id!r}." if id else "The call has an empty id."
            yield found(block.place, saw, "Use only letters, digits, `_` and `-`, and the same id in its result.")


@rule(
    "P08",
    "input-not-object",
    severity="refused",
    chapter=2,
    api="{at}.{type}.input: Input should be a valid dictionary",
    good=request(TASK, assistant(call(input={"city": "Oslo"})), user(result())),
    bad=request(TASK, assistant(call(input='{"city": "Oslo"}')), user(result())),
    sources=("public issues", "SDK types: input is a Dict"),
)
def input_not_object(conversation):
    """The `input` of a call is an object, not JSON text and not a list.

    In a stream the input arrives as pieces of text; a loop that joins them and forgets to parse them stores a string. A
    tool without arguments has the input `{}`.

    Parse the joined text once, at the end of the block: `json.loads(text or "{}")`.
    """
    for block in conversation.of_type("tool_use", "server_tool_use", "mcp_tool_use"):
        input = block.data.get("input", UNSENDABLE)
        if input is not UNSENDABLE and not isinstance(input, dict):
            saw = f"The input of `{block.text('name')}` ({block.text('id')}) is {describe(input)}, not an object."
            yield found(block.place, saw, "Send the input as an object; for no arguments, send {}.", type=block.type)


@rule(
    "P09",
    "block-in-wrong-role",
    severity="refused",
    chapter=1,
    good=request(TASK, assistant(call()), user(result())),
    bad=request(TASK, assistant(call()), assistant(result()), user("Well?")),
    sources=("published probe",),
)
def block_in_wrong_role(conversation):
    """A `tool_use` stands in an assistant message, a `tool_result` in a user message.

    The call is what the model said. The result is what you say back, although no human typed it: its role is `user`.

    Append the reply as `{"role": "assistant", "content": reply.content}`, then the results as `{"role": "user",
    "content": results}`.
    """
    for type, home in (("tool_use", "assistant"), ("tool_result", "user")):
        for block in conversation.of_type(type):
            if block.role in ("user", "assistant") and block.role != home:
                api = f"messages.{{i}}: `{type}` blocks can only be in `{home}` messages"
                saw = f"A `{type}` block stands in {'an' if block.role == 'assistant' else 'a'} {block.role} message."
                yield found(block.place, saw, f"Put it into a message with the role `{home}`.", api=api)


@rule(
    "P10",
    "result-without-id",
    severity="refused",
    chapter=2,
    api="{at}.tool_result.tool_use_id: Field required",
    good=request(TASK, assistant(call("toolu_01")), user(result("toolu_01"))),
    bad=request(TASK, assistant(call("toolu_01")), user({"type": "tool_result", "content": "12 C"})),
    sources=("published probe", "public issues"),
)
def result_without_id(conversation):
    """A `tool_result` says in `tool_use_id` which call it answers.

    Results are matched by id, never by order. An error branch that has lost the call often builds a result without an
    id.

    Copy the `id` of the `tool_use` block into `tool_use_id`.
    """
    for block in conversation.of_type("tool_result"):
        id = block.data.get("tool_use_id")
        if id is None:
            yield found(block.place, "This result has no `tool_use_id`.", "Copy the id of its call into `tool_use_id`.")
        elif id == "":
            api = "{at}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'"
            yield found(
                block.place, "The `tool_use_id` of this result is empty.", "Copy the id of its call into it.", api=api
            )


def _errors(conversation):
    return (block for block in conversation.of_type("tool_result") if block.data.get("is_error") is True)


@rule(
    "P11",
    "error-result-not-text",
    severity="refused",
    chapter=6,
    api="{at}.tool_result: all content must be type 'text' if 'is_error' is true",
    good=request(TASK, assistant(call()), user(result(content=[text("No such city.")], is_error=True))),
    bad=request(TASK, assistant(call()), user(result(content=[text("It failed."), image()], is_error=True))),
    sources=("public issues", "a report with the error text"),
)
def error_result_not_text(conversation):
    """A result with `is_error: true` holds text only.

    A screenshot of what went wrong is welcome, but not inside the error result.

    Send the text in the error result, and the image as a block after all results.
    """
    for block in _errors(conversation):
        other = next((inner for inner in block.inner() if inner.type not in ("text", None)), None)
        if other:
            saw = f"The error result for {block.text('tool_use_id')} holds a block of type `{other.type}`."
            yield found(block.place, saw, "Keep only text in it; other blocks may follow after the results.")


@rule(
    "P12",
    "error-result-empty",
    severity="refused",
    chapter=6,
    api="{at}.tool_result: content cannot be empty if `is_error` is true",
    good=request(
        TASK, assistant(call()), user(result(content="The command failed and printed nothing.", is_error=True))
    ),
    bad=request(TASK, assistant(call()), user(result(content="", is_error=True))),
    sources=("public issues", "a report with the error text"),
)
def error_result_empty(conversation):
    """A result with `is_error: true` says what went wrong: its content is not empty.

    `str(error)` is empty for an exception raised without a message, and a failing command may print nothing.

    Add the exception's type, or a sentence of your own.
    """
    for block in _errors(conversation):
        content = block.data.get("content")
        texts = [inner.text("text") for inner in block.inner()]
        if content in (None, "", []) or (texts and all(text == "" for text in texts)):
            saw = f"The error result for {block.text('tool_use_id')} is empty."
            yield found(block.place, saw, "Say in words what went wrong, for example with the exception's type.")


@rule(
    "P16",
    "result-content-shape",
    severity="refused",
    chapter=2,
    api="{at}.tool_result.content: Input should be a valid list",
    good=request(TASK, assistant(call()), user(result(content='{"celsius": 12}'))),
    bad=request(TASK, assistant(call()), user(result(content={"celsius": 12}))),
    sources=("SDK types: content is a str or a list of blocks", "public issues"),
)
def result_content_shape(conversation):
    """The content of a `tool_result` is a string or a list of blocks such as text and images, not an object and not a
    number.

    A Python function may return anything; the API takes text or blocks. Calls, thinking and other results can't stand
    in a result.

    Turn other values into text: `json.dumps(value)` or `str(value)`.
    """
    for block in conversation.of_type("tool_result"):
        content = block.data.get("content")
        if content is not None and content is not UNSENDABLE and not isinstance(content, (str, list)):
            saw = f"The content of the result for {block.text('tool_use_id')} is {describe(content)}."
            yield found(block.place, saw, "Make it a string, for example with `json.dumps`.")
        for inner in block.inner():
            if inner.type in ALLOWED and inner.type not in _IN_RESULTS:
                saw = f"A `{inner.type}` block stands inside the result for {block.text('tool_use_id')}."
                yield found(
                    inner.place, saw, "Put text, images or documents into a result.", api=_WRONG_TAG, type=inner.type
                )
