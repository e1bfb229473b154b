"""`make class`: a hundred hand-ins graded, and variants for a hundred students, against the clock.

Writes how long it took to notebooks/results/class.json, which the status page shows.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import nbformat
from assignment import assignments, fingerprint, grade_id_of, read

from tests.conftest import TOP
from tests.course import GRADER, hand_ins

RESULT = TOP / "notebooks" / "results" / "class.json"
STUDENTS = [f"student-{number:03}" for number in range(100)]
MOST = {"grading": 120, "variants": 180}  # seconds


def stamp():
    """What the times follow from: the grader and the assignments."""
    parts = [path.read_text() for path in sorted(GRADER.glob("*.py"))]
    return fingerprint(read(assignments()[0]), parts)


def seconds(*arguments):
    start = time.monotonic()
    subprocess.run([sys.executable, str(GRADER), *map(str, arguments)], check=True)
    return round(time.monotonic() - start)


def write_class(root, folder, name):
    """A class as they are: right in several styles, with mistakes, and some with nothing."""
    empty = nbformat.read(root / "release" / name / f"{name}.ipynb", as_version=4)
    key = {question: each.reference for question, each in read(name).questions.items()}
    about = hand_ins.of(name)
    kinds = [key, {}, *(key | style.code for style in about.STYLES)]
    kinds += [key | {wrong.question: wrong.code} for wrong in about.WRONG]
    for number, student in enumerate(STUDENTS):
        notebook = copy.deepcopy(empty)
        for cell in notebook.cells:
            cell.source = kinds[number % len(kinds)].get(grade_id_of(cell), cell.source)
            if grade_id_of(cell) == "q1":
                cell.source += f"\n# {student}"
        place = folder / student / name
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{name}.ipynb")


def main(name="1_reachable_states"):
    load = os.getloadavg()[0]  # of others: more than 0 means that the times are too long
    with tempfile.TemporaryDirectory() as top:
        root, folder = Path(top, "course"), Path(top, "in")
        first = seconds("--root", root, "release", "--only", name)
        found = {"variants": seconds("--root", root, "release", "--only", name, "--variant",
                                     " ".join(f"other-{each}" for each in STUDENTS))}
        write_class(root, folder, name)
        found["grading"] = seconds("--root", root, "grade", folder)
    print(found | {"key and release": first})
    record = {"date": str(date.today()), "stamp": stamp(), "cores": os.cpu_count(), "load": load,
              "assignment": name, "hand-ins": len(STUDENTS), "seconds": found}
    RESULT.write_text(json.dumps(record, indent=1) + "\n")
    return any(found[what] > most for what, most in MOST.items())


if __name__ == "__main__":
    sys.exit(main())
