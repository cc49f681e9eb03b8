"""What looks wrong and is legal. A linter that refuses one of these is wrong."""

import pytest

from grader.history import lint
from grader.history.examples import (
    TASK,
    assistant,
    call,
    image,
    request,
    result,
    search,
    search_result,
    text,
    thinking,
    user,
)

OLDER = "claude-haiku-4-5"
SYSTEM = {"role": "system", "content": "Be brief."}
ADDED = {"role": "system", "content": [{"type": "tool_addition", "tool": {"type": "tool_reference", "name": "x"}}]}
DOCUMENT = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Notes"}}
FOUND = {"type": "search_result", "source": "a", "title": "A", "content": [text("x")], "citations": {"enabled": True}}
REFERENCE = {"type": "tool_reference", "tool_name": "x"}
BROWSER = {"type": "browser_state", "tabs": []}
MCP = {"type": "mcp_tool_use", "id": "mcptoolu_01", "name": "ask", "server_name": "docs", "input": {}}
MCP_RESULT = {
    "type": "mcp_tool_result",
    "tool_use_id": "mcptoolu_01",
    "is_error": False,
    "content": [text("x", citations=None)],
}
CODE = {"type": "server_tool_use", "id": "srvtoolu_01", "name": "code_execution", "input": {"code": "..."}}
CODE_RESULT = {
    "type": "code_execution_tool_result",
    "tool_use_id": "srvtoolu_01",
    "content": {"type": "code_execution_result"},
}
FROM_CODE = {"caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_01"}}

LEGAL = {
    "two user messages": request(user("Hello"), user("Hello?")),
    "an empty user message beside another": request(user(""), user("Hello?")),
    "assistant first": request(assistant("Hi."), user("Hello")),
    "text after the results": request(TASK, assistant(call()), user(result(), text("And?"))),
    "an image after the results": request(TASK, assistant(call()), user(result(), image(), DOCUMENT)),
    "a user message after the results": request(TASK, assistant(call()), user(result()), user("And?")),
    "no tools": request(TASK, assistant(call()), user(result())),
    "an undeclared tool": request(
        TASK, assistant(call()), user(result()), tools=[{"name": "other", "input_schema": {}}]
    ),
    "an empty result": request(TASK, assistant(call()), user(result(content=""))),
    "an empty list as result": request(TASK, assistant(call()), user(result(content=[]))),
    "no content in the result": request(
        TASK, assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_01"})
    ),
    "an empty result without error": request(TASK, assistant(call()), user(result(content="", is_error=False))),
    "blocks in the result": request(
        TASK, assistant(call()), user(result(content=[text("x"), image(), DOCUMENT, FOUND, REFERENCE, BROWSER]))
    ),
    "a blank text beside a call": request(TASK, assistant(text(" "), call()), user(result())),
    "a blank text beside another": request(TASK, assistant(text("\n"), text("Hm.")), user("Yes?")),
    "thinking without text": request(TASK, assistant(thinking(words=""), text("Hm.")), user("Yes?")),
    "thinking while it is off": request(
        TASK, assistant(thinking(), call()), user(result()), thinking={"type": "disabled"}
    ),
    "adaptive without thinking": request(TASK, assistant(call()), user(result()), thinking={"type": "adaptive"}),
    "adaptive with a forced tool": request(
        TASK, thinking={"type": "adaptive"}, tool_choice={"type": "tool", "name": "x"}
    ),
    "between_tools": request(TASK, assistant(call()), user(result()), thinking={"type": "between_tools"}),
    "enabled, the turn is over": request(
        TASK, assistant("Hm."), user("Yes?"), thinking={"type": "enabled", "budget_tokens": 1024}
    ),
    "enabled, thinking only in the first reply of the turn": request(
        TASK,
        assistant(thinking(), call("a")),
        user(result("a")),
        assistant(call("b")),
        user(result("b")),
        thinking={"type": "enabled", "budget_tokens": 1024},
    ),
    "enabled, a compaction first": request(
        TASK,
        assistant({"type": "compaction", "content": "So far."}, call()),
        user(result()),
        thinking={"type": "enabled", "budget_tokens": 1024},
    ),
    "text before thinking": request(TASK, assistant(text("Hm."), thinking(), call()), user(result())),
    "redacted thinking": request(
        TASK, assistant({"type": "redacted_thinking", "data": "x"}, text("Hm.")), user("Yes?")
    ),
    "thinking between server tools": request(
        TASK, assistant(search(), search_result(), thinking(), text("Rain.")), user("Yes?")
    ),
    "a paused turn sent again": request(TASK, assistant(text("Searching."), search())),
    "a paused turn that ends in a result": request(TASK, assistant(search(), search_result())),
    "a paused turn, then its end": request(
        TASK, assistant(search()), assistant(search_result(), text("Rain.")), user("Yes?")
    ),
    "a pause for compaction": request(TASK, assistant({"type": "compaction", "content": "So far."})),
    "a compaction": request(
        TASK, assistant({"type": "compaction", "content": None, "encrypted_content": None}), user("Yes?")
    ),
    "an open server call beside a call": request(TASK, assistant(search(), call()), user(result())),
    "an open MCP call beside a call": request(TASK, assistant(MCP, call()), user(result())),
    "an MCP call": request(TASK, assistant(MCP, MCP_RESULT, text("x")), user("Yes?")),
    "a server result that opens the next message": request(
        TASK, assistant(search(), call()), user(result()), assistant(search_result(), text("Rain.")), user("Yes?")
    ),
    "code that calls tools one after the other": request(
        TASK,
        assistant(text("Running."), CODE, call("a", **FROM_CODE)),
        user(result("a")),
        assistant(call("b", **FROM_CODE)),
        user(result("b")),
        assistant(CODE_RESULT, text("Done.")),
        user("Yes?"),
    ),
    "server calls inside one another": request(
        TASK, assistant(CODE, search("srvtoolu_02"), search_result("srvtoolu_02"), CODE_RESULT)
    ),
    "prefill on an older model": request(TASK, assistant("{"), model=OLDER),
    "an empty assistant message at the end, older model": request(TASK, assistant(""), model=OLDER),
    "prefill with no model": {"messages": [TASK, assistant("{")]},
    "prefill on an unknown model": request(TASK, assistant("{"), model="my-gateway/some-model"),
    "a system message after a user message": request(TASK, SYSTEM, assistant("Hm."), user("Yes?")),
    "a system message after results": request(TASK, assistant(call()), user(result()), SYSTEM, SYSTEM),
    "a tool added": request(
        TASK, assistant(call()), user(result()), ADDED, assistant("Hm."), user("Yes?"), model="claude-opus-4-8"
    ),
    "a system message after a server result": request(
        TASK, assistant(search(), search_result()), SYSTEM, assistant("Hm."), user("?")
    ),
    "a system message on an unknown model": request(TASK, SYSTEM, model="something"),
    "a system message with settings only": request(TASK, {"role": "system", "output_config": {"effort": "low"}}),
    "a system message that goes away": request(TASK, {**SYSTEM, "clear_at": "next_user_message"}),
    "nulls that the API sends itself": request(
        TASK, assistant(text("x", citations=None, cache_control=None)), user("Yes?")
    ),
    "citations": request(user(DOCUMENT | {"citations": {"enabled": True}, "title": "N", "context": None}, text("?"))),
    "four cache marks": request(
        *(user(text(str(k), cache_control={"type": "ephemeral", "ttl": "1h"})) for k in range(4))
    ),
    "a property named cache_control": request(
        TASK,
        tools=[
            {"name": f"t{k}", "input_schema": {"properties": {"cache_control": {"type": "string"}}}} for k in range(9)
        ],
    ),
    "a file in a container": request(user(text("Read it."), {"type": "container_upload", "file_id": "file_01"})),
    "control characters": request(user("a\x00b\x1b[31m\u202e")),
    "an emoji": request(user("\U0001f600")),
    "deep but real input": request(TASK, assistant(call(input={"a": [[[[[[[[[[1]]]]]]]]]]})), user(result())),
    "an image by URL": request(user({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}})),
    "a media type that was blotted out": request(
        user({"type": "image", "source": {"type": "base64", "media_type": "text"}})
    ),
    "a source that this program does not know": request(user({"type": "image", "source": {"type": "base64"}})),
}


@pytest.mark.parametrize("history", LEGAL.values(), ids=list(LEGAL))
def test_is_never_refused(history):
    assert [violation for violation in lint(history) if violation.severity == "refused"] == []


@pytest.mark.parametrize("history", LEGAL.values(), ids=list(LEGAL))
def test_its_messages_as_a_transcript_are_not_refused_either(history):
    assert [violation for violation in lint(history["messages"]) if violation.severity == "refused"] == []
