"""Writes all that is about the whole class, in one pass over the learners, of whom one at a time is in memory."""

from __future__ import annotations

import json
from contextlib import ExitStack

from grader.classroom import gradebook, junit, pages, sarif, summary
from grader.classroom.assignment import Assignment
from grader.classroom.attempts import Roll
from grader.classroom.rows import Row, rows
from grader.classroom.store import Store, write, writing
from grader.classroom.tally import Tally, count


def write_all(store: Store, roll: Roll, assignment: Assignment) -> None:
    """gradebook.csv, points.jsonl (for the exports), class.html, summary.md, junit.xml, results.sarif, and the pages
    that are missing.
    """
    tally, listing = Tally(), pages.Listing(roll.nobody)
    with ExitStack() as stack:
        books = _Books(*(stack.enter_context(writing(store.folder / name)) for name in _NAMES))
        header, *_ = gradebook.lines([], assignment)
        books.begin(header, assignment)
        for row in rows(store, roll, assignment):
            count(tally, row, assignment)
            listing.add(row)
            _page(store, row)
            books.add(row, assignment)
        books.end(tally)
    write(store.folder / "class.html", pages.class_report(tally, assignment, listing))


_NAMES = ("gradebook.csv", "points.jsonl", "junit.xml", "results.sarif", "summary.md")


class _Books:
    """The open files of the class."""

    def __init__(self, csv, points, xml, findings, markdown):
        self._csv, self._points, self._xml, self._sarif, self._markdown = csv, points, xml, findings, markdown
        self._first = True

    def begin(self, header: bytes, assignment: Assignment) -> None:
        self._csv.write(header)
        self._xml.write(junit.HEAD.encode())
        self._sarif.write(sarif.head().encode())
        self._markdown.write(_bytes(summary.head(assignment)))

    def add(self, row: Row, assignment: Assignment) -> None:
        *_, line = gradebook.lines([row], assignment)
        self._csv.write(line)
        self._points.write(_points(row))
        self._xml.write(_bytes(junit.suite(row)))
        self._markdown.write(_bytes(summary.row_line(row)))
        for result in sarif.results(row):
            self._sarif.write((b"" if self._first else b",\n") + result.encode())
            self._first = False

    def end(self, tally: Tally) -> None:
        self._xml.write(junit.TAIL.encode())
        self._sarif.write(sarif.TAIL.encode())
        for part in summary.tail(tally):
            self._markdown.write(_bytes(part))


def _points(row: Row) -> bytes:
    """One learner for the exports: what their systems know the learner by, and the points (none after a fault of the
    grader's).
    """
    owner = row.owner
    about = {"learner": owner.learner, "name": owner.name, "lms": owner.lms, "lms_id": owner.lms_id}
    points = None if row.faulty else row.points
    return json.dumps(about | {"points": points, "max_points": row.max_points}).encode() + b"\n"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _page(store: Store, row: Row) -> None:
    """A run that was killed may have written the JSON and not the page. Of several attempts, say which one counts."""
    data, page = store.path_of(row.owner.learner), store.path_of(row.owner.learner, ".html")
    several = row.attempts > len(row.kept)
    if data.exists() and (several or not page.exists() or page.stat().st_mtime_ns < data.stat().st_mtime_ns):
        counts = frozenset(one["key"] for one in row.kept.values()) if several else frozenset()
        pages.write_page(store, row.owner.learner, counts)
