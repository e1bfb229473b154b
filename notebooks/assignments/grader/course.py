"""The course's folder: what nbgrader makes of the sources, and what was handed in.

Everything lies below one folder (_build/course), in nbgrader's own layout; only sources are kept
elsewhere.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import variants
from assignment import (
    HOME,
    NUMBERS,
    SOURCE,
    answers,
    assignments,
    fingerprint,
    grade_id_of,
    read,
    rebuilt,
)
from judge import Verdict, judge
from student import Limits

ROOT = HOME.parents[1] / "_build" / "course"
# What nbgrader grades: hand-ins put in order. Its folder of what was submitted stays as it is.
PREPARED = "prepared"


class CourseError(Exception):
    """Something that a teacher can put right; its text says how."""


def nbgrader(root, *commands):
    """Run commands of nbgrader in a course's folder, which is given our settings."""
    settings = HOME / "nbgrader_config.py"
    (root / settings.name).write_text(f"load_subconfig({str(settings)!r})\n")
    # nbgrader calls programs that lie beside this Python
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = Path(__file__).with_name("nbgrader_commands.py")
    done = subprocess.run([sys.executable, str(program), json.dumps(commands)], cwd=root,
                          env=os.environ | {"PATH": path}, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise CourseError(f"nbgrader {commands[0][0]} failed:\n{done.stderr[-3000:]}")


def release(root, names, keys=True):
    """Make the students' notebooks and, for the teacher, the key of each assignment."""
    for name in names:
        shutil.copytree(SOURCE / name, root / "source" / name, dirs_exist_ok=True)
    commands = [("generate_assignment", name, "--create", "--force") for name in names]
    if keys:
        commands += [("generate_solution", name, "--force") for name in names]
    if commands:
        nbgrader(root, *commands)


def release_variant(root, names, student, seed):
    """Make the notebooks of one student, with numbers of their own: variants/STUDENT."""
    with TemporaryDirectory() as folder:
        for name in names:
            source = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
            for cell in source.cells:
                if grade_id_of(cell) == NUMBERS:
                    cell.source = variants.cell(variants.numbers(name, student, seed))
            path = Path(folder, "source", name, f"{name}.ipynb")
            shutil.copytree(SOURCE / name, path.parent)
            nbformat.write(source, path)
        commands = [("generate_assignment", name, "--no-db", "--force") for name in names]
        nbgrader(Path(folder), *commands)
        shutil.copytree(Path(folder, "release"), root / "variants" / student, dirs_exist_ok=True)
    (root / "variants" / "seed.json").write_text(json.dumps(seed))


def numbers_of(root, name, student):
    """The cell with a student's numbers, if they were given numbers of their own; else None."""
    if not (root / "variants" / student / name).exists():
        return None
    seed = json.loads((root / "variants" / "seed.json").read_text())
    return variants.cell(variants.numbers(name, student, seed))


def grade(root, folder, limits=None, workers=2, progress=lambda done: done):
    """Grade FOLDER/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb: returns rows of the grade list."""
    found = sorted((path.parent.name, path.name) for path in folder.glob("*/*") if path.is_dir())
    known = set(assignments())
    strange = sorted({name for _, name in found} - known)
    if not found:
        raise CourseError(f"There is no hand-in in {folder}: STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb.")
    if strange:
        raise CourseError(f"{strange[0]!r} is no assignment; there are {', '.join(sorted(known))}.")
    names = sorted({name for _, name in found})
    release(root, [name for name in names if not (root / "release" / name).exists()], keys=False)
    work = partial(_graded, root, folder, limits or Limits())
    with ProcessPoolExecutor(workers) as pool:
        rows = [row for rows in progress(pool.map(work, found)) for row in rows]
    readable = sorted({name for _, name, *_, status, _ in rows if status != UNREADABLE})
    if readable:
        prepared = f"--CourseDirectory.submitted_directory={PREPARED}"
        nbgrader(root, *(("autograde", name, "--create", "--force", prepared) for name in readable))
    write_list(root / "grades.csv", rows)
    return rows


UNREADABLE = "unreadable"
COLUMNS = ("student", "assignment", *Verdict._fields)


def write_list(path, rows):
    """Write the grade list: a row for each test of each hand-in."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([COLUMNS, *rows])


def _graded(root, folder, limits, hand_in):
    """The rows of one hand-in; leaves the verdicts where nbgrader's turn finds them."""
    student, name = hand_in
    assignment = read(name).with_numbers(numbers_of(root, name, student))
    place = root / PREPARED / student / name
    shutil.rmtree(place, ignore_errors=True)
    try:
        original = nbformat.read(folder / student / name / f"{name}.ipynb", as_version=4)
        released = nbformat.read(root / "release" / name / f"{name}.ipynb", as_version=4)
        notebook = rebuilt(assignment, released, original)
    except Exception as error:  # whatever is wrong with a file from outside
        said = f"{type(error).__name__}: {error}"[:200]
        return [(student, name, test, 0, most, UNREADABLE, said)
                for question in assignment.questions.values() for test, most, _ in question.tests]
    place.mkdir(parents=True)
    for path in (folder / student / name).iterdir():  # what else was handed in, for the teacher
        if path.is_file() and not path.is_symlink():
            shutil.copy(path, place)
    nbformat.write(notebook, place / f"{name}.ipynb")
    verdicts = verdicts_on(root, assignment, student, notebook, limits)
    return [(student, name, *verdict) for verdict in verdicts]


def verdicts_on(root, assignment, student, notebook, limits):
    """The verdicts on one hand-in: those kept, if they are on these answers, else new ones."""
    found = answers(assignment, notebook)
    mark = fingerprint(assignment, found)
    path = root / "verdicts" / student / f"{assignment.name}.json"
    try:
        kept = json.loads(path.read_text())
        if kept["fingerprint"] == mark:
            return [Verdict(*verdict) for verdict in kept["verdicts"]]
    except (OSError, ValueError, KeyError):
        pass
    verdicts = judge(assignment, found, limits)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps({"fingerprint": mark, "verdicts": verdicts}))
    part.replace(path)
    return verdicts
