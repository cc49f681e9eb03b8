"""The table of block keys is held to the SDK's types."""

import inspect
from typing import Literal, Required, get_args, get_origin, get_type_hints

import pytest

from grader.history.blocks import ALLOWED, FOREIGN, REQUIRED, STRINGS

anthropic = pytest.importorskip("anthropic")


def _members(annotation):
    """The classes of a union, however deep."""
    args = get_args(annotation)
    if not args:
        return {annotation} if inspect.isclass(annotation) else set()
    return set().union(*(_members(arg) for arg in args))


def _hints(cls):
    if hasattr(cls, "model_fields"):
        return {field.alias or name: field.annotation for name, field in cls.model_fields.items()}
    return get_type_hints(cls, include_extras=True)


def _kind(cls):
    """What stands in the block's `type`."""
    literal = _hints(cls)["type"]
    while get_origin(literal) is not Literal:
        literal = get_args(literal)[0]
    return get_args(literal)[0]


def _classes():
    from anthropic.types import tool_result_block_param
    from anthropic.types.beta import beta_content_block_param, beta_tool_result_block_param
    from anthropic.types.content_block_param import ContentBlockParam
    from anthropic.types.message_content_param import MessageContentParam

    unions = (
        ContentBlockParam,
        MessageContentParam,
        beta_content_block_param.BetaContentBlockParam,
        tool_result_block_param.Content,
        beta_tool_result_block_param.Content,
    )
    classes = set().union(*(_members(union) for union in unions))
    return {cls for cls in classes if cls.__module__.startswith("anthropic")}


def _keys(cls):
    return set(_hints(cls)) - set(getattr(cls, "__api_exclude__", None) or ())


def test_each_type_has_exactly_the_keys_of_the_sdk():
    by_type = {}
    for cls in _classes():
        by_type.setdefault(_kind(cls), set()).update(_keys(cls))
    assert {kind: set(keys) for kind, keys in ALLOWED.items()} == by_type


def test_required_keys_are_required_by_the_sdk():
    for cls in _classes():
        if not hasattr(cls, "model_fields"):
            required = {key for key, hint in _hints(cls).items() if get_origin(hint) is Required}
            assert REQUIRED[_kind(cls)] == required - {"type"}, cls


def test_the_other_tables_fit():
    assert not set(FOREIGN) & set(ALLOWED)
    for kind, keys in STRINGS.items():
        assert REQUIRED[kind] >= set(keys)
