"""Plays a scenario to a loop and records what the loop sent. Knows history; knows no chapter."""
