"""Notebooks are tests too: a solved one must give its stored outputs, an unsolved one must run from top to bottom.

nbval is either strict or lax for a whole run. Here the folder decides, so that one run and one summary hold everything.
"""

import os
from pathlib import Path

os.environ["COURSE_PROGRESS"] = "off"  # a test is no learner: what it checks must not count as progress

ROOT = Path(__file__).parent
STRICT = {"solutions": True, "notebooks": False}


def pytest_collect_file(file_path, parent):
    options = parent.config.option
    if file_path.suffix != ".ipynb" or file_path.parent.parent != ROOT or file_path.parent.name not in STRICT:
        return None
    if options.nbval or options.nbval_lax:
        return None  # nbval was asked for by hand and collects them itself
    from nbval.plugin import IPyNbFile

    notebook = IPyNbFile.from_parent(parent, path=file_path)
    notebook.compare_outputs = STRICT[file_path.parent.name]
    return notebook
