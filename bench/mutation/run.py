"""Mutation testing of the contract check: mutmut's mutants of the reference loops, graded as a learner's loop is.

Run it by hand, with mutmut 3.8.1 beside the course's own requirements:
``python bench/mutation/run.py OUT.jsonl [BASE…]``. BASE is a name in tests/mutants such as reference.py (default: the
three of them). Each mutant becomes one line of OUT: the function, the change, and the scenario and rule that caught it
first, or "survived". ``--survivors`` grades the survivors of an OUT once more, after a scenario or a rule was mended;
``--figures`` only shows what an OUT holds. What the survivors are is told in bench/mutation.md.

mutmut makes the mutants; it does not run them. A process for each would take hours, and what mutmut changes inside one
process are the functions of a package, while a loop is handed to the grader as a learner hands it in.
"""

import argparse
import contextlib
import difflib
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

BASES = ("reference.py", "reference_async.py", "reference_stream.py")
SEED = 21
DEADLINE_S = 5.0


def mutants(base: str, known: set[str]):
    """(name, function, text) of mutmut's mutants of a base.

    ``known``: the texts of functions that were mutated before, in another base; they are left out, and new ones added.
    """
    from mutmut.mutation.file_mutation import create_mutations

    text = (ROOT / "tests" / "mutants" / base).read_text(encoding="utf-8")
    with contextlib.chdir(Path(__file__).parent):  # where mutmut finds its setup.cfg
        module, mutations, *_ = create_mutations(base, text)
    old = set(known)
    for number, mutation in enumerate(mutations, start=1):
        function = mutation.contained_by_top_level_function
        source = module.code_for_node(function).strip() if function is not None else ""
        known.add(source)
        if source not in old or not source:
            mutated = module.deep_replace(mutation.original_node, mutation.mutated_node)
            yield f"{base}:{number}", function.name.value if function is not None else "", mutated.code


def changed_lines(base: str, text: str) -> list[str]:
    """The lines that a mutant takes away and adds."""
    original = (ROOT / "tests" / "mutants" / base).read_text(encoding="utf-8")
    diff = difflib.unified_diff(original.splitlines(), text.splitlines(), lineterm="", n=0)
    return [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def caught(text: str, name: str, scenarios: list) -> dict:
    """The first scenario and rule that catch a loop, in the order of the levels; {} when it passes all of them."""
    from mutants.mutant import load

    from grader.judging.exercises.loop import play_and_judge

    try:
        function = load(text, f"{name.replace(':', '_')}.py")
    except Exception as problem:
        return {"scenario": "", "rule": f"does not load: {type(problem).__name__}"}
    for scenario in scenarios:
        for judgement in play_and_judge(scenario, function, "resume", seed=SEED, deadline_s=DEADLINE_S):
            if judgement.root is not None or judgement.not_attempted:
                return {"scenario": scenario.name, "rule": judgement.root.rule if judgement.root else "not attempted"}
    return {}


def run(out: Path, bases: list[str], survivors_only: bool) -> None:
    from grader.judging import LEVELS
    from grader.judging.exercises.loop import scenarios_of

    scenarios = sorted(scenarios_of(LEVELS), key=lambda scenario: list(LEVELS).index(scenario.level))
    for base in bases:
        text = (ROOT / "tests" / "mutants" / base).read_text(encoding="utf-8")
        if found := caught(text, base, scenarios):
            sys.exit(f"{base} itself does not pass: {found}")
    before = {line["name"]: line for line in lines_of(out)} if survivors_only else {}
    known: set[str] = set()
    with out.open("w", encoding="utf-8") as file:
        for base in bases:
            for name, function, text in mutants(base, known):
                line = before.get(name)
                if line is None or line["rule"] == "survived":
                    start = time.process_time()
                    line = {"name": name, "function": function, "change": changed_lines(base, text)}
                    line |= caught(text, name, scenarios) or {"rule": "survived"}
                    line["cpu_s"] = round(time.process_time() - start, 2)
                print(json.dumps(line, ensure_ascii=False), file=file, flush=True)


def lines_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def figures(out: Path) -> None:
    """Print how many were caught and by what, and every survivor with its change."""
    lines = lines_of(out)
    survivors = [line for line in lines if line["rule"] == "survived"]
    for line in survivors:
        print(f"{line['name']} {line['function']}", *line["change"], sep="\n    ")
    print(f"{len(lines)} mutants, {len(lines) - len(survivors)} caught, {len(survivors)} survived")
    print("by base:", dict(Counter(line["name"].partition(":")[0] for line in lines)))
    print("caught by:", dict(Counter(line["rule"] for line in lines if line["rule"] != "survived").most_common()))
    print(f"{sum(line['cpu_s'] for line in lines):.0f} CPU seconds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("bases", nargs="*")
    parser.add_argument("--survivors", action="store_true", help="grade the survivors of OUT once more")
    parser.add_argument("--figures", action="store_true", help="only show the figures of OUT")
    arguments = parser.parse_args()
    if not arguments.figures:
        run(arguments.out, arguments.bases or list(BASES), arguments.survivors)
    figures(arguments.out)


if __name__ == "__main__":
    main()
