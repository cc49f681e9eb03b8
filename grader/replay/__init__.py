"""Plays a scenario to a loop and records what the loop sent. Knows history; knows no chapter."""

from grader.replay.play import play
from grader.replay.player import Player
from grader.replay.scenario import Scenario, ScenarioError, all_scenarios, load_scenario
from grader.replay.transcript import Claim, Crash, Exchange, ToolRun, Transcript

__all__ = [
    "Claim",
    "Crash",
    "Exchange",
    "Player",
    "Scenario",
    "ScenarioError",
    "ToolRun",
    "Transcript",
    "all_scenarios",
    "load_scenario",
    "play",
]
