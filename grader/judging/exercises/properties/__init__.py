"""Properties: what a function must keep for every input that is drawn, not for listed cases alone.

A fixture names them (``"properties": ["finds-open-calls"]``). Each is declared beside its check, in a module of this package.
"""

from grader.judging.exercises.properties import bill, histories, repair, shapes, streams, together, tools
from grader.judging.exercises.properties.declare import PROPERTIES, Property, holds

__all__ = ["PROPERTIES", "Property", "bill", "histories", "holds", "repair", "shapes", "streams", "together", "tools"]
