"""Real traffic and reported bugs, when they are at hand: they are not part of this repository."""

import json
from collections import Counter
from pathlib import Path

import pytest

from grader.history import lint

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")

# Where our reading of the facts differs from a report.
DIFFERS = {
    "B065": "the text of a thinking block was changed: only who has the original reply can see that (T01, T03)",
}


def _lines(name):
    with (CORPUS / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _refused(history):
    return [violation for violation in lint(history) if violation.severity == "refused"]


def _say(capsys, text):
    with capsys.disabled():
        print(f"\n  {text}")


def test_recorded_traffic(capsys):
    cases = _lines("recorded.jsonl")
    false = {
        case["source"]: _refused(case["request"])
        for case in cases
        if case["status"] == 200 and _refused(case["request"])
    }
    missed = [case["source"] for case in cases if case["status"] == 400 and not _refused(case["request"])]
    counts = Counter(case["status"] for case in cases)
    _say(
        capsys,
        f"recorded: {counts[200]} accepted, {len(false)} falsely refused; {counts[400]} refused, {len(missed)} missed",
    )
    assert false == {}
    assert missed == []


def test_the_text_of_recorded_refusals():
    for case in _lines("recorded.jsonl"):
        if case["status"] == 400:
            said = [violation.api for violation in _refused(case["request"])]
            assert any(text.partition(":")[0] == case["error"].partition(":")[0] for text in said), (
                case["error"],
                said,
            )


def _request(case):
    return {"messages": case["history"], **(case["request"] or {})}


def test_reported_bugs(capsys):
    cases = [case for case in _lines("reported.jsonl") if case["history"] is not None]
    must = [case for case in cases if case["expected"] == "reject(400)" and case["confidence"] in ("high", "medium")]
    may_not = [case for case in cases if case["expected"].startswith("accept")]
    missed = [case["id"] for case in must if not _refused(_request(case))]
    false = [case["id"] for case in may_not if _refused(_request(case))]
    _say(
        capsys,
        f"reported: {len(must)} to refuse, {len(missed)} not refused {missed}; "
        f"{len(may_not)} to accept, {len(false)} falsely refused",
    )
    assert missed == sorted(DIFFERS)
    assert false == []


def test_the_reply_decides_where_we_differ():
    """B065 is refused as soon as the original reply is known."""
    case = next(case for case in _lines("reported.jsonl") if case["id"] == "B065")
    content = case["history"][1]["content"]
    original = [{"type": "thinking", "thinking": "As it was.", "signature": content[0]["signature"]}, *content[1:]]
    assert [violation.rule for violation in lint(_request(case), replies=[original])] == ["T01"]


def _with_ids(content):
    """The ids in this file are blotted out ("toolu_…", "text"); number them, calls and results alike."""
    numbers = Counter()
    for block in content or []:
        for key in ("id", "tool_use_id"):
            if key in block:
                prefix = {"tool_use": "toolu", "mcp_tool_use": "mcptoolu", "mcp_tool_result": "mcptoolu"}.get(
                    block["type"], "srvtoolu"
                )
                numbers[key, prefix] += 1
                block[key] = f"{prefix}_{numbers[key, prefix]}"
    return content


def test_replies_go_back_as_they_came(capsys):
    """No real reply is found fault with when it is appended and answered, except a blank one, which has to go."""
    number = 0
    for case in _lines("responses.jsonl"):
        message = case.get("message") or {}
        content = _with_ids(message.get("content"))
        if not content or message.get("stop_reason") not in ("end_turn", "tool_use", "stop_sequence"):
            continue
        if all(block["type"] == "text" and not block["text"].strip() for block in content):
            continue
        calls = [block for block in content if block["type"] == "tool_use"]
        answer = [
            {"type": "tool_result", "tool_use_id": block["id"], "content": "x"} for block in calls
        ] or "Thank you."
        history = [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": content},
            {"role": "user", "content": answer},
        ]
        found = lint({"model": case["model"], "messages": history}, replies=[content])
        assert [violation for violation in found if violation.severity != "advice"] == [], case["source"]
        number += 1
    _say(capsys, f"responses: {number} real replies appended and answered, none is found fault with")
    assert number > 100
