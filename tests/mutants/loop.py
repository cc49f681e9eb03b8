"""Faults of the bare loop: what a request carries, and what outlives a run."""

from mutants.mutant import Mutant

ASK = "reply = ask(client, messages, tools)"
START = 'messages = [{"role": "user", "content": task}]'
KEEP = 'messages.append({"role": "assistant", "content": content})'

MUTANTS = [
    Mutant(
        "request-without-a-model",
        "L27",
        "loop",
        "the request names no model: the API refuses it, and the loop reports api_error",
        [("model=MODEL", "model=None")],
    ),
    Mutant(
        "only-last-message-sent",
        ("L02", "P04"),
        "loop",
        "each request holds the newest message only",
        [(ASK, "reply = ask(client, messages[-1:], tools)")],
    ),
    Mutant(
        "only-task-and-last-round-sent",
        "L02",
        "loop",
        "the rounds between the task and the newest one are left out",
        [(ASK, "reply = ask(client, messages[:1] + messages[1:][-2:], tools)")],
    ),
    Mutant(
        "newest-messages-only",
        "L02",
        "loop",
        "a window of three messages: the task falls out",
        [(ASK, "reply = ask(client, messages[-3:], tools)")],
    ),
    Mutant(
        "task-not-sent",
        "L01",
        "loop",
        "the first message is the loop's own",
        [(START, 'messages = [{"role": "user", "content": "Please help me with my task."}]')],
    ),
    Mutant(
        "task-in-system-prompt",
        "L01",
        "loop",
        "the task stands in the system prompt, not in the first user message",
        [
            (START, 'messages = [{"role": "user", "content": "Begin."}]'),
            (ASK, "reply = ask(client, messages, tools, task)"),
            ("def ask(client, messages, tools):", "def ask(client, messages, tools, task):"),
            ("model=MODEL, max_tokens=2000, tools", "model=MODEL, system=task, max_tokens=2000, tools"),
        ],
    ),
    Mutant(
        "task-reworded",
        "L01",
        "loop",
        "the task is cut to its first words",
        [(START, 'messages = [{"role": "user", "content": " ".join(task.split()[:3])}]')],
    ),
    Mutant(
        "reply-not-appended",
        ("L03", "P04"),
        "loop",
        "results are appended, the reply they answer is not",
        [(KEEP, "pass")],
    ),
    Mutant(
        "tools-only-in-the-first-request",
        "L19",
        "loop",
        "later requests carry no tools",
        [(ASK, "reply = ask(client, messages, tools if requests == 0 else [])")],
    ),
    Mutant(
        "only-used-tools-sent",
        "L19",
        "loop",
        "after a round the tools that were not called are left out",
        [
            (
                ASK,
                """reply = ask(
    client, messages, [tool for tool in tools if not asked or any(tool['name'] == name for name, _ in asked)]
)""",
            )
        ],
    ),
    Mutant(
        "tools-changed-in-place",
        "L19",
        "loop",
        "descriptions are taken out of the caller's list",
        [
            (
                START,
                """messages = [{"role": "user", "content": task}]
    for tool in tools:
        tool.pop('description', None)""",
            )
        ],
    ),
    Mutant(
        "tool-added-to-the-callers-list",
        "L19",
        "loop",
        "a tool of the loop's own goes into the caller's list",
        [
            (
                START,
                """messages = [{"role": "user", "content": task}]
    tools.append({'name': 'finish', 'description': 'Ends the work.', 'input_schema': {'type': 'object'}})""",
            )
        ],
    ),
    Mutant(
        "functions-changed-in-place",
        "L19",
        "loop",
        "a helper is put into the caller's dict",
        [
            (
                START,
                """messages = [{"role": "user", "content": task}]
    functions.setdefault('finish', lambda: 'finished')""",
            )
        ],
    ),
    Mutant(
        "history-of-the-run-before",
        "L23",
        "loop",
        "a mutable default keeps the history for the next run",
        [
            (
                """    max_repeats=3,
):""",
                """    max_repeats=3,
    messages=[],
):""",
            ),
            (START, 'messages.append({"role": "user", "content": task})'),
        ],
    ),
    Mutant(
        "no-message-at-all",
        ("L01", "R02"),
        "loop",
        "the task goes into the system prompt and the list stays empty",
        [
            (START, "messages = []"),
            (ASK, "reply = ask(client, messages, tools, task)"),
            ("def ask(client, messages, tools):", "def ask(client, messages, tools, task):"),
            ("model=MODEL, max_tokens=2000, tools", "model=MODEL, system=task, max_tokens=2000, tools"),
        ],
    ),
    Mutant(
        "task-as-a-bare-string",
        ("L01", "R03"),
        "loop",
        "the list holds the task itself, not a message",
        [(START, "messages = [task]")],
    ),
    Mutant(
        "message-without-role",
        ("L03", "R04"),
        "loop",
        "the reply is appended without its role",
        [(KEEP, 'messages.append({"content": content})')],
    ),
    Mutant(
        "prefilled-answer",
        "E04",
        "loop",
        "after the first round the model's answer is begun for it",
        [
            (
                ASK,
                """begun = [{"role": "assistant", "content": "Step by step:"}] if requests else []
            reply = ask(client, messages + begun, tools)""",
            )
        ],
    ),
    Mutant(
        "prefilled-answer-with-a-space",
        "E05",
        "loop",
        "an older model, and a prefill that ends with a space",
        [
            (
                ASK,
                """begun = [{"role": "assistant", "content": "The answer is "}] if requests else []
            reply = ask(client, messages + begun, tools)""",
            ),
            ("model=MODEL, max_tokens", 'model="claude-haiku-4-5", max_tokens'),
        ],
    ),
]
