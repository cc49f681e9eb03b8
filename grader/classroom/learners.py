"""Who handed a file in, told from its place: the naming of Canvas, Moodle and nbgrader, folders per learner, single
files.

Sources of the facts: Canvas writes ``name[_LATE]_USER_FILE_original`` (canvas-lms, lib/content_zipper.rb); Moodle
writes
``Full Name_PARTICIPANT_assignsubmission_file_`` as a folder, or as the beginning of the file's name (moodle,
mod/assign, downloader);
nbgrader collects ``submitted/STUDENT/ASSIGNMENT/NOTEBOOK`` with a ``timestamp.txt`` beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_CANVAS = re.compile(r"(?P<name>[^_].*?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
_CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<id>[^_]+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
_CANVAS_TEXT = re.compile(r"(?P<name>[^_].*?)(?P<late>_LATE)?_(?P<id>\d+)_(?:text|link)\.html", re.DOTALL)
_MOODLE = re.compile(
    r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<rest>.*))?", re.DOTALL
)


@dataclass(frozen=True)
class Owner:
    """``learner``: the key of one row in the gradebook. ``name``: as people read it. ``lms``: "canvas", "moodle",
    "nbgrader" or "".

    ``lms_id``: the number (or name) under which that system knows the learner. ``file``: the file's name without the
    system's own
    words. ``turn``: a number that grows with each file that is handed in, 0 where the system gives none. ``late``:
    marked as late.
    """

    learner: str
    name: str
    file: str
    lms: str = ""
    lms_id: str = ""
    turn: int = 0
    late: bool = False
    folders: tuple[str, ...] = field(default=())


def owner_of(parts: tuple[str, ...]) -> Owner:
    """Who owns the file with this path (relative to the folder of the class).

    Only the first name counts, which the school gave. What lies below it is the learner's own: names there that look
    like the school's would be work handed in for somebody else.
    """
    if parts[0] == "submitted" and len(parts) > 2:
        return _nbgrader(parts[1:])
    if len(parts) > 1 and (found := _MOODLE.fullmatch(parts[0])):
        return _moodle(found, parts[-1], parts[1:-1])
    if len(parts) > 1 and (found := _CANVAS.fullmatch(parts[0])):  # a learner's zip in a download
        return _canvas(found, parts[-1], parts[1:-1])
    return _by_file(parts)


def lms_of(name: str) -> str:
    """Which system gave a file or folder its name: "canvas", "moodle" or ""."""
    if _MOODLE.fullmatch(name):
        return "moodle"
    return "canvas" if any(one.fullmatch(name) for one in (_CANVAS_ANONYMOUS, _CANVAS_TEXT, _CANVAS)) else ""


def _nbgrader(parts: tuple[str, ...]) -> Owner:
    student = parts[0]
    return Owner(student, student, parts[-1], "nbgrader", student, folders=parts[1:-1])


def _moodle(found: re.Match, file: str, folders: tuple[str, ...]) -> Owner:
    name, number = found["name"], found["id"]
    return Owner(f"{name} {number}", name, file, "moodle", number, folders=folders)


def _canvas(found: re.Match, file: str, folders: tuple[str, ...]) -> Owner:
    name, number = found["name"], found["id"]
    return Owner(f"{name} {number}", name, file, "canvas", number, int(found["file"]), bool(found["late"]), folders)


def _by_file(parts: tuple[str, ...]) -> Owner:
    file = parts[-1]
    if len(parts) == 1:
        if (found := _MOODLE.fullmatch(file)) and found["rest"]:
            return _moodle(found, found["rest"], ())
        if found := _CANVAS_ANONYMOUS.fullmatch(file):
            anonymous = f"anon_{found['id']}"
            return Owner(
                anonymous, anonymous, found["rest"], "canvas", anonymous, int(found["file"]), bool(found["late"])
            )
        if found := _CANVAS_TEXT.fullmatch(file):
            name, number = found["name"], found["id"]
            return Owner(f"{name} {number}", name, file, "canvas", number, late=bool(found["late"]))
        if found := _CANVAS.fullmatch(file):
            return _canvas(found, found["rest"], ())
        stem = file.rsplit(".", 1)[0] or file
        return Owner(stem, stem, file)
    return Owner(parts[0], parts[0], file, folders=parts[1:-1])
