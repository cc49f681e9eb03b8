"""Drawn conversations: what is drawn, that right loops survive it, that wrong ones do not, and how small what is shown
is.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from mutants.catalogue import MUTANTS  # noqa: E402
from mutants.mutant import load  # noqa: E402

from grader.judging import LEVELS  # noqa: E402
from grader.judging.fuzz import FuzzExercise, grade_fuzz, hunt  # noqa: E402
from grader.judging.fuzz.build import scenario_of  # noqa: E402
from grader.judging.fuzz.draws import plans  # noqa: E402
from grader.judging.fuzz.plan import Call, Plan, Turn  # noqa: E402
from grader.judging.fuzz.shrink import shrink, simpler_plans  # noqa: E402
from grader.replay import play  # noqa: E402
from grader.replay.scenario import read_scenario  # noqa: E402
from judging import loops  # noqa: E402

END = Turn("end_turn", text="Done: {nonce:end}.")
FEW = settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def drawn(level, number, count=60):
    """The first ``count`` plans of a seed."""
    found = []

    @seed(number)
    @settings(FEW, max_examples=count)
    @given(plans(level))
    def collect(plan):
        found.append(plan)

    collect()
    return found


def source(path):
    return load((TESTS / path).read_text(encoding="utf-8"), Path(path).name)


def mutant(name):
    return next(one for one in MUTANTS if one.name == name)


def messages(scenario):
    return [reply.message for reply in scenario.replies if hasattr(reply, "message")]


def test_draws_follow_from_the_seed():
    assert repr(drawn("resume", 5)) == repr(drawn("resume", 5))
    assert repr(drawn("resume", 5)) != repr(drawn("resume", 6))


def test_draws_use_coins_alone(monkeypatch):
    """Hypothesis mixes numbers of the modules that happen to be imported into the integers that it draws."""
    from hypothesis.internal.conjecture.providers import HypothesisProvider

    def refuse(self, *arguments, **options):
        raise AssertionError("something else than a coin was drawn")

    for kind in ("integer", "float", "string", "bytes"):
        monkeypatch.setattr(HypothesisProvider, f"draw_{kind}", refuse)
    assert len(drawn("resume", 5, 20)) >= 20


@pytest.mark.parametrize("level", LEVELS)
def test_a_drawn_conversation_is_a_scenario_file(level):
    for plan in drawn(level, 1):
        scenario = scenario_of(plan, 1)
        text = json.dumps(scenario.model_dump(mode="json", by_alias=True, exclude_unset=True))
        assert read_scenario(text, "drawn") == scenario
        assert scenario.level == level and scenario.expect.status
        ids = [block["id"] for message in messages(scenario) for block in message["content"] if "id" in block]
        assert len(set(ids)) == len(ids)


def test_the_sdk_accepts_drawn_replies():
    from anthropic.types import Message

    for plan in drawn("resume", 2):
        for message in messages(scenario_of(plan, 2)):
            if message["stop_reason"] == "handed_over":
                message["stop_reason"] = "end_turn"
            Message.model_validate(message)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_draws_nothing_of_a_later_one(level):
    at = list(LEVELS).index(level)

    def since(name):
        return at >= list(LEVELS).index(name)

    for plan in drawn(level, 3):
        scenario = scenario_of(plan, 3)
        text = scenario.model_dump_json(by_alias=True, exclude_unset=True)
        contents = [message["content"] for message in messages(scenario)]
        blocks = [block["type"] for content in contents for block in content]
        assert since("pairing") or not any(kind.endswith("thinking") for kind in blocks)
        assert since("parallel") or all(
            sum(block["type"] == "tool_use" for block in content) < 2 for content in contents
        )
        assert since("errors") or not any(
            word in text for word in ('"raises"', "letter", "invented", '"looks"', '"repeat"')
        )
        reasons = {message["stop_reason"] for message in messages(scenario)}
        assert since("stop_reasons") or (reasons <= {"tool_use", "end_turn"} and "server_tool_use" not in blocks)
        assert since("gates") or not (scenario.limits or '"error"' in text or '"events"' in text or '"hangs"' in text)
        assert since("resume") or not ('"returns_json"' in text or '"async":true' in text)
        if not since("gates"):
            asked = Counter(
                json.dumps([block["name"], block["input"]], sort_keys=True)
                for content in contents
                for block in content
                if block["type"] == "tool_use"
            )
            assert max(asked.values(), default=0) < 3


def test_what_the_contract_speaks_of_is_drawn():
    scenarios = [scenario_of(plan, 4) for plan in drawn("resume", 4, 250)]
    text = "\n".join(scenario.model_dump_json(by_alias=True, exclude_unset=True) for scenario in scenarios)
    reasons = {message["stop_reason"] for scenario in scenarios for message in messages(scenario)}
    assert reasons >= {"end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "pause_turn", "handed_over"}
    assert {limit for scenario in scenarios for limit in scenario.limits} == {
        *("max_turns", "token_budget", "timeout_s", "max_repeats", "tool_timeout_s")
    }
    for word in (
        "redacted_thinking",
        "raises",
        "hangs",
        "returns_json",
        "missing_functions",
        '"events"',
        '"cut":true',
        "image",
    ):
        assert word in text, word
    assert any(not message["content"] for scenario in scenarios for message in messages(scenario))


def test_the_expected_statuses_are_those_of_a_right_loop():
    run_agent = source("mutants/reference.py")
    for plan in drawn("resume", 8, 40):
        scenario = scenario_of(plan, 8)
        assert play(scenario, run_agent, seed=8).claim.status in scenario.expect.status


@pytest.mark.parametrize(
    "path",
    [
        "mutants/reference.py",
        "mutants/reference_stream.py",
        "mutants/reference_async.py",
        "styles/closures.py",
        "styles/schema_check.py",
        "styles/raw_stream.py",
    ],
)
def test_right_loops_survive(path):
    found = hunt(source(path), level="resume", examples=40, seed=31)
    assert found.scenario is None, (found.judgement.root, found.scenario.title)
    assert found.played == 40


@pytest.mark.parametrize("level", ["loop", "pairing", "parallel"])
def test_a_loop_that_is_right_up_to_a_level_survives_it(level):
    found = hunt(loops.right, level=level, examples=40, seed=32)
    assert found.scenario is None, found.judgement


def test_and_falls_at_the_next():
    assert hunt(loops.right, level="errors", examples=40, seed=32).scenario is not None


CAUGHT = {
    "results-swapped": 2,
    "thinking-dropped": 2,
    "error-not-marked": 2,
    "pause-is-done": 2,
    "no-turn-limit": 2,
    "open-after-a-stop": 1,
    "history-of-the-run-before": 1,
}


@pytest.mark.parametrize("name", CAUGHT)
def test_wrong_loops_are_caught_by_a_small_conversation(name):
    wrong = mutant(name)
    found = hunt(wrong.function(), level="resume", examples=200, seed=33)
    assert found.judgement.root.rule in wrong.rules
    assert len(found.scenario.replies) <= CAUGHT[name]


def test_what_is_found_can_be_played_again_in_a_fresh_process():
    wrong = mutant("history-of-the-run-before")
    found = hunt(wrong.function(), level="resume", examples=50, seed=34)
    assert found.scenario.runs == 2
    transcript = play(found.scenario, wrong.function(), seed=1)
    assert transcript.later


def test_the_same_seed_finds_the_same():
    first, second = (hunt(mutant("results-split").function(), level="resume", examples=60, seed=35) for _ in range(2))
    assert (first.played, first.scenario) == (second.played, second.scenario)


def big_plan():
    calls = (
        Call("look", {"returns": "a"}),
        Call("count", {"raises": {"type": "ValueError", "message": "no"}}, fault="extra"),
    )
    turn = Turn(
        "pause_turn", thinking=("said", "redacted"), text="Some words.", search="open", calls=calls, cached=True
    )
    return Plan(
        "resume",
        (turn, turn, Turn("tool_use", calls=calls), turn),
        Turn("refusal", text="No.", calls=calls),
        runs=2,
        hang=1,
    )


def test_shrinking_leaves_what_makes_it_fail_and_nothing_else():
    def fails(plan):
        return any(call.tool == "count" for turn in plan.turns for call in turn.calls)

    smallest = shrink(big_plan(), fails)
    assert smallest.end == END and (smallest.runs, smallest.hang) == (1, -1)
    [turn] = smallest.turns
    [call] = turn.calls
    assert (turn.reason, turn.thinking, turn.cached) == ("tool_use", (), False)
    assert call.tool == "count" and not call.fault


def test_every_simpler_plan_is_a_scenario_and_the_simplest_has_none():
    for plan in simpler_plans(big_plan()):
        scenario_of(plan, 1)
    assert list(simpler_plans(Plan("loop", (), END))) == []


def report(function, examples=20, level="resume"):
    return grade_fuzz(FuzzExercise(level, examples), function, seed=36)


def test_all_points_or_none():
    good, bad = report(loops.right, level="parallel"), report(loops.forgets_the_reply)
    assert (good.verdict, good.points) == ("passed", good.max_points)
    assert (bad.verdict, bad.points) == ("failed", 0)
    assert bad.checks[0].violations and "broke the loop" in bad.message


@pytest.mark.parametrize(("value", "verdict"), [(loops.stub, "not_attempted"), (None, "not_attempted"), (7, "failed")])
def test_what_is_no_loop_yet(value, verdict):
    assert report(value).verdict == verdict


def test_a_loop_that_never_returns_is_not_waited_for_again_and_again(monkeypatch):
    monkeypatch.setattr("grader.judging.fuzz.hunting.DEADLINE_S", 0.3)
    found = hunt(loops.never_comes_back, level="loop", examples=20, seed=37)
    assert found.judgement.root.rule == "L18" and found.played == 1


def test_a_loop_that_fails_now_and_then_is_told_so():
    played = []

    def unsteady(client, task, tools, functions, **limits):
        played.append(1)
        if len(played) == 3:
            raise ValueError("only this once")
        return source_right(client, task, tools, functions, **limits)

    source_right = source("mutants/reference.py")
    told = report(unsteady)
    assert told.verdict == "failed" and "held when it was played again" in told.message
