"""Runs a solved notebook and stores its outputs so that two runs give the same bytes."""

import re
import sys
from pathlib import Path

from grader.course.chapters import CourseError
from grader.places import ROOT

TIMEOUT_S = 120
_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # holds a random model id
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


def execute(notebook: dict, folder: Path, name: str) -> dict:
    """Run a notebook in a fresh kernel.

    In: a notebook without outputs; the folder that its code runs in; its name, for errors. Out: a new notebook with
    outputs that don't change between runs. Raises CourseError where a cell fails, or does not fail though it is
    tagged so, or prints something that can't be the same twice.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    ran = nbformat.from_dict(notebook)
    client = NotebookClient(
        ran,
        timeout=TIMEOUT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # or the kernel warns that it listens on a socket of this machine
    )
    try:
        client.execute()
    except CellExecutionError as error:
        raise CourseError(f"{name}: {_failed_cell(ran)} fails when solved: {error.ename}: {error.evalue}") from error
    except (CellTimeoutError, DeadKernelError) as error:
        raise CourseError(f"{name}: the solved notebook does not run through: {error}") from error
    ran_cells = [_settle(cell, name) for cell in ran["cells"]]
    return {**notebook, "cells": ran_cells}


def _settle(ran: dict, name: str) -> dict:
    cell = {**ran, "metadata": dict(ran["metadata"])}
    if cell["cell_type"] != "code":
        return cell
    cell["outputs"] = settle_outputs(cell["outputs"])
    raised = any(output["output_type"] == "error" for output in cell["outputs"])
    if "raises-exception" in cell["metadata"].get("tags", []) and not raised:
        raise CourseError(f"{name}: a cell is tagged raises-exception but raises nothing: {_first_line(cell)}")
    refuse_unstable(cell["outputs"], f"{name}: {_first_line(cell)}")
    return cell


def settle_outputs(outputs: list[dict]) -> list[dict]:
    """Outputs without what changes from run to run: how a stream was cut, widget ids, frames of a traceback outside
    the notebook."""
    settled: list[dict] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            last = settled[-1] if settled else {}
            if last.get("output_type") == "stream" and last["name"] == output["name"]:
                last["text"] += output["text"]
            else:
                settled.append({"output_type": kind, "name": output["name"], "text": output["text"]})
        elif kind == "error":
            kept = {key: output[key] for key in ("output_type", "ename", "evalue")}
            settled.append({**kept, "traceback": _own_frames(output["traceback"])})
        else:
            data = {mime: value for mime, value in output["data"].items() if mime != _WIDGET_VIEW}
            settled.append({**output, "data": data, "metadata": {}})
    return settled


def _own_frames(traceback: list[str]) -> list[str]:
    """Keep the heading, the frames of the notebook's own cells, and the error itself. Other frames name files of
    one machine."""
    return [part for part in traceback if not _ANSI.sub("", part).startswith("File ")]


def refuse_unstable(outputs: list[dict], where: str) -> None:
    """Raise CourseError when an output holds an address or a path of this machine: elsewhere it would be another."""
    for text in (text for output in outputs for text in _texts(output)):
        address = _ADDRESS.search(text)
        if address:
            raise CourseError(f"{where}: the output holds an address ({address[0]}); give the object a stable repr")
        if any(folder in text for folder in (str(Path.cwd()), sys.prefix, str(ROOT))):
            raise CourseError(f"{where}: the output holds a path of this machine")


def _texts(output: dict):
    if output["output_type"] == "stream":
        yield output["text"]
    elif output["output_type"] == "error":
        yield output["evalue"]
        yield from output["traceback"]
    else:
        yield from (value for value in output["data"].values() if isinstance(value, str))


def _failed_cell(ran: dict) -> str:
    """The cell that stopped the run: the last one that raised."""
    failed = [cell for cell in ran["cells"] if any(out["output_type"] == "error" for out in cell.get("outputs", ()))]
    return _first_line(failed[-1]) if failed else "a cell"


def _first_line(cell: dict) -> str:
    return repr(cell["source"].split("\n", 1)[0])
