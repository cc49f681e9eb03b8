"""Which keys each type of content block has, from the SDK's types (anthropic 2.14, GA and beta, params and responses).

A type that is not here may be new: the linter says nothing about its keys. A test holds this table to the SDK.
"""

_MARK = " cache_control"  # most blocks may carry one

# type: (keys it must have, keys it may have beside them)
_TABLE = {
    "text": ("text", "citations" + _MARK),
    "image": ("source", "transformations" + _MARK),
    "document": ("source", "citations context title" + _MARK),
    "search_result": ("content source title", "citations" + _MARK),
    "thinking": ("thinking signature", ""),
    "redacted_thinking": ("data", ""),
    "tool_use": ("id name input", "caller toolset_name" + _MARK),
    "tool_result": ("tool_use_id", "content is_error toolset_name" + _MARK),
    "server_tool_use": ("id name input", "caller" + _MARK),
    "web_search_tool_result": ("tool_use_id content", "caller" + _MARK),
    "web_fetch_tool_result": ("tool_use_id content", "caller" + _MARK),
    "code_execution_tool_result": ("tool_use_id content", _MARK),
    "bash_code_execution_tool_result": ("tool_use_id content", _MARK),
    "text_editor_code_execution_tool_result": ("tool_use_id content", _MARK),
    "tool_search_tool_result": ("tool_use_id content", _MARK),
    "advisor_tool_result": ("tool_use_id content", _MARK),
    "mcp_tool_use": ("id name input server_name", _MARK),
    "mcp_tool_result": ("tool_use_id", "content is_error" + _MARK),
    "mcp_tool_listing": ("mcp_server_name tools", ""),
    "container_upload": ("file_id", _MARK),
    "compaction": ("", "content encrypted_content signature tool_changes" + _MARK),
    "tool_addition": ("tool", _MARK),
    "tool_removal": ("tool", _MARK),
    "fallback": ("from to", "trigger"),
    "tool_reference": ("tool_name", _MARK),
    "browser_state": ("tabs", "state_changes" + _MARK),
}

REQUIRED = {type: frozenset(must.split()) for type, (must, _) in _TABLE.items()}
ALLOWED = {type: frozenset(f"type {must} {may}".split()) for type, (must, may) in _TABLE.items()}

# Values that have to be strings. `input` and `tool_use_id` have rules of their own.
STRINGS = {
    "text": ("text",),
    "thinking": ("thinking",),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "name"),
    "server_tool_use": ("id", "name"),
    "mcp_tool_use": ("id", "name", "server_name"),
    "container_upload": ("file_id",),
    "tool_reference": ("tool_name",),
}

# Types of other APIs that are often sent by mistake, and what stands for them here.
FOREIGN = {
    "image_url": "image",
    "input_image": "image",
    "input_text": "text",
    "output_text": "text",
    "refusal": "text",
    "input_audio": "text (there is no audio block)",
    "audio": "text (there is no audio block)",
    "input_file": "document",
    "file": "document",
    "resource": "text or document",
    "reasoning": "thinking",
    "reasoning_content": "thinking",
    "function": "tool_use",
    "function_call": "tool_use",
    "tool_call": "tool_use",
    "tool-call": "tool_use",
    "toolCall": "tool_use",
    "function_call_output": "tool_result",
    "function_response": "tool_result",
    "tool-result": "tool_result",
    "tool_response": "tool_result",
}
