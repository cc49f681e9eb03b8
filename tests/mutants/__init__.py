"""Wrong loops, one fault each: what the grader has to tell from right ones. One file a family; ``catalogue`` has them all."""
