"""Hand-ins as Moodle and Canvas give them for download: one zip file, and students in its names.

Moodle:  Ada Byron_4711_assignsubmission_file_/NAME.ipynb, or without folders ..._file_NAME.ipynb
Canvas:  byronada_4711_99_NAME.ipynb, or byronada_LATE_4711_99_NAME-1.ipynb
A zip of STUDENT/ASSIGNMENT/ folders does, too.
"""

import re
import stat
import zipfile
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

import nbformat
from assignment import assignments, given_texts
from collect import LITTER, safe

SYSTEMS = {
    "moodle": re.compile(r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_file_/?(?P<file>.+)"),
    "canvas": re.compile(
        r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<id>\d+)_\d+_(?P<file>[^/]+)"),
    "folders": re.compile(rf"(?P<name>[^/]+)/(?P<folder>{'|'.join(assignments())})/(?P<file>.+)"),
}
MOST_BYTES, MOST_IN_ALL = 20_000_000, 4_000_000_000


class Student(NamedTuple):
    """A student of such a system."""

    system: str
    name: str
    id: str


class NoDownload(Exception):
    """A file that is none; the text says why."""


def unpack(path, folder, assignment=None):
    """Put the files of a download into STUDENT/ASSIGNMENT/ folders; who is who, and what is left.

    Which assignment a student's files are of is seen from their names, or else from their content.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise NoDownload(f"{path} is no zip file: {error}") from None
    found, aside, room = {}, [], MOST_IN_ALL
    with archive:
        for entry in archive.infolist():
            name = entry.filename.replace("\\", "/")
            if entry.is_dir() or LITTER & set(name.split("/")):
                continue
            whose = _whose(name)
            problem = _problem(entry, room)
            if whose is None or problem:
                aside.append(f"{name}: {problem or 'whose it is cannot be seen from its name'}")
                continue
            room -= entry.file_size
            student, folder_, file = whose
            found.setdefault((student, folder_), []).append((file, entry))
        who = {}
        for (student, folder_), files in found.items():
            contents = {file: archive.read(entry) for file, entry in files}
            of = assignment or folder_ or _assignment_of(contents)
            if of is None:
                aside.append(f"{student.name}: {', '.join(contents)}: of no assignment of ours")
                continue
            called = _called(student, found)
            who[called] = student
            place = folder / called / of
            place.mkdir(parents=True, exist_ok=True)
            for file, data in contents.items():
                (place / file).write_bytes(data)
            last = max(entry.date_time for _, entry in files)
            (place / "timestamp.txt").write_text(f"{datetime(*last)}\n")
    return who, aside


def _whose(name):
    """The student, the assignment if a folder names it, and the file's name alone."""
    for system, pattern in SYSTEMS.items():
        if match := pattern.search(name):
            found = match.groupdict()
            student = Student(system, found["name"], found.get("id", ""))
            return student, found.get("folder"), PurePosixPath(found["file"]).name
    return None


def _problem(entry, room):
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "it is a link"
    if entry.flag_bits & 1:
        return "it is encrypted"
    if entry.file_size > MOST_BYTES or entry.file_size > room:
        return "it is too large"
    return None


def _called(student, found):
    """The name in our folders: with the number where two students have the same name."""
    alike = {each for each, _ in found if each.name == student.name}
    return safe(student.name if len(alike) == 1 else f"{student.name} {student.id}")


def _assignment_of(contents):
    notebooks = {name: data for name, data in contents.items() if name.endswith(".ipynb")}
    for name in assignments():
        if any(file.startswith(name) for file in notebooks):
            return name
    for data in notebooks.values():
        try:
            cells = nbformat.reads(data.decode(), as_version=4).cells
        except Exception:  # whatever is wrong with a file from outside
            continue
        texts = {str(cell.source).strip() for cell in cells}
        best = max(assignments(), key=lambda name: len(given_texts(name) & texts))
        if given_texts(best) & texts:
            return best
    return None
