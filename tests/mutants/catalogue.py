"""All mutants, family by family."""

from mutants import async_, errors, gates, loop, pairing, parallel, resume, stop_reasons, streaming

FAMILIES = (loop, pairing, parallel, errors, stop_reasons, gates, resume, streaming, async_)
MUTANTS = [mutant for family in FAMILIES for mutant in family.MUTANTS]
