"""`make class`: a class of a hundred against the clock, and every key in front of the real grader.

Writes what came of it to notebooks/results/class.json, which the status page shows.
"""

import copy
import csv
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from datetime import date
from pathlib import Path

import nbformat
from assignment import assignments, grade_id_of, read
from course_stamp import stamp

from tests.conftest import TOP
from tests.course import GRADER, hand_ins

RESULT = TOP / "notebooks" / "results" / "class.json"
NAME = "1_reachable_states"
STUDENTS = [f"student-{number:03}" for number in range(100)]
WITH_OWN_NUMBERS = [f"own-{number:02}" for number in range(20)]
MOST = {"grading": 120, "variants": 180}  # seconds


def seconds(*arguments):
    """How long a command of the grader takes: by the clock, and of the processors' time.

    The latter counts all processes that it starts: those that it leaves become ours, and are waited
    for. On a machine that others use, too, only that means much.
    """
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    start, used = time.monotonic(), processor_seconds()
    subprocess.run([sys.executable, str(GRADER), *map(str, arguments)], check=True)
    took = time.monotonic() - start
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return {"clock": round(took), "processors": round(processor_seconds() - used)}


def processor_seconds():
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def notebook_of(root, kind, name):
    return nbformat.read(root / kind / name / f"{name}.ipynb", as_version=4)


def put(folder, student, name, notebook):
    place = folder / student / name
    place.mkdir(parents=True)
    nbformat.write(notebook, place / f"{name}.ipynb")


def key_of(name):
    return {question: each.reference for question, each in read(name).questions.items()}


def answered(notebook, codes):
    for cell in notebook.cells:
        cell.source = codes.get(grade_id_of(cell), cell.source)
    return notebook


def write_class(root, folder, name):
    """A class as they are: right in several styles, with mistakes, and some with nothing."""
    empty, key, about = notebook_of(root, "release", name), key_of(name), hand_ins.of(name)
    kinds = [key, {}, *(key | style.code for style in about.STYLES)]
    kinds += [key | {wrong.question: wrong.code} for wrong in about.WRONG]
    for number, student in enumerate(STUDENTS):
        notebook = answered(copy.deepcopy(empty), kinds[number % len(kinds)])
        for cell in notebook.cells:
            if grade_id_of(cell) == "q1":
                cell.source += f"\n# {student}"
        put(folder, student, name, notebook)


def against_the_clock(top):
    """How long a class of a hundred takes."""
    root, folder = top / "course", top / "in"
    seconds("--root", root, "release", "--only", NAME)
    others = " ".join(f"other-{each}" for each in STUDENTS)
    found = {"variants": seconds("--root", root, "release", "--only", NAME, "--variant", others)}
    write_class(root, folder, NAME)
    return found | {"grading": seconds("--root", root, "grade", folder)}


def keys(top):
    """Which tests each key loses, and which an empty release wins: none, if all is well."""
    root, folder = top / "all", top / "keys"
    seconds("--root", root, "release", "--variant", " ".join(WITH_OWN_NUMBERS))
    for name in assignments():
        put(folder, "key", name, notebook_of(root, "solution", name))
        put(folder, "empty", name, notebook_of(root, "release", name))
        for student in WITH_OWN_NUMBERS:
            own = notebook_of(root / "variants", student, name)
            put(folder, student, name, answered(own, key_of(name)))
    seconds("--root", root, "grade", folder)
    found = {"assignments": len(assignments()), "variants": len(WITH_OWN_NUMBERS), "wrong": []}
    with open(root / "graded" / "001" / "grades.csv", newline="") as file:
        for row in csv.DictReader(file):
            expected = 0 if row["student"] == "empty" else float(row["most"])
            if float(row["points"]) != expected:
                found["wrong"].append([row["student"], row["assignment"], row["test"],
                                       row["status"], row["message"][:200]])
    return found


def main():
    load = os.getloadavg()[0]  # of others: more than 0 means that the times are too long
    with tempfile.TemporaryDirectory() as top:
        took, found = against_the_clock(Path(top)), keys(Path(top))
    record = {"date": str(date.today()), "stamp": stamp(), "cores": os.cpu_count(), "load": load,
              "assignment": NAME, "hand-ins": len(STUDENTS), "seconds": took, "keys": found}
    print(json.dumps(record, indent=1))
    RESULT.write_text(json.dumps(record, indent=1) + "\n")
    late = [what for what, most in MOST.items() if took[what]["clock"] > most]
    return bool(found["wrong"] or late)


if __name__ == "__main__":
    sys.exit(main())
