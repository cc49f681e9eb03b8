"""The loop rules: what contract.md promises, seen from a transcript. Importing this package declares them all."""

from grader.judging.rules import calls, endings, gates, growth, returning, values

__all__ = ["calls", "endings", "gates", "growth", "returning", "values"]
