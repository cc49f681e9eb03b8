"""P, third part: pairs that the API takes, though the work suffers."""

from grader.history.examples import TASK, assistant, call, request, result, text, user
from grader.history.rule import found, rule

_TWO_CALLS = assistant(call("toolu_01"), call("toolu_02", "Rome"))


@rule(
    "P13",
    "split-results",
    severity="harmful",
    chapter=5,
    good=request(TASK, _TWO_CALLS, user(result("toolu_01"), result("toolu_02"))),
    bad=request(TASK, _TWO_CALLS, user(result("toolu_01")), user(result("toolu_02"))),
    sources=("recorded: 64 accepted histories", "documentation: it leads to fewer parallel calls"),
)
def split_results(conversation):
    """The results of parallel calls go back together, in one user message.

    The API joins user messages in a row, so nothing is refused. But the model learns from its history: it then makes
    fewer parallel calls.

    Collect the results of all calls of a reply in one list and append one user message.
    """
    for round in conversation.rounds:
        answers = round.answers
        second = next((block for block in answers if block.message != answers[0].message), None)
        if second and len(set(round.ids)) > 1 and not round.repeats and _stand_together(answers, round):
            number = len({block.message for block in answers})
            saw = f"The results of one reply are spread over {number} user messages."
            yield found(second.place, saw, "Send all results of a reply in one user message.")


def _stand_together(answers, round):
    """Something between the results is another fault: P03."""
    between = round.user.blocks[: answers[-1].position]
    return all(block.type == "tool_result" for block in between)


@rule(
    "P14",
    "text-after-results",
    severity="advice",
    chapter=4,
    good=request(TASK, assistant(call()), user(result()), assistant("It is 12 C."), user("Thank you. And Rome?")),
    bad=request(TASK, assistant(call()), user(result(), text("Please go on."))),
    sources=("recorded: 131 accepted histories", "documentation: it may make the model end its turn early"),
)
def text_after_results(conversation):
    """Text after the results is legal, but the model may take it as a new question and end its turn early.

    "Please continue" after each result teaches the model to wait for it.

    Send the results alone, unless the user really said something in the meantime.
    """
    for round in conversation.rounds:
        answers = round.answers
        behind = round.user.blocks[answers[-1].position + 1 :] if answers else []
        extra = next((block for block in behind if block.type not in ("tool_result", "tool_use", None)), None)
        if extra:
            yield found(
                extra.place,
                f"A `{extra.type}` block follows the results.",
                "Leave it out, unless the user said it just now.",
            )


@rule(
    "P15",
    "id-reused",
    severity="advice",
    chapter=4,
    good=request(
        TASK,
        assistant(call("toolu_01")),
        user(result("toolu_01")),
        assistant(call("toolu_02")),
        user(result("toolu_02")),
    ),
    bad=request(
        TASK,
        assistant(call("toolu_01")),
        user(result("toolu_01")),
        assistant(call("toolu_01")),
        user(result("toolu_01")),
    ),
    sources=("recorded: accepted across two turns",),
)
def id_reused(conversation):
    """Two calls of different turns have different ids.

    The API takes it, since it pairs within neighbouring messages. Whoever looks a call up by its id finds the wrong
    one.

    Keep the ids that the API gave; they are unique.
    """
    first = {}
    for block in conversation.of_type("tool_use"):
        id = block.text("id")
        if id and first.setdefault(id, block).turn != block.turn:
            saw = f"The id {id} was used before, in messages[{first[id].message}]."
            yield found(block.place, saw, "Give each call an id of its own.")


@rule(
    "P17",
    "open-call-at-end",
    severity="harmful",
    chapter=9,
    good=[TASK, assistant(call()), user(result())],
    bad=[TASK, assistant(call())],
    sources=("it follows from unanswered-call: whatever message comes next, the API refuses it",),
)
def open_call_at_end(conversation):
    """A transcript that ends with a call can't be continued as it is: the next thing has to be the result.

    This is what an interrupt, a crash or a stop condition leaves behind. A new user message typed after it is refused,
    and so is every later request.

    Before you save or hand on a history, answer its open calls, if need be with `is_error: true` and "was not run".
    """
    for round in conversation.rounds:
        if not conversation.is_request and round.follower is None and round.open:
            calls = " and ".join(f"`{block.text('name')}` ({block.text('id')})" for block in round.open)
            help = "Add a user message with a result for each open call."
            yield found(round.open[0].place, f"The list ends with the call {calls}, which has no result yet.", help)
