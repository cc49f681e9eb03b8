# Runs inside Pyodide, behind a line that sets ``names``. Its last value: the rules that each loop broke.
# ruff: noqa: F821, B018
import json
import sys
import types
from pathlib import Path

from grader.course.chapters import load_course
from grader.judging import grade_value

RESUME = load_course().find("resume")


def broken_rules(name, source):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), vars(module))
    report = grade_value(RESUME, module.run_agent, seed=5)
    return [violation.rule for violation in report.violations] or (
        [] if report.verdict == "passed" else [report.verdict]
    )


answers = {name: broken_rules(name, Path(f"/tests/styles/{name}.py").read_text()) for name in names}
right = Path("/tests/mutants/reference.py").read_text()
waiting = right.replace("threading.Thread(target=work, daemon=True).start()", "work()")
answers["the reference"] = broken_rules("right", right)
answers["waits for a hung tool"] = broken_rules("waiting", waiting)
json.dumps(answers)
