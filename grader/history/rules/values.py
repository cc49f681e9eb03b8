"""R, fourth part: what stands in the blocks, and what is not known for sure."""

from grader.history.blocks import ALLOWED, FOREIGN
from grader.history.examples import TASK, assistant, call, image, request, result, text, user
from grader.history.rule import found, rule
from grader.history.turns import Place

_DUMPED = ("caller", "toolset_name")
_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")


@rule(
    "R16",
    "empty-image",
    severity="refused",
    chapter=6,
    api="{at}.image.source.base64: image cannot be empty",
    good=request(user(text("What is this?"), image())),
    bad=request(user(text("What is this?"), image(data=""))),
    sources=("a report with the error text",),
)
def empty_image(conversation):
    """An image has data in it.

    A file of zero bytes, or a screenshot that failed, becomes an empty string.

    Check the file before you send it, and say in text when there is no image.
    """
    for block in conversation.all_blocks:
        source = block.data.get("source") if block.type == "image" else None
        if isinstance(source, dict) and source.get("type") == "base64" and source.get("data") == "":
            yield found(block.place, "This image has no data.", "Leave it out, or send a text that says what happened.")


@rule(
    "R17",
    "not-json",
    severity="refused",
    chapter=1,
    good=request(user(text("12.5"))),
    bad=request(TASK, assistant(call(input={"celsius": float("nan")})), user(result())),
    sources=("SDK: what it can't serialize it does not send", "many public issues about lone surrogates"),
)
def not_json(conversation):
    """Everything in a request can be written as JSON.

    Bytes, sets, NaN, your own objects, or a list that contains itself can't. A text cut in the middle of an emoji holds
    half a character, which the API refuses.

    Convert the value when you put it into the message: decode bytes, make a list of a set, `str(...)` for the rest.
    """
    for fault in conversation.faults:
        saw = f"There is {fault.what}."
        yield found(
            _place_of(fault.path), saw, "Turn it into a string, a number, a list or a dict first.", api=fault.api
        )


def _place_of(path):
    where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")
    indices = [key for key in path if isinstance(key, int)]
    return Place(where or "history", tuple(indices) if path[:1] == ("messages",) else (-1,))


@rule(
    "R18",
    "unknown-block",
    severity="advice",
    chapter=2,
    good=request(user(text("Hello"))),
    bad=request(user(text("Hello"), {"type": "hologram", "data": "..."})),
    sources=("SDK types: the list of block types",),
)
def unknown_block(conversation):
    """The block's type is one that this version of the linter knows.

    It may be newer than this program, or a typing mistake. The API refuses types that it does not know.

    Check the spelling of `type`.
    """
    for block in conversation.all_blocks:
        if block.type is not None and block.type not in ALLOWED and block.type not in FOREIGN:
            yield found(block.place, f"The block type `{block.type}` is not known here.", "Check its spelling.")


@rule(
    "R19",
    "null-key",
    severity="advice",
    chapter=2,
    good=request(TASK, assistant(call(caller={"type": "direct"})), user(result())),
    bad=request(TASK, assistant(call(caller=None, toolset_name=None)), user(result())),
    sources=("SDK 2.14: a plain model_dump() of a reply adds them", "no evidence that the API refuses them"),
)
def null_key(conversation):
    """A block of a reply goes back without keys that the API never sent.

    `model_dump()` writes `caller: null` and `toolset_name: null` into each call. The API never sent them, and whether
    it takes them back is not known.

    Append `reply.content` as it is, or dump with `exclude_unset=True`.
    """
    for block in conversation.all_blocks:
        keys = [key for key in _DUMPED if key in block.data and block.data[key] is None]
        if keys and block.type in ALLOWED and ALLOWED[block.type] >= set(keys):
            saw = f"This `{block.type}` block has {' and '.join(f'`{key}: null`' for key in keys)}."
            yield found(block.place, saw, "Append the reply's content as it came, without a plain model_dump().")


@rule(
    "R20",
    "image-media-type",
    severity="refused",
    chapter=6,
    api="{at}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    good=request(user(text("What is this?"), image(media_type="image/png"))),
    bad=request(user(text("What is this?"), image(media_type="image/svg+xml"))),
    sources=("many public issues with the error text", "SDK types: the four media types"),
)
def image_media_type(conversation):
    """An image sent as base64 is a JPEG, PNG, GIF or WebP, and says so in `media_type`.

    `image/jpg` is not the name of a type, and SVG is not taken.

    Write `image/jpeg`, or convert the image.
    """
    for block in conversation.all_blocks:
        source = block.data.get("source") if block.type == "image" else None
        media_type = source.get("media_type") if isinstance(source, dict) and source.get("type") == "base64" else None
        if isinstance(media_type, str) and "/" in media_type and media_type not in _IMAGES:
            yield found(
                block.place,
                f"This image has the media type {media_type!r}.",
                "Use image/jpeg, image/png, image/gif or image/webp.",
            )
