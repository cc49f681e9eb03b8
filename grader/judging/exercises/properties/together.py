"""What an async function keeps that runs the calls of a reply side by side, also when it is cancelled."""

import asyncio
from dataclasses import dataclass, field

from grader.history.plain import plain
from grader.judging.exercises.arguments import Calls, build
from grader.judging.exercises.properties.declare import holds
from grader.judging.pieces import brief, text_of

_TURNS = 200  # of the event loop: far more than a tool needs that waits for nothing
_TASK = {"role": "user", "content": "Look after the shop."}


@dataclass
class Stage:
    """One play: what became of the tools, and how the function ended."""

    messages: list = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    at_once: bool = False
    let_go: list[str] = field(default_factory=list)
    left_running: list[str] = field(default_factory=list)
    ending: str = ""


def _calls():
    """A hypothesis strategy of the calls of a reply, and their tools. A tool does what its name says."""
    import anthropic.types  # noqa: F401  (it takes seconds: not in the learner's time)
    from hypothesis import strategies as st

    kinds = st.lists(st.sampled_from(["returns", "raises", "waits"]), min_size=1, max_size=4)
    return kinds.map(lambda drawn: [f"{kind}_{number}" for number, kind in enumerate(drawn, start=1)]).map(_arguments)


def _arguments(names: list[str]) -> tuple:
    blocks = [
        {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": {}, "caller": {"type": "direct"}}
        for name in names
    ]
    return [{"$block": block} for block in blocks], {name: {"$function": {}, "name": name} for name in names}


async def _play(function, arguments) -> Stage:
    """Call the function with tools that do what their names say; cancel it when nothing moves any more."""
    blocks, names = arguments
    stage = Stage()
    tools = {name: _tool(stage, name) for name in names}
    calls = build(blocks, Calls())
    stage.messages += [_TASK, {"role": "assistant", "content": calls}]
    task = asyncio.ensure_future(function(calls, tools, stage.messages))
    for _ in range(_TURNS):
        if task.done():
            break
        await asyncio.sleep(0)
    stage.at_once = len(stage.started) == len(names)
    task.cancel()
    finished, _ = await asyncio.wait([task], timeout=1)
    stage.ending = _ending(task) if finished else "goes on"
    await asyncio.sleep(0)
    stage.left_running = [name for name in stage.started if name.startswith("waits") and name not in stage.let_go]
    return stage


def _tool(stage: Stage, name: str):
    async def function():
        stage.started.append(name)
        if name.startswith("raises"):
            raise ValueError(f"{name}: no such shelf")
        if name.startswith("waits"):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                stage.let_go.append(name)
                for _ in range(len(stage.let_go) * 3):  # each has something to close, and the first is the quickest
                    await asyncio.sleep(0)
                raise
        return f"output of {name}"

    return function


def _ending(task) -> str:
    if task.cancelled():
        return "cancelled"
    error = task.exception()
    if isinstance(error, NotImplementedError):
        raise error
    return f"raised {type(error).__name__}: {error}" if error else "returned"


@holds(
    "answers-together",
    title="any mix of tools that return, raise, or wait until they are cancelled",
    strategy=_calls,
    help="Start all calls together. Whatever ends the waiting, append one message: the outputs that are there, and an error result for each "
    "call that was cancelled. Then let the CancelledError go on.",
    call=_play,
)
def answers_together(arguments, stage):
    """``answer_all(calls, functions, messages)`` appends one message that answers every call, and lets a cancellation through."""
    names = list(arguments[1])
    return (
        _not_together(names, stage)
        or _wrong_ending(any(name.startswith("waits") for name in names), stage)
        or _wrong_messages(names, stage)
        or next(filter(None, (_wrong_result(name, stage) for name in names)), None)
        or _left_running(stage)
    )


def _not_together(names: list[str], stage: Stage) -> str | None:
    if stage.at_once or not stage.started:
        return None if stage.started else "No tool was started."
    late = next((name for name in names if name not in stage.started), names[-1])
    return f"While {stage.started[-1]} was waiting, {late} had not been started: the calls run one after the other."


def _wrong_ending(cancelled: bool, stage: Stage) -> str | None:
    if stage.ending.startswith("raised InvalidStateError"):
        return f"The function {stage.ending} A cancelled tool needs a moment to end. Wait until all have ended before you ask for their outcomes."
    if stage.ending.startswith("raised"):
        return f"The function {stage.ending}. An exception of a tool belongs into its result."
    if stage.ending == "goes on":
        return "The function was cancelled and did not end."
    if cancelled and stage.ending == "returned":
        return "The function was cancelled and returned as if nothing had happened. Whoever cancelled it waits for the CancelledError: let it through."
    return None


def _wrong_messages(names: list[str], stage: Stage) -> str | None:
    added = plain(stage.messages[2:])[0]
    how = "After the cancellation" if stage.ending == "cancelled" else "At the end"
    if not added:
        return f"{how}, no message had been appended: {len(names)} call{'' if len(names) == 1 else 's'} stayed open."
    if len(added) > 1:
        return f"{how}, {len(added)} messages had been appended. All results stand in one."
    message = added[0]
    if not isinstance(message, dict) or message.get("role") != "user" or not isinstance(message.get("content"), list):
        return f"What was appended is no user message with a list of results: {brief(message, 120)}."
    ids = [block.get("tool_use_id") if isinstance(block, dict) else None for block in message["content"]]
    for name in names:
        if (count := ids.count(f"toolu_{name}")) != 1:
            return f"{how}, the message holds {count or 'no'} result{'s' if count > 1 else ''} for {name}."
    return None if len(ids) == len(names) else f"The message holds {len(ids)} blocks for {len(names)} calls."


def _wrong_result(name: str, stage: Stage) -> str | None:
    content = plain(stage.messages[2])[0]["content"]
    block = next(block for block in content if block.get("tool_use_id") == f"toolu_{name}")
    text, marked = text_of(block.get("content")), block.get("is_error") is True
    if block.get("type") != "tool_result":
        return f"The block for {name} has the type {block.get('type')!r}; it should be a tool_result."
    if name.startswith("returns"):
        if text != f"output of {name}":
            beside = ", though a sibling was cancelled" if stage.ending == "cancelled" else ""
            return (
                f"{name} had returned{beside}, and its output is not in its result: {brief(text or 'nothing', 80)!r}."
            )
        return f"{name} returned, and its result says is_error: True." if marked else None
    if not marked:
        return f"{name} {'raised' if name.startswith('raises') else 'was cancelled'}, and its result does not say is_error: True."
    if name.startswith("raises") and "no such shelf" not in text:
        return (
            f"{name} raised ValueError({name + ': no such shelf'!r}); its result says {brief(text or 'nothing', 80)!r}."
        )
    return None if text.strip() else f"The error result for {name} is empty. The API refuses that; say what happened."


def _left_running(stage: Stage) -> str | None:
    if not stage.left_running:
        return None
    return f"The function was cancelled, and {stage.left_running[0]} was still running behind it. What you started, you cancel."
