"""Wrong loops, one fault each: what the grader has to tell from right ones. ``catalogue`` has them all."""
