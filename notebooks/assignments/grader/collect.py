"""What lies in a folder of hand-ins: which are some, and what is left aside."""

import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

from assignment import assignments

LITTER = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini"}
REFUSED, UNREADABLE = "refused", "unreadable"


class HandIn(NamedTuple):
    """One student's folder for one assignment."""

    student: str  # as we and nbgrader call them
    assignment: str
    folder: Path


def hand_ins(folder):
    """The hand-ins STUDENT/ASSIGNMENT/ in a folder; and, in words, what is left aside."""
    found, aside, known = [], [], set(assignments())
    for student in _entries(folder):
        if student.is_symlink() or not student.is_dir():
            aside.append(f"{student.name}: not a folder of a student's")
            continue
        name = safe(student.name)
        if name != student.name:
            aside.append(f"{student.name}: called {name} here, as nbgrader needs it")
        for entry in _entries(student):
            if entry.name in known:
                found.append(HandIn(name, entry.name, entry))
            else:
                aside.append(f"{student.name}/{entry.name}: no assignment of this course")
    return found, aside


def _entries(folder):
    return [Path(each.path) for each in sorted(os.scandir(folder), key=lambda each: each.name)
            if each.name not in LITTER]


def safe(name):
    """A student's name without what nbgrader takes for a pattern or leaves out."""
    made = re.sub(r"^[.\s-]|[^\w@.,+'() -]", "_", name)
    # still different where names differ only in what was replaced
    return name if made == name else f"{made}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


class NoNotebook(Exception):
    """There is none to grade in a hand-in; `status` is how the grade list calls that."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def notebook_in(hand_in):
    """The path of the notebook to grade: the one with the right name, or the only one."""
    folder, name = hand_in.folder, hand_in.assignment
    if folder.is_symlink():
        raise NoNotebook(REFUSED, "its folder is a link")
    if not folder.is_dir():
        raise NoNotebook(UNREADABLE, "a file where its folder should be")
    path = folder / f"{name}.ipynb"
    if path.is_symlink() or path.exists():
        return path
    there = [each for each in _entries(folder) if each.suffix == ".ipynb"]
    renamed = [each for each in there if each.name.startswith(name)]  # "NAME (1).ipynb"
    for some in (renamed, there):
        if len(some) == 1:
            return some[0]
    listed = ", ".join(each.name for each in there) or "none"
    raise NoNotebook(UNREADABLE, f"there is no {path.name}; notebooks in the folder: {listed}")
