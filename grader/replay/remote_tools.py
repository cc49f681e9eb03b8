"""Scripted tools for programs that are not in this process: a JSON input in, a JSON outcome out."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any

from grader.replay.player import Player


def run_tool(player: Player, name: str, body: bytes) -> tuple[int, dict[str, Any]]:
    """An HTTP status and the outcome: ``{"output": …}``, or ``{"raised": {"type", "message"}}`` when the tool raised.

    An unknown name is a 404, a body that is no JSON object a 400; both with ``{"error": text}``.
    """
    function = player.functions().get(name)
    if function is None:
        return 404, {"error": f"there is no tool {name!r}; there are: {', '.join(sorted(player.functions()))}"}
    try:
        input = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        return 400, {"error": f"the body is not JSON: {error}"}
    if not isinstance(input, dict):
        return 400, {"error": "the body is not a JSON object with the tool's input"}
    try:
        output = function(**input)
        if inspect.isawaitable(output):
            output = asyncio.run(_await(output))
    except Exception as error:
        message = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
        return 200, {"raised": {"type": type(error).__name__, "message": message}}
    return 200, {"output": output}


async def _await(output: Any) -> Any:
    return await output
