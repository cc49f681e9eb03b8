"""R, third part: the keys of content blocks, also of those inside a result."""

from grader.history.blocks import ALLOWED, FOREIGN, REQUIRED, STRINGS
from grader.history.conversation import describe
from grader.history.examples import TASK, assistant, call, image, request, result, text, user
from grader.history.plain import UNSENDABLE
from grader.history.rule import found, rule

_TOLD_ELSEWHERE = {"tool_use_id": "P10", "signature": "T02"}


@rule(
    "R11",
    "block-not-object",
    severity="refused",
    chapter=1,
    api="{at}: Input should be an object",
    good=request(user(text("Hello"))),
    bad=request(user(text("Hello"), "again")),
    sources=("published probe", "SDK types"),
)
def block_not_object(conversation):
    """Each entry of a content list is an object with a `type`.

    A string alone may be the whole content, but not an entry of the list.

    Write `{"type": "text", "text": "..."}`.
    """
    for block in conversation.all_blocks:
        if block.whole and block.whole[0] is not UNSENDABLE:
            nested = isinstance(block.whole[0], list)
            help = 'Write {"type": "text", "text": ...} for text.'
            if nested:
                help = "Put its blocks into the content itself, without a list around them."
            yield found(block.place, f"This entry of the content is {describe(block.whole[0])}.", help)
        elif not block.whole and block.type is None and block.data.get("type") is not UNSENDABLE:
            api = "{at}.type: Field required"
            yield found(
                block.place, "This block has no `type`.", "Say in `type` what it is, for example text.", api=api
            )


@rule(
    "R12",
    "foreign-block",
    severity="refused",
    chapter=1,
    api="{at}: Input tag '{type}' found using 'type' does not match any of the expected tags: "
    "'document', 'image', 'text', 'tool_result', 'tool_use', ...",
    good=request(user(text("What is this?"), image())),
    bad=request(user(text("What is this?"), {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}})),
    sources=("public issues with the error text",),
)
def foreign_block(conversation):
    """A block has a type of this API.

    `image_url`, `input_text`, `function_call` and others belong to other APIs. A message that is passed on from one of
    them has to be rewritten.

    Use the type that this API has for it.
    """
    for block in conversation.all_blocks:
        if block.type in FOREIGN:
            help = f"Use a block of type {FOREIGN[block.type]}."
            yield found(block.place, f"`{block.type}` is a block type of another API.", help, type=block.type)


def _missing(block):
    if block.type in REQUIRED:
        return next(
            (key for key in sorted(REQUIRED[block.type]) if key not in block.data and key not in _TOLD_ELSEWHERE), None
        )
    return None


@rule(
    "R13",
    "block-key-missing",
    severity="refused",
    chapter=1,
    api="{at}.{type}.{key}: Field required",
    good=request(user(text("Hello"))),
    bad=request(user({"type": "text", "content": "Hello"})),
    sources=("public issues", "SDK types: required keys"),
)
def block_key_missing(conversation):
    """A block has all keys that its type needs.

    A text block has `text`, a call has `id`, `name` and `input`, an image has `source`.

    Add the key that is missing.
    """
    for block in conversation.all_blocks:
        if key := _missing(block):
            help = f"Add `{key}` to it."
            yield found(block.place, f"This `{block.type}` block has no `{key}`.", help, type=block.type, key=key)


def _not_a_string(block):
    keys = STRINGS.get(block.type, ())
    if block.type == "tool_result":
        keys = ("tool_use_id",) if block.data.get("tool_use_id") is not None else ()
    values = ((key, block.data.get(key, UNSENDABLE)) for key in keys)
    return next((key for key, value in values if value is not UNSENDABLE and not isinstance(value, str)), None)


@rule(
    "R14",
    "block-value-type",
    severity="refused",
    chapter=1,
    api="{at}.{type}.{key}: Input should be a valid string",
    good=request(user(text("12"))),
    bad=request(user(text(12))),
    sources=("public issues", "SDK types"),
)
def block_value_type(conversation):
    """Texts, ids and names are strings.

    The API does not turn a number or a list into text for you.

    Convert the value with `str(...)` or `json.dumps(...)`.
    """
    for block in conversation.all_blocks:
        if not _missing(block) and (key := _not_a_string(block)):
            saw = f"The `{key}` of this `{block.type}` block is {describe(block.data[key])}."
            yield found(block.place, saw, "Make it a string.", type=block.type, key=key)


@rule(
    "R15",
    "block-extra-key",
    severity="refused",
    chapter=2,
    api="{at}.{type}.{key}: Extra inputs are not permitted",
    good=request(TASK, assistant(call()), user(result())),
    bad=request(TASK, assistant(call(index=0)), user(result())),
    sources=("public issues with the error text", "SDK types: the keys of each block"),
)
def block_extra_key(conversation):
    """A block has no keys but those of its type.

    A hand-made dump of a reply, a stream that is put together by hand, or a block from another library brings in keys
    such as `index`, `parsed_output`, `partial_json` or a `text` on a call. The API does not take them back.

    Append `reply.content` as it is; the SDK knows what to send. If you make dicts, keep the keys that the API sent.
    """
    for block in conversation.all_blocks:
        if block.type not in ALLOWED or block.data.keys() <= ALLOWED[block.type] or _missing(block):
            continue
        keys = [key for key in block.data if key not in ALLOWED[block.type]]
        saw = f"This `{block.type}` block has keys that don't belong there: {', '.join(keys)}."
        yield found(block.place, saw, "Remove them.", type=block.type, key=keys[0])
