"""All mutants, family by family."""

from mutants import (
    api_errors,
    async_,
    broken_streams,
    calls,
    endings,
    error_results,
    errors,
    gates,
    growth,
    loop,
    odd_replies,
    outputs,
    pairing,
    parallel,
    repeats,
    resume,
    stop_reasons,
    streaming,
    thinking,
    tool_time,
)

FAMILIES = (
    *(loop, growth, calls, endings),
    *(pairing, thinking, parallel),
    *(errors, error_results, outputs),
    *(stop_reasons, odd_replies),
    *(gates, repeats, tool_time, api_errors),
    resume,
    *(streaming, broken_streams, async_),
)
MUTANTS = [mutant for family in FAMILIES for mutant in family.MUTANTS]
